"""The macros of policy files: `@if`, `@else` and `@endif` exclude text (cf3lex.l)."""

from __future__ import annotations

import re

from analyzer.frontends.cfengine.syntax.problems import Stop

# What the macros ask for: the version and the features of the CFEngine whose rules we follow.
VERSION = (3, 21, 0)
FEATURES = frozenset(
    (
        "copyfrom_restrict_keys",
        "curl",
        "def_json_preparse",
        "host_specific_data_load",
        "tls_1_0",
        "tls_1_1",
        "tls_1_2",
        "tls_1_3",
        "xml",
        "yaml",
    )
)

NUMBER = r"([0-9]{1,5}(?:\.[0-9]{1,5}){0,2})"
CONDITION = re.compile(
    rf"@if (?:(minimum_version|maximum_version|before_version|at_version|after_version)\({NUMBER}\)"
    rf"|(between_versions)\({NUMBER} *, *{NUMBER}\)|(feature)\(([a-zA-Z0-9_]+)\))"
)
LEFT_OUT = re.compile(r"[^@\n\r].*|(?P<else>@else)|(?P<endif>@endif)|\r?\n|.", re.ASCII)


def compared(written: str) -> int:
    """Compare this version with a written one: -1, 0 or 1; missing parts are equal."""
    parts = tuple(int(part) for part in written.split("."))
    own = VERSION[: len(parts)]
    return (own > parts) - (own < parts)


class Macros:
    """The excluded ranges of a file; `open`: an `@if` has no `@endif`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open = False
        self.skipped_to_end = False
        # Another macro may follow an `@endif` directly.
        self.resumed = -1

    def unclosed(self) -> str:
        """Return the error at the end of a file within an `@if`."""
        state = "in" if self.skipped_to_end else "without"
        return f"EOF seen while @if was waiting for @endif {state} ignore_state"

    def read(self, position: int) -> int:
        """Read the macro at a place, and return the end of it, or the place if there is none.

        Raises:
            Stop: the macro is not where it may be; CFEngine reads no further.
        """
        if self.text.startswith("@endif", position):
            self.check_start("@endif", position)
            if not self.open:
                raise Stop("fatal: @endif macros without a matching @if are not allowed", position)
            self.open = False
            self.resumed = position + len("@endif")
            return self.resumed
        if self.text.startswith("@else", position):
            if not self.open:
                message = "fatal: @else macro without a matching @if are not allowed"
                raise Stop(message, position)
            return self.left_out(position + len("@else"))
        return self.condition(position)

    def check_start(self, name: str, position: int) -> None:
        """Refuse a macro that does not begin its line."""
        if position not in (0, self.resumed) and self.text[position - 1] != "\n":
            raise Stop(f"fatal: macro {name} must be at beginning of the line.", position)

    def condition(self, position: int) -> int:
        """Read an `@if`."""
        found = CONDITION.match(self.text, position)
        if not found:
            return position
        self.check_start("@if", position)
        if self.open:
            raise Stop("fatal: nested @if macros are not allowed", position)
        self.open = True
        holds = self.holds(found)
        return found.end() if holds else self.left_out(found.end())

    def holds(self, found: re.Match[str]) -> bool:
        """Return whether a condition holds for the supported version."""
        kind, number, _, low, high, feature, name = found.groups()
        if feature:
            return name in FEATURES
        if not kind:
            return compared(low) >= 0 >= compared(high)
        order = compared(number)
        return {
            "minimum_version": order >= 0,
            "maximum_version": order <= 0,
            "before_version": order < 0,
            "at_version": order == 0,
            "after_version": order > 0,
        }[str(kind)]

    def left_out(self, position: int) -> int:
        """Return the end of the excluded text."""
        while position < len(self.text):
            found = LEFT_OUT.match(self.text, position)
            assert found is not None
            position = found.end()
            if found["endif"]:
                self.open = False
                self.resumed = position
                return position
            if found["else"]:
                return position
        self.skipped_to_end = True
        return position
