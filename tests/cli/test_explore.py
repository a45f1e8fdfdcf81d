"""`catgraph explore` on the sample control repos: the findings and their conditions."""

from __future__ import annotations

import json

import pytest

from analyzer.cli import main

REPOS = "sample_catalogs/control_repos"


@pytest.mark.parametrize(
    ("repo", "condition"),
    [
        ("roles_in_site", [("facts.os.family", "is", "RedHat")]),
        ("roles_in_hiera", [("facts.role", "is", "cache")]),
        ("single_module", [("mirror::purge", "is", True), ("mirror::frequency", "is", "hourly")]),
    ],
)
def test_conditions(repo: str, condition: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", f"{REPOS}/{repo}", "--format", "json"]) == 1
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    findings = [one for node in nodes for one in node["findings"] if one["kind"] == "cycle"]
    # Each node with the class has it.
    assert findings
    for one in findings:
        assert [(p["input"], p["op"], p["value"]) for p in one["condition"]] == condition
