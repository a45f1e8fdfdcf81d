"""Compares with the installed Puppet: it writes and catgraph reads, catgraph writes and it reads.

python -m tests.apply.report.live [COUNT]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from analyzer.apply.report import forms, read_json, read_yaml, write
from analyzer.apply.report.from_timeline import RunTimes, report_of
from analyzer.apply.report.values import LogLine, Metric, RecordedEvent, RecordedStatus, RunReport
from analyzer.apply.simulate import simulate
from analyzer.session.inputs import graph_of, load_catalog

from .record import read_back, reports
from .strategies import DATA, SECONDS, TEXTS

SAMPLES = Path(__file__).parents[3] / "sample_catalogs"
# Puppet parses these; all other texts are free.
TIMES = st.datetimes(datetime(2000, 1, 1)).map(
    lambda one: f"{one:%Y-%m-%dT%H:%M:%S}.{one.microsecond:06}000+00:00"
)
LEVELS = st.sampled_from(["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"])
TAGS = st.lists(TEXTS, max_size=3, unique=True).map(tuple)
EVENTS = st.builds(
    RecordedEvent,
    audited=st.booleans(),
    property=st.none() | TEXTS,
    previous_value=DATA,
    desired_value=DATA,
    message=TEXTS,
    name=TEXTS,
    status=st.sampled_from(["success", "failure", "noop", "audit"]),
    time=TIMES,
)
STATUSES = st.builds(
    RecordedStatus,
    title=TEXTS,
    file=st.none() | TEXTS,
    line=st.none() | st.integers(0),
    resource=TEXTS,
    resource_type=TEXTS,
    containment_path=st.lists(TEXTS, max_size=3).map(tuple),
    evaluation_time=SECONDS,
    tags=TAGS,
    time=TIMES,
    failed=st.booleans(),
    events=st.lists(EVENTS, max_size=2).map(tuple),
)
REPORTS = st.builds(
    RunReport,
    host=TEXTS,
    time=TIMES,
    status=TEXTS,
    logs=st.lists(st.builds(LogLine, LEVELS, TEXTS, TEXTS, TAGS, TIMES), max_size=2).map(tuple),
    metrics=st.just((Metric("time", "Time", (("file", "File", 1e-07),)),)),
    resource_statuses=st.lists(STATUSES, max_size=4, unique_by=lambda one: one.resource).map(tuple),
)


def drawn(count: int) -> list[RunReport]:
    """Random reports, the same each time."""
    found: list[RunReport] = []

    @settings(
        deadline=None,
        max_examples=count,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    @given(REPORTS)
    def collect(report: RunReport) -> None:
        found.append(report)

    collect()
    return found


def made() -> list[RunReport]:
    """Reports of runs that are made here: of all sample catalogs, plain and with a failure."""
    found = []
    for path in sorted(SAMPLES.glob("*/catalog.json")):
        graph = graph_of(load_catalog(path))
        if graph.has_cycle or graph.missing():
            continue
        for fail in ((), [str(graph.order()[len(graph.order()) // 2])]):
            timeline = simulate(graph, fail=fail)
            at = [0.25 * place for place in range(len(timeline.events))]
            found.append(
                report_of(timeline, RunTimes(1.7e9, at, {"config_retrieval": 1.5}, "web1"))
            )
    return found


def live(count: int = 500) -> int:
    """Return 1 if something differs; says what."""
    bad = 0
    fresh = []
    for answer in reports():
        report = read_yaml.read(answer["yaml"], "live")
        fresh.append(report)
        bad += differs("JSON", report, forms.report(json.loads(json.dumps(answer["json"]))))
        wire = read_json.from_document(answer["wire"], "live")
        refs = [[one.resource for one in some.resource_statuses] for some in (report, wire)]
        bad += differs("PuppetDB", *refs)
    both = [*fresh, *made(), *drawn(count)]
    for form, dump in (("yaml", write.to_yaml), ("json", write.to_json)):
        answers = read_back([{form: dump(report)} for report in both])
        for report, answer in zip(both, answers, strict=True):
            if "error" in answer:
                bad += differs(f"{form} refused by Puppet", answer["error"], dump(report))
            else:
                bad += differs(f"{form} read by Puppet", forms.report(answer["data"]), report)
    print(f"reports: {len(fresh)} read, {2 * len(both)} written and read by Puppet, {bad} differ")
    return int(bad > 0)


def differs(what: str, first: object, second: object) -> int:
    """Say so if two things are not the same."""
    if first == second:
        return 0
    print(f"{what}:\n  {str(first)[:1000]}\n  {str(second)[:1000]}")
    return 1


def main(arguments: Sequence[str]) -> int:
    """Compare, with that many random reports."""
    return live(*map(int, arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
