"""The facts of a run: of a recorded report, or of a run up to the current step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer.apply.report.chain import Timing, timing
from analyzer.apply.report.run import ReportedRun, ResourceTurn, of_report
from analyzer.apply.report.values import Metric, RunReport
from analyzer.graph.relationship_graph import NoOrderError, RelationshipGraph
from tui.run.rollup import ended, word_of

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline

# A reference and its remark.
Row = tuple[str, str]

# The groups of resources by severity, in the order in which they are shown.
GROUPS = ("failed", "failed_to_restart", "skipped", "changed", "restarted", "noop")

# The remark on a resource that was skipped, where the report has no reason.
NO_REASON = "no reason in the report: tags, a schedule or a failed dependency"

# The beginnings of lines of the log that give the reason.
SAID_OF_SKIPPED = ("Dependency ", "Skipping ", "Not tagged ", "Not scheduled")

# The reasons why there is no critical path.
NO_SECONDS = "a simulated run takes no time: open a report to see where its time went"
NOT_MEASURED = "this run was not measured: open a report to see where its time went"

# The groups of `analyzer.export.runs.result`, and their names here.
SIMULATED = {
    "failed": "failed",
    "skipped": "skipped",
    "changed": "changed",
    "refreshed": "restarted",
    "withheld": "noop",
    "noop": "noop",
}


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The facts of one run.

    `counts` are resources by GROUPS and `unchanged`, `waiting`, each once, by its most severe
    outcome; `groups` has those of GROUPS with remarks. `run` has the turns with their seconds and
    `timing` the critical path, if they were measured; `no_chain` is the reason why there is
    none. `log` has level, source and message. `recorded` is true if the run is over. `words`
    replaces the names of groups, `noun` the word resource. `added` of the resources are Puppet's
    own. `incomplete` are the lines about what is unknown of the catalog.
    """

    title: str
    status: str
    error: str
    counts: Mapping[str, int]
    groups: Mapping[str, Sequence[Row]]
    metrics: tuple[Metric, ...]
    log: tuple[tuple[str, str, str], ...]
    run: ReportedRun | None = None
    timing: Timing | None = None
    no_chain: str = ""
    recorded: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    noun: str = "resource"
    added: int = 0
    incomplete: Sequence[str] = ()

    def slowest(self, count: int) -> list[ResourceTurn]:
        """Return the turns that took longest."""
        timed = [turn for turn in (self.run.turns if self.run else ()) if turn.seconds]
        return sorted(timed, key=lambda turn: -(turn.seconds or 0.0))[:count]


def filtered(facts: RunFacts, text: str) -> RunFacts:
    """Return facts with only those resources and lines of the log that have all words of a text."""
    words = text.lower().split()
    if not words:
        return facts

    def keeps(row: tuple[str, ...]) -> bool:
        searched = " ".join(row).lower()
        return all(word in searched for word in words)

    groups = {name: [row for row in rows if keeps(row)] for name, rows in facts.groups.items()}
    return replace(facts, groups=groups, log=tuple(row for row in facts.log if keeps(row)))


def of_timeline(
    timeline: Timeline, what: str = "simulated run", no_chain: str = NO_SECONDS
) -> RunFacts:
    """Return the facts of a run so far; `what` is the kind of run."""
    from analyzer.export.runs.result import grouped

    remarks: dict[str, list[tuple[str, str]]] = {}
    for name, rows in grouped(timeline).items():
        for ref, remark in rows:
            remarks.setdefault(ref, []).append((SIMULATED[name], remark))
    groups: dict[str, list[Row]] = {}
    counts = dict.fromkeys((*GROUPS, "unchanged"), 0)
    for resource, status in timeline.resources():
        name, word = str(resource), word_of(status)
        counts[word] += 1
        if word != "unchanged":
            # Other outcomes follow the reason of its group.
            known = sorted(remarks.get(name, ()), key=lambda one, word=word: one[0] != word)
            reasons = [text for _, text in known] or [e.message for e in status.events if e.message]
            groups.setdefault(word, []).append((name, "; ".join(reasons)))
    graph = timeline.graph
    total = sum(graph.resource(node) is not None for node in range(graph.vertices))
    counts["waiting"] = max(0, total - sum(counts.values()))
    noop = " (noop)" if timeline.settings.noop else ""
    return RunFacts(
        title=f"{what}, step {timeline.position}{noop}",
        status=ended(timeline.status, counts)
        if not counts["waiting"] or timeline.error
        else "running",
        error=timeline.error,
        counts=counts,
        groups=groups,
        metrics=(),
        log=in_lines((line.level, line.source, line.message) for line in timeline.log()),
        no_chain=no_chain,
        added=graph.added,
    )


def of_recorded(report: RunReport, path: str, graph: RelationshipGraph | None) -> RunFacts:
    """Return the facts of a recorded run; `graph` is that of its catalog, if there is one."""
    run = of_report(report, path)
    left_out = int(report.metric("resources")["total"]) - len(run.turns)
    facts = of_run(run, graph, skip_reasons(report), max(0, left_out))
    noop = " (noop)" if report.noop else ""
    return replace(
        facts,
        title=facts.title + noop,
        error="" if report.transaction_completed in (True, None) else "the run did not complete",
        metrics=report.metrics,
        log=in_lines((x.level or "", x.source or "", x.message or "") for x in report.logs),
    )


def of_run(
    run: ReportedRun, graph: RelationshipGraph | None, reasons: Mapping[str, str], left_out: int = 0
) -> RunFacts:
    """Return the facts of the turns of a run; `reasons` has the reasons for skips.

    `left_out` counts resources that were in sync and are not among the turns.
    """
    groups: dict[str, list[Row]] = {}
    counts = dict.fromkeys((*GROUPS, "unchanged"), 0)
    failures = {"failed", "failed_to_restart"}
    failed = {turn.ref for turn in run.turns if not failures.isdisjoint(turn.words)}
    for turn in run.turns:
        word = next((word for word in GROUPS if word in turn.words), "unchanged")
        counts[word] += 1
        if word != "unchanged":
            groups.setdefault(word, []).append(
                (turn.ref, remark(turn, word, graph, failed, reasons))
            )
    counts["unchanged"] += left_out
    found, no_chain = chain(run, graph)
    when = f", {run.time[:19].replace('T', ' ')}" if run.time else ""
    return RunFacts(
        title=f"run of {run.name}{when}",
        status=run.status,
        error="",
        counts=counts,
        groups=groups,
        metrics=(),
        log=(),
        run=run if run.measured else None,
        timing=found,
        no_chain=no_chain,
        recorded=True,
        added=run.added,
    )


def in_lines(log: Iterable[tuple[str, str, str]]) -> tuple[tuple[str, str, str], ...]:
    """Return a log with one line of a message per entry."""
    return tuple(
        (level, source if n == 0 else "", text)
        for level, source, message in log
        for n, text in enumerate(message.split("\n") if "\n" in message else (message,))
        if text or n == 0
    )


def remark(
    turn: ResourceTurn,
    word: str,
    graph: RelationshipGraph | None,
    failed: set[str],
    reasons: Mapping[str, str],
) -> str:
    """Return the remark on a resource of a group."""
    if word in ("failed", "failed_to_restart"):
        return "; ".join(turn.messages) or "failed"
    if word == "skipped":
        return reason(turn.ref, graph, failed, reasons)
    messages = [event.message for event in turn.events if event.message]
    return "; ".join(messages)


def reason(
    ref: str, graph: RelationshipGraph | None, failed: set[str], reasons: Mapping[str, str]
) -> str:
    """Return the reason for a skip: the failed resources before it, else the log's reason."""
    if failed and graph is not None:
        try:
            before = [str(one) for one in graph.upstream(ref) if str(one) in failed]
        except KeyError:
            before = []
        if before:
            more = f" and {len(before) - 3} more" if len(before) > 3 else ""
            return f"because of {', '.join(before[:3])}{more}"
    return reasons.get(ref, NO_REASON)


def skip_reasons(report: RunReport) -> dict[str, str]:
    """Return the first message of the log about each resource that was skipped."""
    refs = {f"/{'/'.join(x.containment_path)}": x.resource for x in report.resource_statuses}
    found: dict[str, str] = {}
    for one in report.logs:
        message, ref = one.message or "", refs.get(one.source or "")
        if ref and message.startswith(SAID_OF_SKIPPED):
            found.setdefault(ref, message)
    return found


def chain(run: ReportedRun, graph: RelationshipGraph | None) -> tuple[Timing | None, str]:
    """Return the critical path of a run, or the reason why there is none."""
    if not run.measured:
        return None, "this report has no times of resources"
    if graph is None:
        return None, "a report has no relationships: name its catalog with --catalog FILE"
    try:
        return timing(graph, run), ""
    except NoOrderError as error:
        return None, str(error)
