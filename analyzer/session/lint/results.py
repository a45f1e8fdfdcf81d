"""The last stage of a lint: the fixes of the findings are tried, and all is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from analyzer.diagnostics import Finding, Results
from analyzer.linter.failures import Failure, tried
from analyzer.linter.run import Found
from analyzer.session.lint.check import LintCheck, check_inputs, coverage_of, reported, unaccepted
from analyzer.session.lint.coverage import Coverage, summary
from analyzer.session.lint.request import Request
from analyzer.session.lint.trials import FixTrials

# The most findings whose fixes are tried: each compiles everything that the change affects.
TRIED = 100
# The most resources compiled for that: fewer fixes are tried in large catalogs, but at least one.
COMPILED = 20_000


@dataclass(frozen=True)
class Linted:
    """A check of the inputs with the results of the last stage."""

    done: LintCheck
    results: Results
    seen: Coverage


def lint_inputs(request: Request) -> Linted:
    """Check the inputs of a request, and try the fixes of the findings.

    Raises:
        InputError: a code has no rule.
    """
    return fix(check_inputs(request))


def fix(done: LintCheck) -> Linted:
    """Return the findings of a check, with the fixes that passed their tests."""
    sources, compiled = done.sources, done.compiled
    trials = FixTrials(sources, compiled)
    findings: list[Finding] = []
    left, untried = TRIED if sources.request.fixes else 0, 0
    for found in done.found:
        wanted = id(found.finding) in done.to_fix
        if wanted and left > 0 and trials.resources < COMPILED:
            left -= 1
            findings += try_fix(done, found, trials.fixed)
        else:
            untried += wanted and sources.request.fixes
            findings.append(found.finding)
    if trials.kept is not None:
        trials.kept.save()
    seen = coverage_of(done, untried)
    unreadable = tuple(compiled.unreadable)
    inputs = tuple(path for path in sources.request.paths if path not in dict(unreadable))
    issues = tuple(rule.issue for rule in sources.rules)
    text = summary(findings, seen)
    return Linted(done, Results(tuple(findings), issues, inputs, unreadable, text, seen.gaps), seen)


def try_fix(done: LintCheck, found: Found, fixed: Callable[[Found], Finding]) -> list[Finding]:
    """Return a finding with its fixes; an internal error becomes another finding."""
    finding, sources = found.finding, done.sources
    what = f"the fix of {finding.code} in {finding.input}"
    result = tried(partial(fixed, found), what, finding.input, finding.path)
    if not isinstance(result, Failure):
        return [result]
    failures = unaccepted(reported(sources, [result]), done.ledger)
    return [finding, *(one.finding for one in failures)]
