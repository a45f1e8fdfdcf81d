"""Changes of facts: to those of other systems, and to texts that code compares with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path as FilePath
from random import Random
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.frontends.puppet.node.typical import typical_facts
from analyzer.frontends.puppet.worlds.program import PREFERRED, USUAL
from analyzer.model.certnames import EXAMPLE_NODE

from .origins_texts import MOST_OTHERS, VERSION, changed_text

if TYPE_CHECKING:
    from .origins_sets import Arms, Origins

# Facts that are changed so that something else may matter.
MOST_FACTS = 5
QUOTED = re.compile(r"'([^'\\]*)'")


@dataclass(frozen=True, slots=True)
class FactChange:
    """Other values of a fact, named with dots."""

    name: str
    values: tuple[Any, ...]

    @property
    def label(self) -> str:
        """Return its name."""
        return f"facts.{self.name}"

    def names_in(self, facts: Iterable[str]) -> bool:
        """Return whether facts have it, or a part of it, or are a part of it."""
        own = f"facts.{self.name}."
        return any(own.startswith(f"{one}.") or f"{one}.".startswith(own) for one in facts)

    def is_in(self, origins: Origins) -> bool:
        """Return whether a set has the fact."""
        return self.names_in(origins.facts)

    def reason(self, origins: Origins) -> str:
        """Return why a value may stay the same."""
        if self.names_in(origins.tested_facts):
            return "compared in a test that ends alike"
        return "a path of Hiera that leads to nothing" if self.names_in(origins.of_paths) else ""

    def ways(
        self, path: str, settings: Settings, aims: Sequence[str]
    ) -> Iterator[tuple[Settings, int]]:
        """Yield the settings with each of the other values."""
        own = part_of(facts_of(settings), self.name)
        aimed: list[Any] = [one for one in aims if isinstance(own, str)]
        if type(own) is int:
            aimed = [int(one) for one in aims if one.isdigit()]
        known = (own, *self.values)
        for value in [*self.values, *(one for one in aimed if one not in known)]:
            yield self.made(settings, value), 0

    def made(self, settings: Settings, value: Any) -> Settings:
        """Return settings with another value."""
        return with_fact(settings, self.name, value)

    def elsewhere(
        self, path: str, settings: Settings, facts: Sequence[str], aims: Sequence[str]
    ) -> Iterator[Settings]:
        """Yield in turn settings of another system, and these with the fact as it is here."""
        own = part_of(facts_of(settings), self.name)
        for system in PREFERRED:
            there = replace(settings, facts=(f"{MARK}{system}",))
            if part_of(facts_of(there), self.name) not in (None, own):
                yield there
                yield self.made(there, own)

    def unmoved(self, taken: Arms, moved: int) -> Arms:
        """Return the arms."""
        return taken


def part_of(facts: dict[str, Any], name: str) -> Any:
    """Return a part of the facts by its name with dots, None if there is none."""
    at: Any = facts
    for key in name.split("."):
        at = at.get(key) if isinstance(at, dict) else None
    return at


def with_fact(settings: Settings, name: str, value: Any) -> Settings:
    """Return settings with another value of a fact, named with dots."""
    facts = at = facts_of(settings)
    *keys, last = name.split(".")
    for key in keys:
        at[key] = dict(at[key])
        at = at[key]
    at[last] = value
    return replace(settings, facts=(), fact_values=facts, typical=True)


def unlike(settings: Settings, facts: Sequence[str], aims: Sequence[str]) -> Iterator[Settings]:
    """Yield settings with other facts: what something may compare them with, and other systems."""
    for name in facts[:MOST_FACTS]:
        own = part_of(facts_of(settings), name)
        for aim in aims[:MOST_OTHERS] if isinstance(own, str) else ():
            yield with_fact(settings, name, aim)
    families = {part_of(facts_of(settings), "os.family")}
    for system in PREFERRED:
        there = replace(settings, facts=(f"{MARK}{system}",))
        family = part_of(facts_of(there), "os.family")
        if family not in families:
            families.add(family)
            yield there


def facts_of(settings: Settings) -> dict[str, Any]:
    """Return the facts of the typical system of settings."""
    (system,) = settings.facts
    return dict(typical_facts(system.removeprefix(MARK), settings.node or EXAMPLE_NODE))


class Texts:
    """The texts that a fact may become: literals of the code, those beside its name first."""

    def __init__(self, every: Sequence[str], files: Sequence[str]) -> None:
        self.every = every
        read = [one for one in map(FilePath, files) if one.is_file()]
        self.lines = [
            line for one in read for line in one.read_text("utf-8", "replace").split("\n")
        ]

    def of(self, name: str, value: str, random: Random) -> list[str]:
        """Return some texts for a fact."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        near = [one for line in self.lines if word.search(line) for one in QUOTED.findall(line)]
        alike = [
            one for one in self.every if bool(VERSION.match(one)) == bool(VERSION.match(value))
        ]
        some = random.sample(alike, min(MOST_OTHERS, len(alike)))
        return list(dict.fromkeys([*near[: 2 * MOST_OTHERS], *some]))


def facts_in(
    facts: dict[str, Any], keys: tuple[str, ...], random: Random, texts: Texts
) -> Iterator[FactChange]:
    """Yield the changes of facts, and of the parts of facts: also to those of other systems.

    A text may also become one that is a literal of the code.
    """
    for key, value in facts.items():
        if "." in key:
            continue
        path = (*keys, key)
        if isinstance(value, dict):
            yield from facts_in(value, path, random, texts)
            continue
        made: Any = None
        if isinstance(value, (bool, int)):
            made = not value if isinstance(value, bool) else value + 1
        elif isinstance(value, str):
            made = changed_text(value, random)
        others = [one for one in elsewhere(path) if one != value][:MOST_OTHERS]
        if isinstance(value, str):
            others += [one for one in texts.of(key, value, random) if one != value]
        ways = [made] if made is not None else []
        if ways or others:
            yield FactChange(".".join(path), (*ways, *others))


@lru_cache(maxsize=1000)
def elsewhere(path: tuple[str, ...]) -> list[Any]:
    """Return the values that a fact has on usual systems."""
    found: list[Any] = []
    for system in USUAL:
        at: Any = typical(system)
        for key in path:
            at = at.get(key) if isinstance(at, dict) else None
        if isinstance(at, (str, int)) and at not in found:
            found.append(at)
    return found


@lru_cache(maxsize=10)
def typical(system: str) -> dict[str, Any]:
    """Return the facts of a typical system."""
    return typical_facts(system, EXAMPLE_NODE)
