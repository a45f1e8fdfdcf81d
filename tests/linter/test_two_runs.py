"""CG401's simulated runs fail and heal as those of real Puppet do."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.apply.two_runs import run_once
from analyzer.diagnostics import Finding, Severity
from analyzer.linter.choice import Choice
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.registry import all_rules
from analyzer.linter.rules.run.order_by_chance import needs_of
from analyzer.linter.run import Found, without_repeated_pairs
from analyzer.session.lint.check import LintCheck, check_inputs, subjects_of
from analyzer.session.lint.request import Request
from tests.linter.two_runs import RUNS, Runs, cases, recorded


def lint(text: str, folder: Path) -> LintCheck:
    """Return the lint of a manifest with CG401."""
    path = folder / "site.pp"
    path.write_text(text.replace("ROOT", "/srv"), encoding="utf-8")
    return check_inputs(Request((str(path),), Choice(("CG401",)), shuffle=3))


def simulated(text: str, folder: Path) -> Runs:
    """Return the resources that fail in each run, in the order of the manifest."""
    done = lint(text, folder)
    (compiled,) = (
        s for s in subjects_of(done.sources, done.parsed, done.compiled) if isinstance(s, Compiled)
    )
    graph, needs = compiled.graph, list(needs_of(compiled))
    turn = {node: place for place, node in enumerate(graph.traverse(None))}
    there: frozenset[int] = frozenset()
    found = []
    for _ in range(RUNS):
        run = run_once(graph, needs, turn, None, there)
        failed = {str(graph.resources[needer]) for needer, _ in run.unmet}
        found.append(sorted(name.replace("/srv", "ROOT") for name in failed))
        there = run.done
    return found


@pytest.mark.parametrize("name", cases())
def test_runs_fail_as_those_of_puppet(name: str, tmp_path: Path) -> None:
    assert simulated(cases()[name], tmp_path) == recorded()[name]


@pytest.mark.parametrize("name", cases())
def test_what_fails_and_heals_is_found(name: str, tmp_path: Path) -> None:
    found = [one.finding for one in lint(cases()[name], tmp_path).found]
    told = {one.refs[1].replace("/srv", "ROOT"): one.message for one in found}
    first, second, _ = recorded()[name]
    assert {*first} <= {*told}
    for ref in first:
        assert ("the second run succeeds" in told[ref]) == (ref not in second)


def test_the_fix_orders_the_two(tmp_path: Path) -> None:
    (found,) = lint(cases()["an output before its folder"], tmp_path).found
    assert "add `require => File['/srv/d']` to Exec[out]" in [p.what for p in found.proposals]


def test_a_pair_is_told_once(tmp_path: Path) -> None:
    """What another rule finds gets the result of the orders as a note; the rest stays."""
    path = tmp_path / "site.pp"
    path.write_text(
        "exec { 'clock': command => '/usr/sbin/ntpdate pool.ntp.org' }\npackage { 'ntpdate': }\n"
        "file { '/srv/b': source => '/srv/a' }\nfile { '/srv/a': content => 'x' }\n",
        encoding="utf-8",
    )
    found = check_inputs(Request((str(path),), Choice(("CG320", "CG401")), shuffle=3)).found
    assert [(one.rule.code, one.finding.refs[1]) for one in found] == [
        ("CG320", "Exec[clock]"),
        ("CG401", "File[/srv/b]"),
    ]
    assert found[0].finding.notes[-1] == (
        "Exec[clock] fails in a first run without Package[ntpdate]; the second run succeeds (CG401)"
    )


def test_a_run_that_fails_makes_a_note_a_warning() -> None:
    rules = all_rules()

    def found(code: str, severity: Severity) -> Found:
        refs = ("Package[p]", "Exec[e]")
        return Found(Finding(code, severity, code, input="n", refs=refs), rules[code])

    (one,) = without_repeated_pairs([found("CG330", "note"), found("CG401", "warning")])
    assert (one.finding.code, one.finding.severity) == ("CG330", "warning")
    assert one.finding.notes == ("CG401 (CG401)",)
