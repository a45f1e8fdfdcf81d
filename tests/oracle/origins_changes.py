"""Changes of the inputs of a compile: a literal of the code, a fact, a value of Hiera's data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path as FilePath
from random import Random
from typing import TYPE_CHECKING, Any

from analyzer.formats.yaml_lines import Path, path_at
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.origins.subjects import key_at
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.worlds.expressions import children

from .origins_facts import FactChange, Texts, facts_in, facts_of, part_of, unlike
from .origins_texts import MOST_OTHERS, VERSION, VERSIONS, changed_text, other_texts

if TYPE_CHECKING:
    from .origins_sets import Arms, Origins

Place = tuple[str, int]
CHANGED = (a.LiteralString, a.LiteralInteger, a.LiteralBoolean)
TEXTS = (a.ConcatenatedString, a.HeredocExpression)
# The last part of a line of YAML that is a scalar.
SCALAR = re.compile(r"^(\s*(?:- +)*(?:[\w'\":.]+:\s+)?)(['\"]?)([\w./:-]*\w)\2\s*$")
# Facts that code compares with: a literal that becomes the value of one may decide something.
COMPARED_FACTS = (
    "os.family", "os.name", "os.release.major", "os.release.full", "os.distro.codename",
    "os.architecture", "kernel", "virtual", "networking.hostname",
)  # fmt: skip


def with_other_facts(
    change: LiteralChange | DataChange, path: str, others: Iterable[Settings]
) -> Iterator[Settings]:
    """Yield settings in turn as they are, and with the change made in its first way."""
    for there in others:
        yield there
        for made, _ in islice(change.ways(path, there, ()), 1):
            yield made


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

    @property
    def is_quoted(self) -> bool:
        """Return whether it is a text by itself, and no part of one."""
        return self.others[0][:1] == "'"

    def takes(self, aim: str) -> bool:
        """Return whether it may become a text that is compared with."""
        if self.is_quoted:
            return not {"'", "\\"} & set(aim)
        return self.others[0].isdigit() and aim.isdigit()

    def ways(
        self, path: str, settings: Settings, aims: Sequence[str]
    ) -> Iterator[tuple[Settings, int]]:
        """Make the change in each way; yield the settings, and by how much what follows moves."""
        text = FilePath(self.file).read_text()
        aimed = [f"'{one}'" if self.is_quoted else one for one in aims if self.takes(one)]
        head, tail = text[: self.offset], text[self.offset + self.length :]
        own = text[self.offset : self.offset + self.length]
        for made in dict.fromkeys([*self.others, *aimed]):
            if made == own:
                continue
            try:
                FilePath(self.file).write_text(head + made + tail)
                yield settings, len(made) - self.length
            finally:
                FilePath(self.file).write_text(text)

    def elsewhere(
        self, path: str, settings: Settings, facts: Sequence[str], aims: Sequence[str]
    ) -> Iterator[Settings]:
        """Yield settings with other facts in turn as they are, and with the change made."""
        return with_other_facts(self, path, unlike(settings, facts, aims))

    def unmoved(self, taken: Arms, moved: int) -> Arms:
        """Return the arms by the places before the change."""
        return {
            (file, at - moved if file == self.file and at > self.offset else at): arms
            for (file, at), arms in taken.items()
        }


@dataclass(frozen=True, slots=True)
class DataChange:
    """Another scalar in a file of Hiera's data, on a line that belongs to a key."""

    file: str
    line: int
    key: str
    made: str
    path: Path
    row: tuple[str, str, str]

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

    def ways(
        self, path: str, settings: Settings, aims: Sequence[str]
    ) -> Iterator[tuple[Settings, int]]:
        """Make the change in each way; yield the settings."""
        text = FilePath(self.file).read_text()
        head, own, tail = self.row
        aimed = [one for one in aims if re.fullmatch(r"[\w./:-]*\w", one) and one != own]
        for made in dict.fromkeys([self.made, *aimed]):
            lines = text.split("\n")
            lines[self.line - 1] = f"{head}{made}{tail}"
            try:
                FilePath(self.file).write_text("\n".join(lines))
                yield settings, 0
            finally:
                FilePath(self.file).write_text(text)

    def elsewhere(
        self, path: str, settings: Settings, facts: Sequence[str], aims: Sequence[str]
    ) -> Iterator[Settings]:
        """Yield settings with other facts in turn as they are, and with the change made."""
        return with_other_facts(self, path, unlike(settings, facts, aims))

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
        if not in_text:
            others += other_texts(own)
            # What is tested for being set or true, or compared with one of these.
            others += ["undef", "true", "false"] if siblings is None else []
        ways = tuple(dict.fromkeys([made, *others]))
        yield LiteralChange(file, node.offset, node.length, place, siblings is not None, ways)


def data_in(file: str, random: Random) -> Iterator[DataChange]:
    """Yield the changes of the scalars of a file of data."""
    text = FilePath(file).read_text()
    for number, line in enumerate(text.split("\n"), 1):
        match = SCALAR.match(line)
        key = key_at(text, number, json=False) if match else None
        made = changed_text(match[3], random) if match else None
        path = path_at(text, number) if made else None
        if match and key and made and key != "lookup_options":
            inner = path[1:] if path and path[0] == key else ()
            row = (f"{match[1]}{match[2]}", match[3], match[2])
            yield DataChange(file, number, key, made, inner, row)
