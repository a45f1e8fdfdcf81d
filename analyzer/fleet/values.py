"""The values of a fleet: nodes, and the small canonical results of looking at one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Protocol

from analyzer.diagnostics import Severity
from analyzer.fleet.fold import filled, kind_of
from analyzer.model.catalog import Catalog


@dataclass(frozen=True, slots=True)
class IndexedNode:
    """A node of a source's index.

    `key` is unique in the source: the name of the node, or the path of its file. `hash` changes
    whenever the catalog may have changed, `time` is when it was made (ISO 8601), if known.
    """

    key: str
    hash: str
    environment: str = ""
    time: str = ""


class CatalogSource(Protocol):
    """A place that has catalogs; a picklable value, because workers fetch for themselves."""

    @property
    def name(self) -> str:
        """Return the user's name of the source, without secrets; the history is kept by it."""

    def index(self) -> Iterable[IndexedNode]:
        """Yield the nodes.

        Raises:
            InputError: the source cannot be read.
        """

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
        """Yield the catalog of each node, or why there is none, in any order."""


class FleetQuestion(Protocol):
    """A question about one catalog; a picklable value with all its options.

    `by_content`: nodes with equal catalogs have equal answers, so that they share one.
    """

    @property
    def by_content(self) -> bool:
        """Return whether the answer depends on the catalog alone."""

    @property
    def key(self) -> str:
        """Return a text that changes with everything but the catalog that the answer depends on."""

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the answer for the node of a name, folded."""


@dataclass(frozen=True, slots=True)
class CauseStatement:
    """A statement of a cause.

    `file` is the path that the catalog has, `relative` the path in the environment. `phrase` holds
    places (`fold.place`) for `names`: references or titles of the node, folded.
    """

    file: str
    line: int
    phrase: str
    names: tuple[str, ...]
    relative: str

    @property
    def key(self) -> tuple[str, int, str, tuple[str, ...]]:
        """Return the key of the same statement in other catalogs: titles only if it has no
        place.
        """
        names = tuple(map(kind_of, self.names)) if self.line else self.names
        return self.relative, self.line, self.phrase, names

    @property
    def text(self) -> str:
        """Return the statement in words."""
        return filled(self.phrase, self.names)

    def merged(self, other: CauseStatement) -> CauseStatement:
        """Return the part that this shares with the same statement of another catalog."""
        if self == other:
            return self
        pairs = zip(self.names, other.names, strict=True)
        names = tuple(a if a == b else kind_of(a) for a, b in pairs)
        file = self.file if self.file == other.file else self.relative
        return replace(self, names=names, file=file)


@dataclass(frozen=True, slots=True)
class AnswerOfCatalog:
    """The answer to a question about one catalog.

    `unknown` says what may be missing, `lacks` which resource of the question does not exist.
    """

    occurrences: tuple[Occurrence, ...]
    unknown: tuple[str, ...] = ()
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A cause, as it is seen in one node; `path` are the references that show it there.

    `seconds` is what the question measures of it.
    """

    code: str
    severity: Severity
    statements: tuple[CauseStatement, ...]
    path: tuple[str, ...]
    seconds: float = 0.0

    @property
    def key(self) -> tuple[object, ...]:
        """Return the identity of the cause: the rule and the set of its statements."""
        return self.code, tuple(sorted({statement.key for statement in self.statements}))

    @property
    def identity(self) -> str:
        """Return the key as a short text that is the same in every run."""
        return sha256(repr(self.key).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ResultOfNode:
    """The answer for one node: small, canonical and picklable.

    `name` is what the catalog calls the node, `made` when it was made, in seconds. In the texts of
    occurrences, the name is replaced (`fold.NODE`), so that equal nodes have equal results.
    `unknown` says what is not known of the catalog, `lacks` which resource of the question it does
    not have, `failed` why there is no answer, `reads` for which manifests its compile looked.
    """

    name: str
    content: str = ""
    resources: int = 0
    occurrences: tuple[Occurrence, ...] = ()
    unknown: tuple[str, ...] = ()
    failed: str = ""
    lacks: str = ""
    made: float = 0.0
    reads: tuple[str, ...] = ()


def occurrence_text(one: Occurrence) -> str:
    """Return an occurrence as JSON, without the node's name."""
    rows = [statement_row(statement) for statement in one.statements]
    row = [one.code, one.severity, one.path, rows, one.seconds]
    return json.dumps(row, separators=(",", ":"))


def occurrence_of(text: str) -> Occurrence:
    """Return the occurrence that `occurrence_text` wrote."""
    code, severity, path, rows, seconds = json.loads(text)
    return Occurrence(code, severity, tuple(map(statement_of, rows)), tuple(path), seconds)


def statement_row(one: CauseStatement) -> list[object]:
    """Return a statement in JSON's types."""
    return [one.file, one.line, one.phrase, one.names, one.relative]


def statement_of(row: Iterable[Any]) -> CauseStatement:
    """Return a statement that `statement_row` wrote."""
    file, line, phrase, names, relative = row
    return CauseStatement(file, line, phrase, tuple(names), relative)
