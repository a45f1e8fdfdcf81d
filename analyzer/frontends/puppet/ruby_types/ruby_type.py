"""A type of resources as its Ruby file declares it (Puppet::Type)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

# The title is the only key (Puppet::Type.title_patterns).
WHOLE = "(?m-ix:(.*))"


class TitlePattern(NamedTuple):
    """A regular expression of Ruby for titles, and the attributes that its groups stand for."""

    pattern: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class RubyType:
    """The attributes, keys and titles of a type.

    `keys` are the attributes that together name a resource (key_attributes), in their order.
    `titles` are None where they or the keys cannot be read; then `unsure` says why. `open` says why
    there may be attributes that were not read, and is empty where all are known.
    """

    name: str
    parameters: frozenset[str] = frozenset()
    properties: frozenset[str] = frozenset()
    keys: tuple[str, ...] = ()
    titles: tuple[TitlePattern, ...] | None = ()
    isomorphic: bool = True
    refreshable: bool = False
    open: str = ""
    unsure: str = ""
    self_refresh: bool = False

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Return all parameters and properties that were read."""
        return self.parameters | self.properties

    @cached_property
    def sorted_keys(self) -> tuple[str, ...]:
        """Return the keys in the order of their names."""
        return tuple(sorted(self.keys))

    @property
    def second_name(self) -> str:
        """Return the only key, whose value finds a resource as its title does; else empty."""
        return self.keys[0] if len(self.keys) == 1 and self.isomorphic else ""

    @cached_property
    def sole_key(self) -> str:
        """Return the only key, where a title is its value as it stands; else empty."""
        plain = len(self.keys) == 1 and self.titles == whole_title(self.keys)
        return self.keys[0] if plain else ""


def whole_title(keys: tuple[str, ...]) -> tuple[TitlePattern, ...] | None:
    """Return the title patterns of a type without `title_patterns`, None if it needs them."""
    if len(keys) > 1:
        return None
    return (TitlePattern(WHOLE, keys),) if keys else ()
