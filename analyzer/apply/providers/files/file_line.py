"""The type file_line of stdlib: a line that is in a file, or is not."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
)
from analyzer.apply.providers.files.file_writer import where
from analyzer.apply.providers.machine.paths import followed, ruby_error
from analyzer.apply.providers.parameters import Parameters
from analyzer.apply.providers.properties import plan_properties
from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.model.resource import Resource


class FileLineProvider(Provider):
    """Adds, replaces and removes lines."""

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Look whether the line is there, as stdlib understands it."""
        line = _FileLine(resource, host)
        return {"ensure": "present" if line.is_there() else ABSENT}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the plan to add or remove the line."""
        parameters = Parameters(resource)
        return plan_properties(parameters, state, (), _ensure(parameters))

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Write the file with the line, or without it."""
        line = _FileLine(resource, host)
        try:
            line.write(line.without() if change.new == ABSENT else line.with_it())
        except OSError as error:
            should = _ensure(line.parameters)
            raise ProviderError(
                f"Could not set '{should}' on ensure: {ruby_error(error)}{where(resource)}"
            ) from None
        return ()


def _ensure(parameters: Parameters) -> str:
    choices = {"present": "present", ABSENT: ABSENT}
    return parameters.choice("ensure", choices, "present") or "present"


class _FileLine:
    """A line and the file that it is to be in."""

    def __init__(self, resource: Resource, host: Host) -> None:
        self.host = host
        self.parameters = parameters = Parameters(resource)
        self.ensure = _ensure(parameters)
        self.path = parameters.text("path") or ""
        self.line = parameters.text("line")
        self.multiple = parameters.flag("multiple")
        self.replace = parameters.flag("replace", True)
        self.others = parameters.flag("replace_all_matches_not_matching_line")
        self.by_match = parameters.flag("match_for_absence")
        self._validate()
        self.match = _pattern(parameters.text("match"))
        self.after = _pattern(parameters.text("after"))
        self.encoding = _encoding(parameters.text("encoding", "UTF-8") or "UTF-8")
        self.lines = self._read()

    def is_there(self) -> bool:
        """Return whether nothing is to be added; for `absent`, whether something is to go."""
        has_line = any(_chomp(line) == self.line for line in self.lines)
        if self.match is None:
            return has_line
        matches = self.count(self.match)
        if self.ensure != "present":
            return has_line if not matches else has_line or self.by_match
        if not matches:
            return has_line or not self.parameters.flag("append_on_no_match", True)
        if self.others:
            return False
        return has_line or not self.replace

    def with_it(self) -> list[str]:
        """Return the lines with the line.

        Raises:
            ProviderError: the file has several matches, or replace is false without a match.
        """
        line = f"{self.line}\n"
        if not self.replace and self.match is None and self.lines:
            # The module looks for a match nevertheless.
            raise ProviderError(
                "Could not set 'present' on ensure: wrong argument type nil (expected Regexp)"
                f"{where(self.parameters.resource)}"
            )
        if self.match is None and self.after is None:
            return [*map(_ended, self.lines), line]
        if not self.replace and self.match is not None and self.count(self.match):
            return self.lines
        return self._replaced(line) if self.match is not None else self._after(line)

    def without(self) -> list[str]:
        """Return the lines without it."""
        if not (self.by_match and self.match is not None):
            return [line for line in self.lines if _chomp(line) != self.line]
        self._one_only(self.match)
        return [line for line in self.lines if not self.match.search(line)]

    def write(self, lines: Sequence[str]) -> None:
        """Write the file."""
        data = "".join(lines).encode(self.encoding, "surrogateescape")
        self.host.write(followed(self.host, self.path), data)

    def count(self, pattern: re.Pattern[str]) -> int:
        """Return how many lines match."""
        return sum(
            bool(pattern.search(line))
            for line in self.lines
            if not (self.others and _chomp(line) == self.line)
        )

    def _replaced(self, line: str) -> list[str]:
        assert self.match is not None
        self._one_only(self.match)
        found = bool(self.count(self.match))
        made = []
        for old in self.lines:
            made.append(line if self.match.search(old) else _ended(old))
            if not found and self.after is not None and self.after.search(old):
                made.append(line)
                found = True
        return made if found else [*made, line]

    def _after(self, line: str) -> list[str]:
        assert self.after is not None
        number = self.count(self.after)
        if number > 1 and not self.multiple:
            raise ProviderError(
                f"{number} lines match pattern '{self.parameters.text('after')}' in file "
                f"'{self.path}'. One or no line must match the pattern."
            )
        made = []
        for old in self.lines:
            made.append(_ended(old))
            if self.after.search(old):
                made.append(line)
        return made if number else [*made, line]

    def _one_only(self, pattern: re.Pattern[str]) -> None:
        if self.count(pattern) > 1 and not self.multiple:
            raise ProviderError(
                f"More than one line in file '{self.path}' matches pattern "
                f"'{self.parameters.text('match')}'"
            )

    def _read(self) -> list[str]:
        try:
            data = self.host.read(followed(self.host, self.path))
        except FileNotFoundError as error:
            if self.parameters.noop:
                return []
            raise ProviderError(ruby_error(error)) from None
        except OSError as error:
            raise ProviderError(ruby_error(error)) from None
        return re.findall(r"[^\n]*\n|[^\n]+", data.decode(self.encoding, "surrogateescape"))

    def _validate(self) -> None:
        parameters = self.parameters
        if not self.path.startswith("/"):
            raise self._wrong("path is a required attribute")
        if self.line is None and not (
            self.ensure == ABSENT and self.by_match and "match" in parameters
        ):
            raise self._wrong("line is a required attribute")
        if self.others and "multiple" in parameters and not self.multiple:
            raise self._wrong(
                "multiple must be true when replace_all_matches_not_matching_line is true"
            )
        if self.others and not self.replace:
            raise self._wrong(
                "replace must be true when replace_all_matches_not_matching_line is true"
            )

    def _wrong(self, why: str) -> ProviderError:
        return ProviderError(f"Validation of {self.parameters.resource} failed: {why}")


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return None if text is None else compiled(text)


def _encoding(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise ProviderError(f"unknown encoding name - {name}") from None


def _chomp(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"
