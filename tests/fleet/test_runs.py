"""Reports of PuppetDB: failures by first cause, changes in every run."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.fleet.questions.runs import Runs
from analyzer.fleet.sources import puppetdb_client
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.fleet.values import Node
from analyzer.fleet.work import result_of
from analyzer.frontends.catalog_json import from_document

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
    result = result_of(Runs(Access("http://x")), Node(name, "1"), from_document(body, name))
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
            {"category": "time", "name": "file", "value": 2},
        ]
    }
    assert texts(monkeypatch, reports, "n") == [
        "flapping manifests/site.pp File[/b] changes in every run",
        "time  most of the time goes to exec",
    ]
    assert texts(monkeypatch, reports[:2], "n")[0].startswith("time")


def test_a_run_without_a_catalog_and_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = {"data": [{"level": "err", "message": "Could not retrieve catalog"}]}
    report = {"status": "failed", "resource_events": {"data": []}, "logs": logs}
    assert texts(monkeypatch, [report], "n") == [
        "failure  the run fails: Could not retrieve catalog"
    ]
    assert texts(monkeypatch, [], "n") == ["there is no report of this node"]
