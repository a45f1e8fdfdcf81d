"""A hiera.yaml of any version: it is read and checked, and made into levels when needed.

Source: pops/lookup/hiera_config.rb.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from analyzer.frontends.puppet.hiera.errors import HieraError, LookupFault, RubyFault, issue
from analyzer.frontends.puppet.hiera.hierarchy.levels import HierarchyLevel
from analyzer.frontends.puppet.hiera.interpolation import value_in
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.sources.files import Warn, names_to_strings
from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value
from analyzer.reading import read_text

UNDEFINED = re.compile(r"^Undefined variable '([^']+)'", re.M)


def as_written(datadir: str) -> str:
    """Return a datadir unchanged."""
    return datadir


@dataclass
class HieraConfig:
    """A checked configuration of one layer.

    `layer` is `global`, `environment` or `module`; `path` None when there is no file. `place`
    returns the folder that stands for a datadir here. `elsewhere` gets folders that levels of the
    environment have, and the checkout has not, by level.
    """

    root: str
    path: str | None
    data: JsonObject
    layer: str
    warn: Warn
    version: ClassVar[int] = 0
    place: Callable[[str], str] = field(default_factory=lambda: as_written, init=False)
    elsewhere: dict[str, str] = field(default_factory=dict, init=False)
    _levels: dict[bool, list[HierarchyLevel]] = field(default_factory=dict, init=False)
    _variables: list[tuple[str, Value]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.data = self.check(names_to_strings(self.data))

    @property
    def has_default_hierarchy(self) -> bool:
        """Return whether there are default levels, for keys found nowhere else."""
        return False

    def check(self, data: dict[str, object]) -> dict[str, object]:
        """Return the configuration with its defaults, or a HieraError."""
        raise NotImplementedError

    def make_levels(self, invocation: Invocation, default: bool) -> list[HierarchyLevel]:
        """Return the levels of the hierarchy, or of the default one."""
        raise NotImplementedError

    def levels(self, invocation: Invocation, default: bool = False) -> list[HierarchyLevel]:
        """Return the levels, made anew when a variable they depend on has changed."""
        if not self._levels or not self._stable(invocation):
            # As in Puppet, a fresh invocation: without the state of the lookup around it.
            collecting = Invocation(
                invocation.scope,
                invocation.find,
                strict=invocation.strict,
                strict_paths=invocation.strict_paths,
                warn=invocation.warn,
                remembered=[],
                expressions={},
            )
            self._levels = {False: self._made(collecting, False)}
            if self.has_default_hierarchy:
                self._levels[True] = self._made(collecting, True)
            # Many paths ask for the same few variables.
            self._variables = list(dict(collecting.remembered or []).items())
            # A value of a variable may name others.
            levels = [level.readings for one in self._levels.values() for level in one]
            named = {name for one in levels for name in one.all_names()}
            for one in levels:
                one.always += [name for name, _ in self._variables if name not in named]
        return self._levels.get(default, [])

    def _made(self, invocation: Invocation, default: bool) -> list[HierarchyLevel]:
        try:
            return self.make_levels(invocation, default)
        except (HieraError, RubyFault) as error:
            undefined = UNDEFINED.search(str(error))
            if isinstance(error, LookupFault) and error.issue and error.file is None:
                raise self.fault(error.message) from None
            if undefined is None:
                raise
            name = undefined[1]
            line = self.find_line(r"%\{['\"]?" + re.escape(name) + r"['\"]?\}")
            raise self.fault(f"Undefined variable '{name}'", line) from None

    def placed(self, datadir: Any) -> Any:
        """Return the folder that stands for a datadir, which may be Unknown."""
        return datadir if isinstance(datadir, Unknown) else self.place(datadir)

    def _stable(self, invocation: Invocation) -> bool:
        scope = invocation.scope
        return all(value_in(scope, key) == old for key, old in self._variables)

    def fault(self, message: str, line: int | None = None) -> LookupFault:
        """Return a fault of this configuration."""
        return issue(message, self.path, line)

    def find_line(self, pattern: str, start: int = 1) -> int | None:
        """Return the number of the first line, comments left out, with a match."""
        if self.path is None:
            return None
        for number, line in enumerate(read_text(self.path, "replace").split("\n"), 1):
            if number >= start and re.search(pattern, _without_comment(line)):
                return number
        return None

    def twice(self, what: str, name: str, pattern: str) -> LookupFault:
        """Return the fault of a name that two levels have."""
        first = self.find_line(pattern)
        second = self.find_line(pattern, first + 1) if first else None
        message = f"{what} '{name}' defined more than once."
        if second:
            message += f" First defined at (line: {first})"
        return self.fault(message, second or first)


def _without_comment(line: str) -> str:
    quote = ""
    for index, char in enumerate(line):
        if char in "\"'":
            quote = "" if char == quote else quote or char
        elif char == "#":
            # Quotes are counted in Puppet too, but a hash mark within them ends the line as well.
            return line[:index]
    return line


def deprecation(path: str, version: int) -> str:
    """Return Puppet's warning of an old version."""
    return (
        f"{path}: Use of 'hiera.yaml' version {version} is deprecated."
        " It should be converted to version 5"
    )
