"""Changes of the inputs of a compile: a literal of the code, a fact, a value of Hiera's data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path as FilePath
from random import Random
from typing import TYPE_CHECKING, Any

from analyzer.formats.yaml_lines import Path, path_at
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.frontends.puppet.node.typical import typical_facts
from analyzer.frontends.puppet.origins.subjects import key_at
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.worlds.expressions import children
from analyzer.frontends.puppet.worlds.program import USUAL
from analyzer.model.certnames import EXAMPLE_NODE

if TYPE_CHECKING:
    from .origins_law import Arms, Origins

Place = tuple[str, int]
CHANGED = (a.LiteralString, a.LiteralInteger, a.LiteralBoolean)
TEXTS = (a.ConcatenatedString, a.HeredocExpression)
# The last part of a line of YAML that is a scalar.
SCALAR = re.compile(r"^(\s*(?:- +)*(?:[\w'\":.]+:\s+)?)(['\"]?)([\w./:-]*\w)\2\s*$")
QUOTED = re.compile(r"'([^'\\]*)'")
VERSION = re.compile(r"[0-9][0-9.]*\Z")
# Versions that are less and greater than others.
VERSIONS = ("'0'", "'9999'")
# The other literals that one is replaced with, and other values of a fact; most are never tried, as
# the ways end once everything in question has changed.
MOST_OTHERS = 10
# Facts that code compares with: a literal that becomes the value of one may decide something.
COMPARED_FACTS = (
    "os.family", "os.name", "os.release.major", "os.release.full", "os.distro.codename",
    "os.architecture", "kernel", "virtual", "networking.hostname",
)  # fmt: skip


def changed_text(written: str, random: Random) -> str | None:
    """Return another text of the same kind, None if there is none."""
    if written in ("true", "false"):
        return "false" if written == "true" else "true"
    if written.isdigit():
        return str((int(written) + 1) % 10 ** len(written)).rjust(len(written), "1")
    end = -1 if written[:1] in ("'", '"') else len(written)
    if len(written) < 3 - 2 * (end > 0) or not written[:end][-1:].isalnum():
        return None
    made = written[:end][:-1] + random.choice("qxz") + written[end:]
    return None if made == written else made


@dataclass(frozen=True, slots=True)
class LiteralChange:
    """Another literal: its file, where it is, and the place that counts: of the text around it.

    `is_key`: it is the key of an entry of a hash.
    """

    file: str
    offset: int
    length: int
    place: Place
    is_key: bool
    others: tuple[str, ...]

    @property
    def label(self) -> str:
        """Return its place in words."""
        return f"{self.file}:{self.place[1]}"

    def is_in(self, origins: Origins) -> bool:
        """Return whether a set has the place."""
        return self.place in origins.places

    def reason(self, origins: Origins) -> str:
        """Return why a value may stay the same."""
        if self.place in origins.tested:
            return "compared in a test that ends alike"
        # It would decide if it became the key that is asked for.
        return "the key of another element" if self.is_key else ""

    def ways(self, path: str, settings: Settings) -> Iterator[tuple[Settings, int]]:
        """Make the change in each way; yield the settings, and by how much what follows moves."""
        text = FilePath(self.file).read_text()
        for made in self.others:
            head, tail = text[: self.offset], text[self.offset + self.length :]
            try:
                FilePath(self.file).write_text(head + made + tail)
                yield settings, len(made) - self.length
            finally:
                FilePath(self.file).write_text(text)

    def unmoved(self, taken: Arms, moved: int) -> Arms:
        """Return the arms by the places before the change."""
        return {
            (file, at - moved if file == self.file and at > self.offset else at): arms
            for (file, at), arms in taken.items()
        }


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

    def ways(self, path: str, settings: Settings) -> Iterator[tuple[Settings, int]]:
        """Yield the settings with each of the other values."""
        for value in self.values:
            facts = at = facts_of(settings)
            *keys, last = self.name.split(".")
            for key in keys:
                at[key] = dict(at[key])
                at = at[key]
            at[last] = value
            yield replace(settings, facts=(), fact_values=facts, typical=True), 0

    def unmoved(self, taken: Arms, moved: int) -> Arms:
        """Return the arms."""
        return taken


@dataclass(frozen=True, slots=True)
class DataChange:
    """Another scalar in a file of Hiera's data, on a line that belongs to a key."""

    file: str
    line: int
    key: str
    made: str
    path: Path

    @property
    def label(self) -> str:
        """Return its place in words."""
        return f"{self.file}:{self.line} {self.key}"

    def is_in(self, origins: Origins) -> bool:
        """Return whether a set has the key of the file."""
        real = os.path.realpath(self.file)
        return any(
            place.key == self.key
            and os.path.realpath(str(place.file)) == real
            and not place.is_shape
            and (
                self.path[: len(place.path)] == place.path
                or place.path[: len(self.path)] == self.path
            )
            for place in origins.data
        )

    def reason(self, origins: Origins) -> str:
        """Return why a value may stay the same."""
        return "another element of data" if self.path else ""

    def ways(self, path: str, settings: Settings) -> Iterator[tuple[Settings, int]]:
        """Make the change; yield the settings."""
        text = FilePath(self.file).read_text()
        lines = text.split("\n")
        lines[self.line - 1] = self.made
        try:
            FilePath(self.file).write_text("\n".join(lines))
            yield settings, 0
        finally:
            FilePath(self.file).write_text(text)

    def unmoved(self, taken: Arms, moved: int) -> Arms:
        """Return the arms."""
        return taken


def is_start(path: Path, start: Path) -> bool:
    """Return whether a path begins with another."""
    return path[: len(start)] == start


Changes = LiteralChange | FactChange | DataChange


def changes_of(
    path: str, settings: Settings, files: list[str], random: Random
) -> Iterator[Changes]:
    """Yield the changes of the literals of some files, of facts, and of the data below a path."""
    facts = facts_of(settings)
    usual = [repr(one) for name in COMPARED_FACTS if (one := part_of(facts, name)) is not None]
    texts: list[str] = []
    for file in files:
        if file.startswith(path) and file.endswith(".pp"):
            for one in literals_in(file, FilePath(file).read_text(), random, usual):
                texts += [text.strip("'") for text in one.others if text[:1] == "'"]
                yield one
    files_of_data = sorted(FilePath(path).rglob("*.yaml"))
    for one in files_of_data:
        texts += [one.stem, *one.stem.split("-")]
    yield from facts_in(facts, (), random, Texts(sorted(set(texts)), files))
    for one in files_of_data:
        if {"data", "hieradata", "hiera"} & set(one.relative_to(path).parts[:-1]):
            yield from data_in(str(one), random)


def part_of(facts: dict[str, Any], name: str) -> Any:
    """Return a part of the facts by its name with dots, None if there is none."""
    at: Any = facts
    for key in name.split("."):
        at = at.get(key) if isinstance(at, dict) else None
    return at


def literals_in(
    file: str, text: str, random: Random, usual: Sequence[str] = ()
) -> Iterator[LiteralChange]:
    """Yield the changes of the literals of a manifest, but not of types.

    A text may also become a `usual` one.
    """
    pending: list[tuple[Any, Place | None, tuple[str, ...]]] = [(parse(text, file).body, None, ())]
    keys: dict[Place, tuple[str, ...]] = {}
    found: list[tuple[Any, Place]] = []

    def written(node: Any) -> str:
        return text[node.offset : node.offset + node.length]

    while pending:
        node, around, _ = pending.pop()
        if type(node) is a.LiteralHash:
            names = tuple(written(entry.key) for entry in node.entries)
            keys |= {(file, entry.key.offset): names for entry in node.entries}
        if type(node) in CHANGED and node.length > 0:
            found.append((node, around or (file, node.offset)))
        if type(node) in TEXTS:
            around = around or (file, node.offset)
        inner = [one for one in children(node) if one is not getattr(node, "type_expr", None)]
        # What stands in `${}` is no text.
        inside = around if type(node) in (*TEXTS, *CHANGED) else None
        pending += [(one, inside, ()) for one in inner]
    for node, place in found:
        own = written(node)
        made = changed_text(own, random)
        if made is None:
            continue
        siblings = keys.get((file, node.offset))
        alike = [written(one) for one, at in found if type(one) is type(node)]
        in_text = place != (file, node.offset)
        others = [] if in_text else [one for one in siblings or alike if one != own]
        others = random.sample(others, min(MOST_OTHERS, len(others)))
        if not in_text and siblings is None and own[:1] == "'":
            is_version = VERSION.match(own.strip("'")) is not None
            others += [one for one in (*(VERSIONS if is_version else ()), *usual) if one != own]
        ways = tuple(dict.fromkeys([made, *others]))
        yield LiteralChange(file, node.offset, node.length, place, siblings is not None, ways)


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


def data_in(file: str, random: Random) -> Iterator[DataChange]:
    """Yield the changes of the scalars of a file of data."""
    text = FilePath(file).read_text()
    for number, line in enumerate(text.split("\n"), 1):
        match = SCALAR.match(line)
        key = key_at(text, number, json=False) if match else None
        made = changed_text(match[3], random) if match else None
        path = path_at(text, number) if made else None
        if match and key and made and key != "lookup_options":
            row = f"{match[1]}{match[2]}{made}{match[2]}"
            yield DataChange(file, number, key, row, path[1:] if path and path[0] == key else ())
