"""One cause is one finding: a statement that is wrong for several resources or catalogs."""

from __future__ import annotations

import json
from pathlib import Path

from analyzer.export.reports.formats import render_results
from analyzer.linter.baseline import Baseline, finding_rows, split
from analyzer.linter.choice import Choice
from analyzer.session.lint.check import LintCheck, check_inputs
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import fix

INSTANCES = """
define app::conf() {
  file { "/etc/app/${title}": content => 'x' }
}
class app {
  package { 'app': }
  app::conf { ['one', 'two', 'three', 'four', 'five']: }
}
node 'a', 'b' { include app }
node 'c' { include app }
"""


def lint_of(text: str, folder: Path, code: str = "CG310") -> LintCheck:
    """Return the lint of a manifest with one rule."""
    path = folder / "site.pp"
    path.write_text(text, encoding="utf-8")
    return check_inputs(Request((str(path),), Choice((code,)), fixes=False))


def test_instances_of_a_define_and_nodes_are_one_finding(tmp_path: Path) -> None:
    (found,) = lint_of(INSTANCES, tmp_path).found
    finding = found.finding
    assert finding.refs == ("File[/etc/app/one]", "Package[app]")
    assert len(finding.also) == 14
    assert "also for File[/etc/app/two], File[/etc/app/three], File[/etc/app/four] and 1 more" in (
        finding.notes
    )
    assert any(note.startswith("in 3 catalogs: ") for note in finding.notes)


def test_two_statements_are_two_findings(tmp_path: Path) -> None:
    text = """
class app {
  package { ['one', 'two']: }
  service { 'one': ensure => running }
  service { 'two': ensure => running }
}
include app
"""
    assert len(lint_of(text, tmp_path, "CG312").found) == 2


def test_different_faults_of_one_statement_are_two_findings(tmp_path: Path) -> None:
    text = "Package <| colour == 'red' and shape == 'round' |>\npackage { 'a': }\n"
    found = lint_of(text, tmp_path, "CG104").found
    assert len({one.finding.message for one in found}) == len(found)


def test_json_lists_the_catalogs_and_the_resources(tmp_path: Path) -> None:
    results = fix(lint_of(INSTANCES, tmp_path)).results
    (row,) = json.loads(render_results("json", results))["findings"]
    assert len(row["catalogs"]) == 3
    assert {ref for one in row["also"] for ref in one["refs"]} >= {"File[/etc/app/five]"}


def test_a_baseline_of_single_findings_accepts_their_cause(tmp_path: Path) -> None:
    (found,) = lint_of(INSTANCES, tmp_path).found
    every = [found.finding, *found.finding.also]
    folder = str(tmp_path)
    rows = tuple(finding_rows(every, folder))
    new, stale = split([found.finding], Baseline(folder, rows))
    assert not new
    # The same resource in another catalog was never a row of its own.
    assert {row["message"] for row in stale} <= {one.message for one in every}
    one = tuple(row for row in rows if "two" in row["message"])[:1]
    assert split([found.finding], Baseline(folder, one)) == ([], [])
