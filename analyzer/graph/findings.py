"""Findings of `cycles` about a catalog: missing targets and dependency cycles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analyzer.diagnostics import ISSUES, Finding, Results, Step
from analyzer.escape import joined
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.phrases import sentence, statement_line
from analyzer.graph.provenance import Hop
from analyzer.graph.queries import MissingTarget
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.graph.summary import summary
from analyzer.model.completeness import Gap
from analyzer.model.nouns import CFENGINE, counted, nouns_of
from analyzer.model.relationship import DEPENDS_ON

# The most further members and lost pairs that are named; the rest is counted.
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Check:
    """One catalog and its findings; `name` is the user's name for the input."""

    name: str
    graph: RelationshipGraph
    missing: tuple[MissingTarget, ...]
    cycles: tuple[Cycle, ...]
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        """Return the state of the catalog in a few words."""
        policy = self.graph.catalog.nouns is CFENGINE
        noun = "depends_on cycle" if policy else "dependency cycle"
        words = [counted(len(self.cycles), noun)] if self.cycles else []
        if self.missing:
            words.append(counted(len(self.missing), "missing target"))
        return ", ".join(words) or self.graph.verdict


@dataclass(frozen=True, slots=True)
class FindingInWorld:
    """A finding that another world of a catalog has: a cycle, or a missing target (None)."""

    cycle: Cycle | None
    finding: Finding


@dataclass(frozen=True, slots=True)
class CyclesReport:
    """The result of a run of `cycles`; `unreadable` are inputs that are not catalogs.

    `worlds` are the findings of other worlds, and `left` are the gaps of their search.
    """

    checks: tuple[Check, ...]
    unreadable: tuple[tuple[str, str], ...] = ()
    worlds: tuple[FindingInWorld, ...] = ()
    left: tuple[Gap, ...] = ()

    @property
    def findings(self) -> list[Finding]:
        """Return every finding, in the order of the inputs."""
        found = [finding for check in self.checks for finding in check.findings]
        return [*found, *(one.finding for one in self.worlds)]

    @property
    def results(self) -> Results:
        """Return the findings by themselves, for the formats that need no graph."""
        read = tuple(dict.fromkeys(check.graph.catalog.path for check in self.checks))
        policies = [check.graph.catalog.nouns is CFENGINE for check in self.checks]
        codes = ["CG201", "CG301"] if not all(policies) or not policies else []
        issues = tuple(ISSUES[code] for code in [*codes, *(["CG511"] if any(policies) else [])])
        found = tuple(self.findings)
        return Results(found, issues, read, self.unreadable, self.summary, self.gaps)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Return the gaps of the catalogs, each once."""
        known = dict.fromkeys(gap for check in self.checks for gap in check.graph.gaps)
        return (*known, *self.left)

    @property
    def summary(self) -> str:
        """Return the numbers of clean and of other catalogs."""
        cyclic = sum(bool(check.cycles) for check in self.checks)
        broken = sum(bool(check.missing) and not check.cycles for check in self.checks)
        partial = sum(not c.findings and not c.graph.is_complete for c in self.checks)
        noun = nouns_of(check.graph.catalog.nouns for check in self.checks).whole
        text = summary(noun, len(self.checks), cyclic, broken, partial)
        if self.worlds:
            text += f"; {counted(len(self.worlds), 'finding')} with other facts or parameters"
        return text + (f"; {len(self.unreadable):,} unreadable" if self.unreadable else "")


def check(name: str, graph: RelationshipGraph) -> Check:
    """Find missing targets and cycles in one graph."""
    # Another class may declare the targets of a class by itself.
    missing = () if graph.catalog.alone else tuple(graph.missing())
    cycles = tuple(graph.cycles())
    findings = [missing_finding(name, target) for target in missing]
    policy = graph.catalog.nouns is CFENGINE
    findings += [loop_finding(name, c) if policy else cycle_finding(name, c) for c in cycles]
    catalog = graph.catalog
    placed = (replace(f, path=catalog.path, environment=catalog.environment) for f in findings)
    return Check(name, graph, missing, cycles, tuple(placed))


def missing_finding(name: str, target: MissingTarget) -> Finding:
    """Return the finding for a reference that finds no resource."""
    return Finding(
        code="CG201",
        severity=ISSUES["CG201"].severity,
        message=target.message,
        span=target.span,
        notes=(target.hint,) if target.hint else (),
        input=name,
        refs=(str(target.declared_by), target.target),
    )


def cycle_finding(name: str, cycle: Cycle) -> Finding:
    """Return the finding for a cycle: its closed path as steps, how to break it as notes."""
    return Finding(
        code="CG301",
        severity=ISSUES["CG301"].severity,
        message=f"dependency cycle of {counted(len(cycle.members), 'member')}: {cycle}",
        span=cycle.place,
        steps=tuple(step(hop) for hop in cycle.hops if hop.relationships),
        notes=tuple(notes_on(cycle)),
        input=name,
        refs=tuple(map(str, cycle.members)),
    )


def loop_finding(name: str, cycle: Cycle) -> Finding:
    """Return the finding for promises of a policy that wait for each other."""
    code, path = "CG511", " => ".join(map(str, cycle.path))
    return replace(cycle_finding(name, cycle), code=code, message=f"{loop_words(cycle)}: {path}")


def loop_words(cycle: Cycle) -> str:
    """Return the message about promises that wait for each other."""
    count = len(cycle.members)
    if count == 1:
        return "a promise waits for its own handle, so it is never evaluated"
    return f"{count:,} promises wait for each other, so none is ever evaluated"


def step(hop: Hop) -> Step:
    """Return one edge of the path as a step."""
    first = hop.relationships[0]
    others = len(hop.relationships) - 1
    also = f" (and {others} more relationships)" if others else ""
    ends = (str(hop.source_ref), str(hop.target_ref))
    text = f"{' => '.join(ends)}: {sentence(first)}{also}"
    return Step(text, first.origin.span, ends)


def notes_on(cycle: Cycle) -> Iterator[str]:
    """Yield the details: other members, the cut, the orderings lost."""
    if cycle.path[:1] == cycle.path[1:] and not names_itself(cycle):
        yield (
            "the resource depends on itself: Puppet does this for a reversed arrow with an "
            "empty collector"
        )
    if not cycle.shortest:
        yield "large strongly connected component: a shorter cycle may exist"
    others = [str(member) for member in cycle.others]
    yield from capped("also in this strongly connected component: {}", others, len(others))
    fewest = "" if cycle.cut.exact else " (approximation; fewer may be enough)"
    for statement in cycle.cut.statements:
        yield f"to break the cycle, remove{fewest} {statement_line(statement)}"
    lost = [f"{first} before {second}" for first, second in cycle.cut.lost]
    yield from capped("ordering lost: {}", lost, cycle.cut.lost_count)
    if not cycle.cut.lost_count:
        yield "no ordering is lost"


def names_itself(cycle: Cycle) -> bool:
    """Return whether a self-edge certainly comes from the resource's own parameter."""
    origins = [made.origin for hop in cycle.hops for made in hop.relationships]
    return any(
        origin.form == DEPENDS_ON
        or (origin.span and origin.span.column and not (origin.arrow or origin.at_declaration))
        for origin in origins
    )


def capped(template: str, entries: Sequence[str], total: int) -> Iterator[str]:
    """Yield a line for each of the first entries, and one that counts the others."""
    for entry in entries[:SHOWN]:
        yield template.format(entry)
    if total > SHOWN:
        yield template.format(f"... and {total - SHOWN:,} more")


def finding_text(finding: Finding) -> str:
    """Return a finding as lines of text: message, steps, notes."""
    place = f"{finding.span}: " if finding.span else ""
    lines = [f"{place}{finding.severity}: {finding.message} ({finding.code})"]
    for one in finding.steps:
        lines.append(f"  {one.text}" + (f" [{one.span}]" if one.span else ""))
    lines += [f"  {note}" for note in finding.notes]
    return joined(lines)
