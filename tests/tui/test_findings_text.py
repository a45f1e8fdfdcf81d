"""Findings as they are listed and told, and their fixes with what they do to the order."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from analyzer.diagnostics import Finding, Fix, Step
from analyzer.frontends.source_texts import Texts
from analyzer.source import Span
from tests.conftest import ROOT
from tests.tui.opened import project_of
from tui.present.findings import by_severity, diff_lines, fix_lines, in_full, rows, summary
from tui.present.pieces import plain
from tui.project.lint import LintError, LintResult, fix_of, lint_project
from tui.project.project import OpenRequest


def linted(path: str) -> tuple[LintResult, list[str]]:
    told: list[str] = []
    project = project_of(OpenRequest(path))
    return lint_project(project, {}, told.append), told


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    folder = tmp_path / "require_loop"
    shutil.copytree(ROOT / "sample_catalogs" / "require_loop", folder)
    return folder


def test_the_lint_tells_how_far_it_is(loop: Path) -> None:
    found, told = linted(str(loop))
    assert [one.code for one in found.findings] == ["CG301"]
    assert told == ["compiling and checking 1 manifest"]


def test_a_finding_in_full(loop: Path) -> None:
    found, _ = linted(str(loop))
    shown = [plain(line) for line in in_full(found.findings[0], Texts(str(loop)), 200)]
    assert shown[:4] == [
        "✗ CG301  dependency cycle of 3 members: "
        "(Package[app] => Exec[generate secrets] => File[/etc/app/app.conf] => Package[app])",
        "   manifests/site.pp:5",
        "   │     require => File['/etc/app/app.conf'],",
        "   │     ^",
    ]
    assert "    1 Exec[generate secrets] requires Package[app]  manifests/site.pp:18" in shown


def test_the_diff_of_a_fix_has_no_secrets(tmp_path: Path) -> None:
    file = tmp_path / "site.pp"
    file.write_text("$a = Sensitive('first secret')\n$b = Sensitive('second secret')\n")
    fixed = {str(file): "$a = Sensitive('first secret')\n"}
    shown = "\n".join(plain(line) for line in fix_lines(Fix("drop $b", ()), fixed))
    assert "-$b = Sensitive('[redacted]')" in shown
    assert " secret" not in shown


def test_a_fix_is_a_diff_with_the_order_that_goes(loop: Path) -> None:
    found, _ = linted(str(loop))
    fixed = fix_of(found, found.found[0])
    assert fixed is not None
    shown = [plain(line) for line in fix_lines(*fixed)]
    assert "   -    require => File['/etc/app/app.conf']," in shown
    assert any("lost:" in line for line in shown)
    assert "   - File[/etc/app/app.conf] before Package[app]" in shown
    manifest = loop / "manifests" / "site.pp"
    assert "require => File['/etc/app/app.conf']" in manifest.read_text(), "nothing is written"


def test_what_no_rule_is_about_says_so(tmp_path: Path) -> None:
    project = project_of(OpenRequest(str(ROOT / "tests/apply/report/recorded/second.yaml")))
    with pytest.raises(LintError, match="report"):
        lint_project(project, {}, lambda _: None)


def finding(severity: str, message: str, line: int = 1) -> Finding:
    return Finding("CG999", severity, message, Span("/far/away/site.pp", line))  # type: ignore[arg-type]


def test_the_list_is_in_columns_and_takes_any_text() -> None:
    found = [finding("note", "File[/x] \x1b[2J", 120), finding("error", "[bold]é雪")]
    ordered = by_severity(found)
    assert [plain(line) for line in rows(ordered, lambda file: file[5:])] == [
        " ✗ CG999  away/site.pp:1    [bold]é雪",
        " ◇ CG999  away/site.pp:120  File[/x] \\u001b[2J",
    ]
    assert plain(summary(ordered)) == "✗ 1 error  ◇ 1 note  "
    assert plain(summary([])) == "✓ no findings"


def test_steps_without_ends_are_told_as_they_are() -> None:
    steps = (Step("a => b: a is before b", None, ("a", "b")), Step("seen here", Span("x.pp", 3)))
    one = Finding("CG999", "note", "m", None, steps, ("a note",))
    assert [plain(line) for line in in_full(one, Texts(""), 80)] == [
        "◇ CG999  m",
        "    1 a is before b",
        "    2 seen here  x.pp:3",
        "   a note",
    ]


def test_pairs_beyond_some_are_counted() -> None:
    pairs = tuple((f"a{n}", "b") for n in range(20))
    shown = [plain(line) for line in fix_lines(Fix("w", (), pairs, (), 1234, 0), {})]
    assert "   1,234 orderings gained:" in shown
    assert shown[-1] == "   ... and 1,224 more"
    assert diff_lines("") == []


def test_of_a_policy_it_is_known_which_classes_are_given(tmp_path: Path) -> None:
    path = tmp_path / "p.cf"
    path.write_text('bundle agent main\n{\n  commands:\n    web::\n      "/bin/echo web";\n}\n')
    project = project_of(OpenRequest(str(path)))
    for options, codes in (({}, ["CG521"]), ({"define": ["web"]}, [])):
        found = lint_project(project, options, lambda _: None)
        assert [one.code for one in found.findings] == codes
