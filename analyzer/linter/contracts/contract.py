"""Reads contracts from `catgraph.toml`, and checks their keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from analyzer.config import Config
from analyzer.config.keys import texts
from analyzer.diagnostics import InputError, Severity
from analyzer.linter.contracts.patterns import ClassPattern, Pattern, pattern_of
from analyzer.model.documents import JsonObject
from analyzer.source import Span

# The keys of every contract.
COMMON = frozenset({"name", "type", "code", "severity", "help", "ignore"})


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a contract type: all of `needed`, exactly one of `either`, any of `optional`."""

    needed: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


UNITS = ("classes", "modules")
INDIRECT = ("allow_indirect",)
TYPES = {
    "layers": Keys(("layers",), optional=INDIRECT),
    "independence": Keys(either=UNITS, optional=INDIRECT),
    "forbidden": Keys(("source", "target"), optional=INDIRECT),
    "acyclic": Keys(either=UNITS),
    "requires": Keys(("classes",), ("requires", "subscribes")),
}

# The most entries of a list, and the most characters of an entry.
MOST_ENTRIES, LONGEST = 200, 200

ARROW = "->"

# A name in a layer, its place in the entry, and the place of the entry in the table.
Layered = tuple[ClassPattern, int, tuple[str | int, ...]]


@dataclass(frozen=True, slots=True)
class Ignored:
    """An entry of `ignore`: its text and place, and the patterns of both sides.

    An entry without an arrow, which accepts a class of a `requires` contract, has the same pattern
    on both sides.
    """

    text: str
    span: Span
    source: Pattern
    target: Pattern


@dataclass(frozen=True, slots=True)
class Named:
    """A name that a contract is about: its text and place, and its pattern."""

    text: str
    span: Span
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract; lists that its type does not use are empty.

    `layers` are lists of siblings, which are independent of each other. `others` are the targets
    that a source must not precede, or the alternatives of a requirement. `names` are all names
    except those of a requirement.
    """

    code: str
    name: str
    type: str
    severity: Severity
    help: str
    span: Span
    patterns: tuple[Pattern, ...] = ()
    layers: tuple[tuple[ClassPattern, ...], ...] = ()
    others: tuple[Pattern, ...] = ()
    events: bool = False
    of_modules: bool = False
    allow_indirect: bool = True
    ignore: tuple[Ignored, ...] = ()
    names: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class ContractTable:
    """One `[[contracts]]` table of a configuration, by its number."""

    config: Config
    number: int

    @property
    def row(self) -> JsonObject:
        """Return the keys and values of the table."""
        return self.config.contracts[self.number]

    def patterns(self, key: str, *, references: bool = False) -> tuple[Pattern, ...]:
        """Return the patterns of a list.

        Raises:
            InputError: an entry is not a pattern.
        """
        return tuple(self.pattern(text, 0, *at, references=references) for text, at in self.of(key))

    def of(self, key: str) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Yield the strings of a key, each with its place in the table.

        Raises:
            InputError: there are too many, or one is too long.
        """
        value = self.row.get(key, ())
        if len(texts(value)) > MOST_ENTRIES:
            said = f"'{key}' has more than {MOST_ENTRIES} entries"
            raise self.config.wrong(said, "contracts", self.number, key)
        for place, text in enumerate(texts(value)):
            at = (key,) if isinstance(value, str) else (key, place)
            if len(text) > LONGEST:
                said = f"an entry has more than {LONGEST} characters"
                raise self.wrong_in(said, 0, *at)
            yield text, at

    def pattern(self, text: str, start: int, *at: str | int, references: bool = False) -> Pattern:
        """Return the pattern in a part of an entry; `start` is its place in the entry.

        Raises:
            InputError: it is not a pattern, or it is a reference where only classes are allowed.
        """
        found = pattern_of(text)
        if isinstance(found, ClassPattern) or (found is not None and references):
            return found
        wanted = "the name of a class such as profile::web, with * for any text and ** for any"
        wanted += " parts" + (", or a reference such as Service[ntp]" if references else "")
        said = f"'{text}' is not a pattern of classes: write {wanted}"
        raise self.wrong_in(said, start, *at)

    def wrong(self, message: str, *steps: str | int) -> InputError:
        """Return an error about the contract."""
        return self.config.wrong(message, "contracts", self.number, *steps)

    def wrong_in(self, message: str, number: int, *steps: str | int) -> InputError:
        """Return an error about a character of an entry."""
        return self.config.wrong_in(message, number, "contracts", self.number, *steps)

    def span(self, number: int, *steps: str | int) -> Span:
        """Return the place of a character of an entry."""
        return self.wrong_in("", number, *steps).span


def contract_of(config: Config, number: int, code: str) -> Contract:
    """Read a contract.

    Raises:
        InputError: a key is missing, or is not one of the type.
    """
    table = ContractTable(config, number)
    row = table.row
    for key in ("name", "type"):
        if key not in row:
            raise table.wrong(f"a contract needs '{key}'")
    kind = row["type"]
    check_keys(table, TYPES[kind])
    required = kind == "requires"
    patterns = table.patterns("classes", references=required) or table.patterns("source")
    layers = tuple(layers_of(table))
    if "modules" in row:
        patterns = table.patterns("modules")
        check_modules(table, patterns)
    elif kind == "acyclic" and not patterns:
        patterns = (ClassPattern("*", ("*",)),)
    others = (
        table.patterns(key, references=required) for key in ("target", *TYPES["requires"].either)
    )
    return Contract(
        code,
        row["name"],
        kind,
        cast("Severity", row.get("severity", "error")),
        row.get("help", ""),
        config.span("contracts", number),
        patterns,
        tuple(tuple(one for one, _, _ in siblings) for siblings in layers),
        next(filter(None, others), ()),
        "subscribes" in row,
        "modules" in row,
        row.get("allow_indirect", True),
        tuple(ignored_of(table, arrow=not required)),
        tuple(names_of(table, required)),
    )


def check_keys(table: ContractTable, keys: Keys) -> None:
    """Check that a contract has the keys of its type, and no others.

    Raises:
        InputError: a key is missing, or belongs to another type.
    """
    kind, row = table.row["type"], table.row
    own = {*keys.needed, *keys.either, *keys.optional}
    for key in row:
        if key not in COMMON | own:
            listed = ", ".join(sorted(own))
            raise table.wrong(f"a contract of type '{kind}' has no '{key}'; it has {listed}", key)
    for key in keys.needed:
        if not row.get(key):
            raise table.wrong(f"a contract of type '{kind}' needs '{key}'")
    given = [key for key in keys.either if row.get(key)]
    if len(given) > 1 or (keys.either and not given and kind != "acyclic"):
        wanted = " and ".join(map(repr, keys.either))
        raise table.wrong(f"a contract of type '{kind}' needs one of {wanted}")


def check_modules(table: ContractTable, patterns: tuple[Pattern, ...]) -> None:
    """Check that patterns are names of modules.

    Raises:
        InputError: a pattern has several parts.
    """
    for number, pattern in enumerate(patterns):
        if isinstance(pattern, ClassPattern) and len(pattern.parts) > 1:
            said = f"'{pattern.text}' is not the name of a module; use 'classes' for classes"
            raise table.wrong(said, "modules", number)


def layers_of(table: ContractTable) -> list[tuple[Layered, ...]]:
    """Return the layers, each with its siblings.

    Raises:
        InputError: a name is not valid, or occurs twice.
    """
    found: list[tuple[Layered, ...]] = []
    known: set[tuple[str, ...]] = set()
    for text, at in table.of("layers"):
        siblings, start = [], 0
        for part in text.split("|"):
            indent = start + len(part) - len(part.lstrip())
            one = cast("ClassPattern", table.pattern(part.strip(), indent, *at))
            if one.parts in known:
                said = f"'{one.text}' is in two layers, or twice in one"
                raise table.wrong_in(said, indent, *at)
            known.add(one.parts)
            siblings.append((one, indent, at))
            start += len(part) + 1
        found.append(tuple(siblings))
    return found


def names_of(table: ContractTable, references: bool) -> Iterator[Named]:
    """Yield the names in a contract."""
    for key in (*UNITS, "source", "target"):
        for text, at in table.of(key):
            pattern = table.pattern(text, 0, *at, references=references)
            yield Named(text, table.span(0, *at), pattern)
    for siblings in layers_of(table):
        for name, start, at in siblings:
            yield Named(name.text, table.span(start, *at), name)


def ignored_of(table: ContractTable, *, arrow: bool) -> Iterator[Ignored]:
    """Yield the entries of `ignore`.

    Raises:
        InputError: an entry lacks a required arrow, or a side is not a pattern.
    """
    for text, at in table.of("ignore"):
        span = table.config.span("contracts", table.number, *at)
        if not arrow:
            found = table.pattern(text.strip(), 0, *at, references=True)
            yield Ignored(text, span, found, found)
            continue
        source, found_arrow, target = text.partition(ARROW)
        if not found_arrow:
            said = f"'{text}' is not an edge: write 'profile::a -> profile::b'"
            raise table.wrong_in(said, 0, *at)
        start = len(source) + len(ARROW) + len(target) - len(target.lstrip())
        yield Ignored(
            text,
            span,
            table.pattern(source.strip(), 0, *at, references=True),
            table.pattern(target.strip(), start, *at, references=True),
        )
