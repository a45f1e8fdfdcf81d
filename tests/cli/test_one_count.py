"""A catalog has one number of resources, in every output: those that Puppet's report counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

from analyzer import load_catalog, relate, simulate
from analyzer.model.catalog import resource_count
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tui.present.pieces import plain
from tui.present.report_page import totals
from tui.present.run_facts import of_timeline

PATH = ROOT / "sample_catalogs" / "healthy_web_stack" / "catalog.json"

# Of its 54 rows, 16 are classes, instances of defines, a stage and a node. A report of Puppet's
# agent counts the six schedules and the filebucket that Puppet adds, too.
RESOURCES, REPORTED = 38, 45


def test_commands(run: Run) -> None:
    assert f"({RESOURCES} resources, " in run("cycles", PATH).out
    assert f"| {RESOURCES} | " in run("cycles", PATH, "--format", "markdown").out
    assert run("diff", PATH, PATH).out.count(f": {RESOURCES} resources, ") == 2
    (found,) = json.loads(run("diff", PATH, PATH, "--format", "json").out)
    assert found["first"]["resources"] == RESOURCES
    assert f": {RESOURCES} resources>" in repr(load_catalog(str(PATH)))
    page = run("graph", PATH, "--format", "html").out
    data = re.search(r'<script[^>]* id="data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert data
    assert json.loads(data[1])["resources"] == RESOURCES


def test_a_run_names_the_resources_of_puppet_apart() -> None:
    timeline = simulate(relate(load_catalog(str(PATH))))
    assert len(list(timeline.resources())) == REPORTED
    lines = " ".join(plain(line).strip() for line in totals(of_timeline(timeline), 27))
    assert f"{REPORTED} total" in lines
    assert f"({RESOURCES} resources and {REPORTED - RESOURCES} of Puppet's own)" in lines


def test_the_graph_has_the_same_containers() -> None:
    for path in sorted((ROOT / "sample_catalogs").glob("*/catalog.json")):
        graph = relate(load_catalog(str(path)))
        rows = range(len(graph.catalog.resources))
        assert resource_count(graph.catalog) == sum(not graph.is_container(row) for row in rows)


def test_fleet_names_the_statement_that_cycles_names(run: Run, tmp_path: Path) -> None:
    rows = [
        {"type": "Notify", "title": title, "file": f"/code/{file}.pp", "line": 3,
         "parameters": {"require": f"Notify[{other}]"}}
        for title, other, file in (("a", "b", "z"), ("b", "c", "modules/m/a"), ("c", "a", "y"))
    ]  # fmt: skip
    for step in (1, -1):
        body = {"name": "n", "resources": rows[::step], "edges": []}
        (tmp_path / "n.json").write_text(json.dumps(body), encoding="utf-8")
        assert run("cycles", tmp_path / "n.json").out.startswith("/code/y.pp:3: ")
        told = run("fleet", "cycles", tmp_path, "--no-store", "--workers", "1").out.splitlines()
        assert told[1].strip().startswith("/code/y.pp:3: ")


def test_a_diff_counts_containers_apart(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("notify { 'x': }\n", encoding="utf-8")
    (tmp_path / "b.pp").write_text(
        "class c { notify { 'a': } k { 'i': } } define k { notify { 'n': } }\n"
        "include c\nnotify { 'x': message => 'y' }\n",
        encoding="utf-8",
    )
    said = run("diff", tmp_path / "a.pp", tmp_path / "b.pp").out
    assert ": 1 resource, " in said
    assert ": 3 resources, " in said
    assert "added: 2 resources and 2 containers\n" in said
    assert "changed: 1 resource\n" in said
    said = run("diff", tmp_path / "b.pp", tmp_path / "a.pp", "--format", "markdown").out
    assert "Removed: 2 resources and 2 containers" in said
