"""A value or truth that only the machine knows, with the reason; it is neither false nor unset."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

# Stands before the name of an unknown variable where the variable stands in a text; two of them
# where the variable may have no value at all.
MARK = "\ue000"
# A name, whose index may be another variable.
NAME = r"(?:[$@][({][^)}]*[)}]|[^)}])*"
UNKNOWN_PART = re.compile(rf"[$@][({{](?:{MARK}+|(?=(?:sys|mon)\.))({NAME})")
UNSURE_PART = re.compile(rf"[$@][({{](?:{MARK}{MARK}({NAME})|((?:sys|mon)\.{NAME}))")


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not known here.

    `many` says that it is a list or container, `sure` that there is one.
    """

    why: str
    many: bool = False
    sure: bool = False

    def item(self) -> Unknown:
        """Return one item of an unknown list."""
        return Unknown(self.why, sure=self.sure)


# The truth of a condition; None: it holds variables that have no value, or is no condition.
Truth = bool | Unknown | None


class NoResult(Exception):
    """A function has no value: its arguments hold variables without a value, or it fails."""


class UnknownResult(NoResult):
    """The value of a function or condition is not known here."""

    def __init__(self, unknown: Unknown | str) -> None:
        self.unknown = unknown if isinstance(unknown, Unknown) else Unknown(unknown)
        super().__init__(self.unknown.why)


def marked(name: str, *, sure: bool) -> str:
    """Return the text that stands for an unknown variable in other texts."""
    return f"$({MARK if sure else MARK * 2}{name.lstrip(MARK)})"


def unmarked(text: str) -> str:
    """Return a text as it is shown: unknown variables as they are written."""
    return text.replace(MARK, "") if MARK in text else text


def unknown_part(text: str) -> Unknown | None:
    """Return why a text is not known as a whole, None if it is."""
    if "$" not in text and "@" not in text:
        return None
    found = UNKNOWN_PART.search(text)
    if found is None:
        return None
    where = " before the run" if found[1].startswith(("sys.", "mon.")) else ""
    return Unknown(f"$({found[1]}) is not known{where}")


def unsure_part(text: str, always: Container[str]) -> Unknown | None:
    """Return why it is not known whether a variable in a text has a value, None if all have one.

    Those of `always` have one on each machine.
    """
    for found in UNSURE_PART.finditer(text) if "$" in text or "@" in text else ():
        name = found[1] or found[2]
        if found[1] or name.partition("[")[0] not in always:
            return Unknown(f"whether $({name}) has a value is not known here")
    return None


def first_unknown(values: object) -> Unknown | None:
    """Return why one of several values is not known, None if all are."""
    for value in values if isinstance(values, list | tuple) else [values]:
        if isinstance(value, Unknown):
            return value
        found = unknown_part(value) if isinstance(value, str) else None
        if found is not None:
            return found
    return None


def all_of(truths: list[Truth]) -> bool | Unknown:
    """Return whether all hold."""
    if any(not truth and not isinstance(truth, Unknown) for truth in truths):
        return False
    return next((truth for truth in truths if isinstance(truth, Unknown)), True)


def any_of(truths: list[Truth]) -> bool | Unknown:
    """Return whether one holds."""
    if any(truth is True for truth in truths):
        return True
    return next((truth for truth in truths if isinstance(truth, Unknown)), False)


def none_of(truths: list[Truth]) -> bool | Unknown:
    """Return whether none holds; what has no truth holds nothing."""
    if any(truth is True or truth is None for truth in truths):
        return False
    return next((truth for truth in truths if isinstance(truth, Unknown)), True)


def odd(truths: list[Truth]) -> bool | Unknown:
    """Return whether an odd number of them holds."""
    unknown = next((truth for truth in truths if isinstance(truth, Unknown)), None)
    return unknown if unknown is not None else truths.count(True) % 2 == 1
