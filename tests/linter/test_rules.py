"""Each rule's own examples: the bad ones are found at the marked lines, the good ones are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.docs import Example
from analyzer.linter.failures import Failure
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from tests.linter.examples import findings

RULES = all_rules()
BAD = [(rule, example) for rule in RULES.values() for example in rule.docs.bad]
GOOD = [(rule, example) for rule in RULES.values() for example in rule.docs.good]
SILENT = [(rule, example) for rule in RULES.values() for example in rule.docs.silent]
# Rules about policies and comments are exact: they read what is written.
BY_EVIDENCE = [rule for rule in RULES.values() if rule.code < "CG500" and rule.code >= "CG100"]


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_has_a_summary_a_reason_and_both_kinds_of_examples(rule: Rule) -> None:
    docs = rule.docs
    assert docs.summary, f"{rule.module}: the docstring begins with no summary"
    assert docs.why, f"{rule.module}: the docstring has no paragraph `Why:`"
    if rule.on is Failure:
        # No program is to be blamed for a fault of our own.
        return
    assert docs.bad, f"{rule.module}: the docstring has no example below `Bad:`"
    assert docs.good, f"{rule.module}: the docstring has no example below `Good:`"
    marked = [bool(example.blamed) for example in docs.bad]
    assert all(marked), f"{rule.module}: a bad example has no line that ends in `# <--`"
    assert not any(example.blamed for example in docs.good)


@pytest.mark.parametrize(("rule", "example"), BAD, ids=lambda x: getattr(x, "code", ""))
def test_a_bad_example_is_found(rule: Rule, example: Example, tmp_path: Path) -> None:
    found = findings(rule, example, tmp_path)
    lines = [one.finding.span.line for one in found if one.finding.span]
    assert sorted(set(lines)) == list(example.blamed), [one.finding for one in found]


@pytest.mark.parametrize(("rule", "example"), GOOD, ids=lambda x: getattr(x, "code", ""))
def test_a_good_example_is_not(rule: Rule, example: Example, tmp_path: Path) -> None:
    assert [one.finding for one in findings(rule, example, tmp_path)] == []


@pytest.mark.parametrize(("rule", "example"), SILENT, ids=lambda x: getattr(x, "code", ""))
def test_evidence_against_a_finding_silences_it(
    rule: Rule, example: Example, tmp_path: Path
) -> None:
    assert [one.finding for one in findings(rule, example, tmp_path)] == []


@pytest.mark.parametrize("rule", BY_EVIDENCE, ids=lambda rule: rule.code)
def test_a_rule_names_its_evidence(rule: Rule) -> None:
    lacking = f"{rule.module}: the docstring has no paragraph `Evidence:`"
    assert rule.docs.evidence, lacking
