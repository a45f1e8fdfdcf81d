"""A simulated run as a graph: every edge leads forward and says why; failures are run again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.session.inputs import graph_of
from analyzer.session.policies import policy_catalog

from .runs import RUNS, policies


@pytest.mark.parametrize("path", policies(), ids=lambda path: path.stem)
def test_edges_lead_forward_and_say_why(path: Path) -> None:
    catalog = policy_catalog(str(path))
    graph = graph_of(catalog)
    assert not graph.has_cycle
    assert not graph.warnings
    promises = [str(r) for r in catalog.resources if r.type != "Bundle"]
    # Puppet's own schedules come after them.
    assert [str(resource) for resource in graph.order()][: len(promises)] == promises
    assert all(r.origin.rule for r in graph.relationships() if r.kind != "contains")


def why(capsys: pytest.CaptureFixture[str], name: str, first: str, second: str) -> list[str]:
    assert main(["why", str(RUNS / name), first, second, "--format", "json"]) == 0
    edges = json.loads(capsys.readouterr().out)["edges"]
    return [edge["relationships"][0]["origin"]["rule"] for edge in edges]


@pytest.mark.parametrize(
    ("name", "first", "second", "reasons"),
    [
        (
            "class_from_later_command.cf",
            "Commands[main:/bin/true]",
            "Files[main:$(sys.workdir)/x.txt]",
            ["pass 2 comes after pass 1; class done"],
        ),
        (
            "depends_same_pass.cf",
            "Commands[main:/bin/echo second]",
            "Commands[main:/bin/echo first]",
            ["written order; handle second"],
        ),
        (
            "sections_twice.cf",
            "Vars[main:v]",
            "Reports[main:3 x]",
            ["variable v"],
        ),
        (
            "same_in_two_bundles.cf",
            "Reports[a:same]",
            "Reports[b:same]",
            [None, "bundlesequence", None],
        ),
    ],
)
def test_why(
    capsys: pytest.CaptureFixture[str], name: str, first: str, second: str, reasons: list[str]
) -> None:
    assert why(capsys, name, first, second) == reasons


def test_impact(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(RUNS / "methods_late.cf")
    assert main(["impact", path, "Commands[main:/bin/true]", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "promise": "Commands[main:/bin/true]",
        "needed_by": {"Methods[main:call]": ["class ready"]},
        "not_kept": [
            "Methods[main:call]",
            "Commands[callee:/bin/echo x]",
            "Reports[callee:in callee]",
            "Reports[main:after]",
        ],
        "kept_instead": [],
    }
    path = str(RUNS / "failed_command.cf")
    assert main(["impact", path, "Commands[main:/bin/false]"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [
        "  kept instead if it fails: 1",
        "    Commands[main:/bin/echo repair]",
    ]
    assert main(["impact", path, "Commands[main:nothing]"]) == 2


def test_page_and_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(RUNS / "methods_nested.cf")
    page = tmp_path / "page.html"
    assert main(["graph", path, "--format", "html", "-o", str(page)]) == 0
    assert "type sequence: methods before reports" in page.read_text()
    assert main(["graph", path, "--format", "dot"]) == 0
    assert '"Bundle[inner]"' in capsys.readouterr().out
