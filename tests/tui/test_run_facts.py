"""What runs came to: real reports of Puppet, simulated outcomes, and a run that is under way."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from analyzer.apply.engine.commands import Step
from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.report.run import of_report
from analyzer.apply.report.runs import load, read_report
from analyzer.apply.report.values import RunReport
from analyzer.apply.timeline import Timeline
from analyzer.export.runs.result import as_json
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.session.inputs import load_catalog
from tests.conftest import ROOT
from tui.present.fit import length
from tui.present.pieces import plain
from tui.present.report_page import BAR, bar, page, ref_of, totals
from tui.present.run_facts import of_recorded, of_run, of_timeline

RECORDED = ROOT / "tests" / "apply" / "report" / "recorded"
FORMS = (
    "first.yaml",
    "second.yaml",
    "second-6.28.0.yaml",
    "second-8.10.0.yaml",
    "second.wire.json",
)


def report_of(name: str) -> RunReport:
    found = read_report((RECORDED / name).read_bytes(), name)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def graph() -> RelationshipGraph:
    return relate(load_catalog(RECORDED / "catalog.json"))


def simulated(sample: str, outcomes: dict[str, Outcome]) -> Timeline:
    catalog = load_catalog(ROOT / "sample_catalogs" / sample / "catalog.json")
    return Timeline(RunGraph(relate(catalog)), outcomes=outcomes)


@pytest.mark.parametrize("name", FORMS)
def test_counts_are_those_of_puppets_summary(name: str) -> None:
    report = report_of(name)
    facts = of_recorded(report, name, None)
    figures = {label: figure for label, _, figure in report.metric("resources").values}
    assert facts.counts["failed"] == figures["failed"]
    assert facts.counts["skipped"] == figures["skipped"]
    assert sum(facts.counts.values()) == figures["total"]
    assert facts.status == report.status


def test_the_summary_that_puppet_wrote_beside_the_report_says_the_same() -> None:
    summary = yaml.safe_load((RECORDED / "second.summary.yaml").read_text(encoding="utf-8"))
    facts = of_recorded(report_of("second.yaml"), "second.yaml", None)
    assert sum(facts.counts.values()) == summary["resources"]["total"]
    assert facts.counts["failed"] == summary["resources"]["failed"]
    assert facts.counts["skipped"] == summary["resources"]["skipped"]


def test_skipped_resources_name_what_failed(graph: RelationshipGraph) -> None:
    """With the catalog by its relationships, without it by what Puppet logged."""
    report = report_of("second.yaml")
    with_catalog = dict(of_recorded(report, "r", graph).groups["skipped"])
    without = dict(of_recorded(report, "r", None).groups["skipped"])
    assert with_catalog["Notify[after broken]"] == "because of Exec[broken]"
    assert without["Notify[after broken]"] == "Dependency Exec[broken] has failures: true"
    assert with_catalog.keys() == without.keys()


def test_the_chain_is_the_slowest_way_through_the_graph(graph: RelationshipGraph) -> None:
    """`exec slow` sleeps 0.3 s and comes before the vhost `two`, as the site of the report says."""
    facts = of_recorded(report_of("second.yaml"), "r", graph)
    assert facts.timing is not None
    assert [link.ref for link in facts.timing.chain] == ["Exec[slow]", "File[/srv/demo/two]"]
    assert facts.slowest(1)[0].ref == "Exec[slow]"
    shown = [plain(line) for line in page(facts)]
    assert any("Exec[slow]  critical" in line for line in shown)


def test_a_report_without_its_catalog_says_what_the_chain_needs() -> None:
    facts = of_recorded(report_of("second.yaml"), "r", None)
    assert facts.timing is None
    assert "its catalog" in facts.no_chain


def test_secrets_are_not_shown() -> None:
    shown = "\n".join(plain(line) for line in page(of_recorded(report_of("first.yaml"), "r", None)))
    assert "hunter2" not in shown
    assert "[redacted]" in shown


@pytest.mark.parametrize("name", FORMS)
def test_no_line_steers_a_terminal(name: str) -> None:
    facts = of_recorded(report_of(name), name, None)
    assert all(plain(line).isprintable() for line in page(facts))
    assert all(plain(line).isprintable() for line in totals(facts, 28))
    assert max(length(line) for line in totals(facts, 28)) <= 28


def test_lines_of_the_log_lead_to_their_resource() -> None:
    report = report_of("first.yaml")
    refs = {one.resource for one in report.resource_statuses}
    sources = {one.source for one in report.logs if (one.source or "").startswith("/Stage")}
    assert {ref_of(source or "") for source in sources} <= refs
    assert ref_of("/Stage[main]/Main/File[/a[1]/b]/ensure") == "File[/a[1]/b]"
    assert ref_of("Puppet") is None


def test_sections_are_found_from_anywhere() -> None:
    found = page(of_recorded(report_of("second.yaml"), "r", None))
    heads = found.starts[:-1]
    assert [found.beyond(head, 1) for head in heads] == [*heads[1:], None]
    assert [found.beyond(head, -1) for head in heads] == [None, *heads[:-1]]
    assert found.beyond(heads[1] + 1, -1) == heads[1]
    assert len(list(found)) == len(found)


def test_a_run_is_summed_up_as_far_as_it_went() -> None:
    timeline = simulated("healthy_web_stack", {"Package[postgresql]": Outcome("fail")})
    whole = of_timeline(timeline).counts["waiting"]
    timeline.do(Step(5))
    facts = of_timeline(timeline)
    assert facts.counts["waiting"] == whole - 5
    assert facts.status == "running"
    timeline.run()
    facts = of_timeline(timeline)
    assert facts.counts["waiting"] == 0
    assert facts.status == "failed"
    assert [ref for ref, _ in facts.groups["failed"]] == ["Package[postgresql]"]
    assert (
        dict(facts.groups["skipped"])["Service[postgresql]"]
        == "failed dependency: Package[postgresql]"
    )
    assert sum(facts.counts.values()) == whole


def test_what_a_simulation_printed_is_a_run_too(tmp_path: Path) -> None:
    timeline = simulated("healthy_web_stack", {"Package[nginx]": Outcome("fail")}).run()
    path = tmp_path / "outcome.json"
    path.write_text(as_json(timeline), encoding="utf-8")
    assert read_report(path.read_bytes(), str(path)) is None
    read = of_run(load(path.read_bytes(), str(path)), timeline.graph.graph, {})
    live = of_timeline(timeline)
    assert {k: v for k, v in read.counts.items() if v} == {
        k: v for k, v in live.counts.items() if v
    }


def test_bars_are_as_long_as_their_share() -> None:
    assert [bar(share).rstrip() for share in (0, 0.5, 1, 7)] == ["", "█" * 6, "█" * 12, "█" * 12]
    assert {len(bar(n / 97)) for n in range(98)} == {BAR}


def test_a_run_keeps_what_a_report_told() -> None:
    report = report_of("second.yaml")
    assert of_recorded(report, "r", None).run == of_report(report, "r")
