"""Errors that end a lookup, in Puppet's words (pops/issues.rb, pops/lookup)."""

from __future__ import annotations


class NotFound(Exception):
    """No value under the key: Puppet's `throw :no_such_key`."""


class HieraError(Exception):
    """A lookup that fails; `str()` is what Puppet prints, with the place where one is known."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line

    def __str__(self) -> str:
        if self.file is None:
            return self.message
        place = f"file: {self.file}" + ("" if self.line is None else f", line: {self.line}")
        return f"{self.message} ({place})"


class RubyFault(HieraError):
    """Ruby's own refusal (such as ArgumentError), which Puppet passes on unchanged."""


class OutsideFault(RubyFault):
    """A file may not be read."""


class PuppetFault(HieraError):
    """Puppet::Error: becomes a LookupFault where a lookup passes it on."""


class LookupFault(PuppetFault):
    """Puppet::DataBinding::LookupError.

    One of the global layer gets the key put before it, unless it is an `issue`: a fault that names
    its own place.
    """

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        *,
        issue: bool = False,
    ) -> None:
        super().__init__(message, file, line)
        self.issue = issue


class NothingFound(LookupFault):
    """No layer has a value for the keys of a lookup that has no default."""


def issue(message: str, file: str | None = None, line: int | None = None) -> LookupFault:
    """Return a fault out of Puppet's table of issues."""
    return LookupFault(message, file, line, issue=True)
