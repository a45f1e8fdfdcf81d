"""Puts the occurrences of one cause together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from heapq import merge

from analyzer.diagnostics import RANK, Severity
from analyzer.fleet.fold import generic, unfold
from analyzer.fleet.ledger import Members, NodeLedger
from analyzer.fleet.values import CauseStatement, Occurrence, ResultOfNode

# Occurrences that are remembered, so that the same object is merged once.
REMEMBERED = 10_000

# The key of a statement.
Place = tuple[str, int, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ClusteredCause:
    """A cause with its nodes, by name; `example` is the first of them, `path` its path there.

    `seconds` are those of all nodes, where the question measures any. `lines` are the changed lines
    behind a difference, each with its place and its text, `places` those that new values come from.
    """

    identity: str
    code: str
    severity: Severity
    statements: tuple[CauseStatement, ...]
    nodes: Sequence[str]
    example: str
    path: tuple[str, ...]
    seconds: float = 0.0
    lines: tuple[tuple[str, str], ...] = ()
    places: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """Return the first statement in words."""
        return text_of(self.statements[0]) if self.statements else self.code


def text_of(statement: CauseStatement) -> str:
    """Return a statement for all nodes that have it."""
    return generic(statement.text)


@dataclass(frozen=True, slots=True)
class NodeFailure:
    """A node without an answer, or with one that may lack something (`incomplete`)."""

    node: str
    reason: str
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for no answer, or for one that may lack something, with its nodes by name."""

    reason: str
    incomplete: bool
    nodes: Sequence[str]


@dataclass(slots=True)
class CauseGroup:
    """A cause while nodes are added; `first` is the occurrence of the first of them."""

    first: Occurrence
    merged: dict[Place, CauseStatement]
    severity: Severity
    members: Members
    seconds: float = 0.0


class CauseCollector:
    """Collects results, which come by name; the names of their nodes are in a file.

    `affected` nodes have a cause; `lacking` ones lack the resource that the question names, which
    is what `lacks` says.
    """

    def __init__(self) -> None:
        self.ledger = NodeLedger()
        self.groups: dict[object, CauseGroup] = {}
        self.reasons: dict[tuple[str, bool], Members] = {}
        self.seen: dict[int, tuple[Occurrence, CauseGroup]] = {}
        self.affected = self.lacking = 0
        self.lacks = ""

    def add(self, key: str, result: ResultOfNode) -> None:
        """Add the result of the node with a key in the source."""
        number = self.ledger.add(result.name, key)
        if result.failed or result.unknown:
            reason = result.failed or "; ".join(result.unknown), not result.failed
            if reason not in self.reasons:
                self.reasons[reason] = Members(self.ledger)
            self.reasons[reason].add(number)
        if result.lacks:
            self.lacking += 1
            self.lacks = min(self.lacks or result.lacks, result.lacks)
        self.affected += bool(result.occurrences)
        for occurrence in result.occurrences:
            self._join(number, occurrence)

    def _join(self, number: int, one: Occurrence) -> None:
        # What was merged once needs no merging again.
        found = self.seen.get(id(one))
        group = found[1] if found else self._merged(one)
        if found is None:
            if len(self.seen) >= REMEMBERED:
                self.seen.clear()
            self.seen[id(one)] = one, group
        members = group.members
        if len(members) == 0 or (len(members) == 1 and members.last == number):
            group.first = min(group.first, one, key=lambda o: o.path)
        members.add(number)
        group.seconds += one.seconds

    def _merged(self, one: Occurrence) -> CauseGroup:
        """Return the group of an occurrence, with its statements merged in."""
        statements = {statement.key: statement for statement in one.statements}
        identity = one.key
        group = self.groups.get(identity)
        if group is None:
            group = CauseGroup(one, statements, one.severity, Members(self.ledger))
            self.groups[identity] = group
            return group
        for place, statement in statements.items():
            group.merged[place] = group.merged[place].merged(statement)
        group.severity = min(group.severity, one.severity, key=RANK.__getitem__)
        return group

    def causes(self) -> list[ClusteredCause]:
        """Return the causes: by severity, then the one of most nodes first."""
        found = map(self._cause, self.groups.values())
        return sorted(found, key=rank)

    def together(self) -> list[ClusteredCause]:
        """Return the causes, those of a difference that the same nodes have as one."""
        groups: dict[object, list[ClusteredCause]] = {}
        for cause in self.causes():
            whole = cause.code == "diff" and isinstance(cause.nodes, Members)
            key = cause.nodes.digest if whole else cause.identity  # type: ignore[attr-defined]
            groups.setdefault(key, []).append(cause)
        return [joined(group) for group in groups.values()]

    def _cause(self, group: CauseGroup) -> ClusteredCause:
        one, name = group.first, group.members[0]
        return ClusteredCause(
            one.identity,
            one.code,
            group.severity,
            tuple(group.merged[place] for place in dict.fromkeys(s.key for s in one.statements)),
            group.members,
            name,
            tuple(unfold(ref, name) for ref in one.path),
            group.seconds,
        )

    def failed(self) -> list[Reason]:
        """Return why there is no whole answer, the reason of most nodes first."""
        found = [Reason(*reason, members) for reason, members in self.reasons.items()]
        return sorted(found, key=lambda one: (-len(one.nodes), one.nodes[0], one.reason))


def rank(one: ClusteredCause) -> tuple[object, ...]:
    """Return the sort key of a cause."""
    return RANK[one.severity], -len(one.nodes), one.code, -one.seconds, one.identity


def by_node(reasons: Iterable[Reason]) -> Iterator[NodeFailure]:
    """Yield the nodes that there is no whole answer for, by name."""
    yield from merge(*map(failures, reasons), key=lambda one: one.node)


def failures(one: Reason) -> Iterator[NodeFailure]:
    """Yield the nodes of a reason."""
    yield from (NodeFailure(node, one.reason, one.incomplete) for node in one.nodes)


def joined(group: list[ClusteredCause]) -> ClusteredCause:
    """Return the differences of the same nodes as one, by place."""
    if len(group) == 1:
        return group[0]
    statements = sorted((s for cause in group for s in cause.statements), key=in_order)
    identity = sha256(" ".join(sorted(cause.identity for cause in group)).encode()).hexdigest()
    return replace(group[0], identity=identity[:16], statements=tuple(statements), path=())


def in_order(one: CauseStatement) -> tuple[bool, str, int, str]:
    """Return the sort key of a difference: by place, those without one last."""
    return not one.line, one.relative, one.line, one.text
