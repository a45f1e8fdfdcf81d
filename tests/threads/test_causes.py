"""Each cause that threads showed is found by the rule of the table, or by none."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.linter.registry import all_rules
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request
from tests.threads.case import HERE

# The rules about first runs, which came after the table's first column.
NEW = {code for code, rule in all_rules().items() if ".first_run." in rule.module}

Cause = tuple[str, str, str, str]


def causes() -> dict[str, Cause]:
    """Return threads, the rule before and now, and the program of each cause."""
    blocks = (HERE / "causes.txt").read_text(encoding="utf-8").split("=== ")[1:]
    found = {}
    for block in blocks:
        name, threads, before, now, program = block.split("\n", 4)
        words = (line.partition(": ")[2] for line in (threads, before, now))
        found[name] = (*words, program)
    return found  # type: ignore[return-value]


CAUSES = causes()


@pytest.mark.parametrize("name", CAUSES)
def test_a_cause_is_found_by_its_rule(name: str, tmp_path: Path) -> None:
    threads, before, now, program = CAUSES[name]
    path = tmp_path / "site.pp"
    path.write_text(program, encoding="utf-8")
    rule, _, off = now.partition(", ")
    found = {
        one.rule.code for one in check_inputs(Request((str(path),), Choice(), fixes=False)).found
    }
    assert threads
    if off:
        assert rule not in found
        chosen = Choice((rule, "CG200"))
        found = {
            one.rule.code for one in check_inputs(Request((str(path),), chosen, fixes=False)).found
        }
    assert found >= ({rule} - {"-"})
    assert "CG200" not in found
    # What the table calls not found, no rule finds.
    assert before != "-" or not found - NEW
    assert now != "-" or not found
