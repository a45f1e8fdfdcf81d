"""Reports gone through step by step, on the graph of their catalog and without one."""

import pytest

from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.report.read_json import from_document
from analyzer.apply.report.read_yaml import read
from analyzer.apply.report.replay import catalog_of, steps_of
from analyzer.apply.report.run import of_report
from analyzer.apply.report.values import RunReport
from analyzer.apply.timeline import Timeline
from analyzer.session.inputs import graph_of, load_catalog
from tests.conftest import ROOT

RECORDED = ROOT / "tests" / "apply" / "report" / "recorded"


def report(name: str) -> RunReport:
    text = (RECORDED / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        import json

        return from_document(json.loads(text), name)
    return read(text, name)


def replayed(found: RunReport, *, alone: bool) -> tuple[Timeline, list[str]]:
    run = of_report(found, "report")
    catalog = catalog_of(run, found) if alone else load_catalog(RECORDED / "catalog.json")
    graph = RunGraph(graph_of(catalog))
    steps, lost = steps_of(graph, run, found.logs)
    return Timeline(graph, settings=RunSettings(), recorded=steps), lost


@pytest.mark.parametrize("name", ["first.yaml", "second.yaml", "noop.yaml", "second.json"])
@pytest.mark.parametrize("alone", [True, False])
def test_every_resource_ends_as_the_report_says(name: str, alone: bool) -> None:
    found = report(name)
    line, lost = replayed(found, alone=alone)
    line.run()
    assert line.state.phase == "ended"
    for one in found.resource_statuses:
        if one.resource in lost:
            continue
        status = line.status_of(one.resource)
        assert status is not None, one.resource
        said = (status.failed, status.skipped, status.restarted)
        assert said == (bool(one.failed), bool(one.skipped), one.restarted), one.resource
        messages = [event.message for event in status.events]
        assert messages == [event.message for event in one.events], one.resource


def test_only_what_others_brought_is_not_in_the_catalog() -> None:
    _, lost = replayed(report("second.yaml"), alone=False)
    assert all(ref.startswith("File[/srv/demo/tree/") for ref in lost)
    assert lost


def test_the_order_is_that_of_the_report() -> None:
    found = report("second.yaml")
    line, _ = replayed(found, alone=True)
    ours = [str(ref) for ref in line.run().order]
    assert ours == [one.resource for one in found.resource_statuses]


def test_lines_of_the_log_are_told_once() -> None:
    found = report("second.yaml")
    line, _ = replayed(found, alone=False)
    said = [one.message for one in line.run().log()]
    theirs = [one.message for one in found.logs if (one.source or "").startswith("/Stage[main]")]
    for message in set(theirs):
        assert said.count(str(message)) >= 1, message
    skipped = "Skipping because of failed dependencies"
    assert said.count(skipped) == theirs.count(skipped)


def test_a_catalog_of_a_report_knows_places_and_containers() -> None:
    found = report("second.yaml")
    catalog = catalog_of(of_report(found, "report"), found)
    places = {str(one): (one.file, one.line) for one in catalog.resources}
    broken = next(one for one in found.resource_statuses if one.resource == "Exec[broken]")
    assert places["Exec[broken]"] == (broken.file, broken.line)
    assert ("Class[Main]", "Exec[broken]") in catalog.containment
    assert ("Stage[main]", "Class[Main]") in catalog.containment
