"""Reports of PuppetDB: failures by first cause, changes in every run."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.fleet.questions.chains import chain, estimated
from analyzer.fleet.questions.runs import Runs
from analyzer.fleet.sources import puppetdb_client
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.fleet.values import IndexedNode
from analyzer.fleet.work import result_of
from analyzer.frontends.catalog_json import from_document
from analyzer.graph.relationship_graph import relate

FILE = "/etc/puppetlabs/code/environments/production/manifests/site.pp"


def event(kind: str, title: str, status: str, message: str = "") -> dict[str, Any]:
    place = {"file": FILE, "line": 7, "message": message}
    return {"resource_type": kind, "resource_title": title, "status": status, **place}


def texts(monkeypatch: pytest.MonkeyPatch, reports: list[dict[str, Any]], name: str) -> list[str]:
    class Fake:
        def query(self, query: object) -> list[dict[str, Any]]:
            assert query[2] == ["=", "certname", name]  # type: ignore[index]
            return reports

    monkeypatch.setattr("analyzer.fleet.questions.runs.client_of", lambda access: Fake())
    rows = [
        {"type": "Package", "title": "a", "file": FILE, "line": 3},
        {"type": "File", "title": "/b", "parameters": {"require": "Package[a]"}},
    ]
    body = {"name": name, "environment": "production", "resources": rows, "edges": []}
    result = result_of(Runs(Access("http://x")), IndexedNode(name, "1"), from_document(body, name))
    assert not result.failed
    return [
        f"{one.code} {statement.relative} {statement.text}"
        for one in result.occurrences
        for statement in one.statements
    ] + list(result.unknown)


def test_a_failure_is_told_by_its_first_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    assert puppetdb_client.client_of
    events = [
        event("File", "/b", "failure", "no folder"),
        event("Package", "a", "failure", "n1.example.com has\nno repo"),
    ]
    report = {"status": "failed", "resource_events": {"data": events}}
    (told,) = texts(monkeypatch, [report], "n1.example.com")
    assert told == "failure manifests/site.pp Package[a] fails: \ufdd2node\ufdd3 has no repo"


def test_a_resource_that_changes_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    often, once = event("File", "/b", "success"), event("Package", "a", "success")
    reports: list[dict[str, Any]] = [{"resource_events": {"data": [often]}} for _ in range(3)]
    reports[0]["resource_events"]["data"].append(once)
    reports[0]["metrics"] = {
        "data": [
            {"category": "time", "name": "total", "value": 9},
            {"category": "time", "name": "exec", "value": 5.5},
            {"category": "time", "name": "file", "value": 0.2},
            {"category": "time", "name": "catalog_application", "value": 6},
        ]
    }
    assert texts(monkeypatch, reports, "n") == [
        "flapping manifests/site.pp File[/b] changes in every run",
        "time  time spent on exec",
        "chain  critical chain (estimated): File[/b]",
    ]
    assert texts(monkeypatch, reports[:2], "n")[0].startswith("time")


def test_a_run_without_a_catalog_and_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = {"data": [{"level": "err", "message": "Could not retrieve catalog"}]}
    report = {"status": "failed", "resource_events": {"data": []}, "logs": logs}
    assert texts(monkeypatch, [report], "n") == [
        "failure  the run fails: Could not retrieve catalog"
    ]
    assert texts(monkeypatch, [], "n") == ["there is no report of this node"]


# What Puppet 7.23 and its metrics say of four resources in a chain: an exec that sleeps 1.5 s, a
# file, an exec that the file refreshes for 1 s, and one that sleeps 0.7 s in `unless`, then 0.5 s.
TIMES = {
    "Exec[a]": ("25.098754661", "executed_command", 1.521571159),
    "File[/x]": ("26.621338008", "file_created", 0.039764454),
    "Exec[b]": ("27.682584062", "refresh", 1.0214),
    "Exec[c]": ("28.418103435", "executed_command", 1.258641525),
}
METRICS = {"exec": 2.780399552, "file": 0.039764454, "transaction_evaluation": 3.848786042,
           "config_retrieval": 0.407857694, "total": 3.872655471}  # fmt: skip


def test_the_critical_chain_of_a_real_run() -> None:
    rows: list[dict[str, Any]] = [
        {"type": ref.split("[")[0], "title": ref.split("[")[1][:-1], "file": FILE, "line": n}
        for n, ref in enumerate([*TIMES, "Notify[no part of it]"], 1)
    ]
    for before, row in zip([*TIMES], rows[1:4], strict=False):
        row["parameters"] = {"require": before}
    body = {"name": "n", "environment": "production", "resources": rows, "edges": []}
    events = [
        {**event(ref.split("[")[0], ref.split("[")[1][:-1], "success"), "name": name,
         "timestamp": f"2026-11-23T00:56:{when}Z"}
        for ref, (when, name, _) in TIMES.items()
    ]  # fmt: skip
    metrics = [{"category": "time", "name": k, "value": v} for k, v in METRICS.items()]
    graph = relate(from_document(body, "n"))
    end = "2026-11-23T00:56:28.944594610Z"
    found = estimated(events, METRICS, end, graph)
    for ref, (_, _, seconds) in TIMES.items():
        assert abs(found[ref] - seconds) < 0.5
    assert abs(sum(found.values()) - sum(seconds for *_, seconds in TIMES.values())) < 0.01
    (one,) = chain(events, metrics, end, graph, "n")
    assert one.path == ("Exec[a]", "Exec[b]", "Exec[c]")
    assert [s.line for s in one.statements] == [1, 3, 4]
    assert abs(one.seconds - 3.84) < 0.01
