"""Puts the occurrences of one cause together, whatever the order in which nodes come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256

from analyzer.diagnostics import RANK, Severity
from analyzer.fleet.fold import generic, unfold
from analyzer.fleet.values import Occurrence, Result, Statement

# Occurrences that are remembered, so that the same object is merged once.
REMEMBERED = 200_000

# The key of a statement.
Place = tuple[str, int, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause with its nodes, sorted; `example` is the first of them, `path` as it is there."""

    identity: str
    code: str
    severity: Severity
    statements: tuple[Statement, ...]
    nodes: tuple[str, ...]
    example: str
    path: tuple[str, ...]

    @property
    def title(self) -> str:
        """Return the first statement in words."""
        return text_of(self.statements[0]) if self.statements else self.code


def text_of(statement: Statement) -> str:
    """Return a statement for all nodes that have it."""
    return generic(statement.text)


@dataclass(frozen=True, slots=True)
class Failure:
    """A node without an answer, or with one that may lack something (`incomplete`)."""

    node: str
    reason: str
    incomplete: bool = False


@dataclass(slots=True)
class Group:
    """A cause while nodes are added; `keys` are theirs, `first` the lowest key and its
    occurrence.
    """

    first: tuple[tuple[str, str], Occurrence]
    merged: dict[Place, Statement]
    severity: Severity
    keys: list[str] = field(default_factory=list)


class Causes:
    """Collects results; what it keeps of a node is its name."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.groups: dict[object, Group] = {}
        self.failures: list[tuple[str, str, bool]] = []
        self.seen: dict[int, tuple[Occurrence, Group]] = {}
        # Nodes without the resource that the question names, and the words about it.
        self.lacking = 0
        self.lacks = ""

    def add(self, key: str, result: Result, *, shared: bool = False) -> None:
        """Add the result of the node with a key; `shared`: equal occurrences are one object."""
        self.names[key] = result.name
        if result.failed:
            self.failures.append((key, result.failed, False))
        elif result.unknown:
            self.failures.append((key, "; ".join(result.unknown), True))
        if result.lacks:
            self.lacking += 1
            self.lacks = min(self.lacks or result.lacks, result.lacks)
        for occurrence in result.occurrences:
            self._join(key, (result.name, key), occurrence, shared)

    def _join(self, key: str, rank: tuple[str, str], one: Occurrence, shared: bool) -> None:
        # What was merged once needs no merging again.
        found = self.seen.get(id(one)) if shared else None
        group = found[1] if found else self._merged(rank, one)
        if shared and found is None and len(self.seen) < REMEMBERED:
            self.seen[id(one)] = one, group
        if (rank, one.path) < (group.first[0], group.first[1].path):
            group.first = rank, one
        if not group.keys or group.keys[-1] != key:
            group.keys.append(key)

    def _merged(self, rank: tuple[str, str], one: Occurrence) -> Group:
        """Return the group of an occurrence, with its statements merged in."""
        statements = {statement.key: statement for statement in one.statements}
        identity = one.key
        group = self.groups.get(identity)
        if group is None:
            group = self.groups[identity] = Group((rank, one), statements, one.severity)
            return group
        for place, statement in statements.items():
            group.merged[place] = group.merged[place].merged(statement)
        group.severity = min(group.severity, one.severity, key=RANK.__getitem__)
        return group

    def shown_names(self) -> dict[str, str]:
        """Return the name of each node by its key; nodes with one name show their keys too."""
        count: dict[str, int] = {}
        for name in self.names.values():
            count[name] = count.get(name, 0) + 1
        return {
            key: name if count[name] == 1 or key == name else f"{name} ({key})"
            for key, name in self.names.items()
        }

    def causes(self) -> list[Cause]:
        """Return the causes: by severity, then the one of most nodes first."""
        shown = self.shown_names()
        found = [self._cause(group, shown) for group in self.groups.values()]
        return sorted(found, key=lambda c: (RANK[c.severity], -len(c.nodes), c.code, c.identity))

    def together(self) -> list[Cause]:
        """Return the causes, those of a difference that the same nodes have as one."""
        groups: dict[object, list[Cause]] = {}
        for cause in self.causes():
            key = cause.nodes if cause.code == "diff" else cause.identity
            groups.setdefault(key, []).append(cause)
        return [joined(group) for group in groups.values()]

    def _cause(self, group: Group, shown: dict[str, str]) -> Cause:
        (name, key), one = group.first
        return Cause(
            one.identity,
            one.code,
            group.severity,
            tuple(group.merged[place] for place in dict.fromkeys(s.key for s in one.statements)),
            tuple(sorted(shown[key] for key in group.keys)),
            shown[key],
            tuple(unfold(ref, name) for ref in one.path),
        )

    def failed(self) -> Iterator[Failure]:
        """Yield the nodes that there is no whole answer for, by name."""
        shown = self.shown_names()
        for key, reason, incomplete in sorted(self.failures, key=lambda row: shown[row[0]]):
            yield Failure(shown[key], reason, incomplete)


def joined(group: list[Cause]) -> Cause:
    """Return the differences of the same nodes as one, by place."""
    if len(group) == 1:
        return group[0]
    statements = sorted((s for cause in group for s in cause.statements), key=in_order)
    identity = sha256(" ".join(sorted(cause.identity for cause in group)).encode()).hexdigest()
    return replace(group[0], identity=identity[:16], statements=tuple(statements), path=())


def in_order(one: Statement) -> tuple[bool, str, int, str]:
    """Return the sort key of a difference: by place, those without one last."""
    return not one.line, one.relative, one.line, one.text
