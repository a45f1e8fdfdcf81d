"""Each row of the tables of automatic relationships is a fact about Puppet, shown by a case."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from analyzer.graph import generated
from analyzer.graph.automatic import core as rules_core
from analyzer.graph.automatic import modules as rules_modules
from analyzer.graph.automatic.rules import AutoRelation
from analyzer.graph.automatic.selectors import names
from analyzer.graph.labels import AUTOREQUIRE
from tests.graph.rule_cases import RuleCase, catgraph_edges, read_cases
from tests.graph.test_types import AUTOMATIC, KEYS
from tests.known_gaps import known_gaps

FILES = ("core_rules.txt", "module_rules.txt", "zfs_rules.txt", "windows_rules.txt")
CASES = [case for name in FILES for case in read_cases(Path(__file__).with_name(name))]
TABLES = [rules_core, rules_modules]


def cases_of(type: str) -> list[RuleCase]:
    return [case for case in CASES if any(one.type == type for one in case.resources)]


def unnoticed(
    table: ModuleType, rows: Sequence[AutoRelation], patch: pytest.MonkeyPatch
) -> set[str]:
    """The rows that no case misses when they are left out."""
    found = set()
    for row in rows:
        patch.setattr(table, "ROWS", tuple(other for other in rows if other is not row))
        if all(catgraph_edges(case) == case.edges for case in cases_of(row.type)):
            found.add(row.id)
    return found


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_every_row_has_a_case(table: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    found = unnoticed(table, table.ROWS, monkeypatch)
    assert not found, f"no case in {FILES} has an edge of these rows: {sorted(found)}"


def test_a_false_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    false = AutoRelation("Exec", AUTOREQUIRE, "Group", names("group"), "type/exec.rb")
    rows = (*rules_core.ROWS, false)
    assert unnoticed(rules_core, rows, monkeypatch) == {"exec autorequires group"}


def test_what_is_generated_has_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    for type in list(generated.GENERATORS):
        with monkeypatch.context() as patch:
            patch.delitem(generated.GENERATORS, type)
            assert any(catgraph_edges(case) != case.edges for case in cases_of(type)), type


def test_the_rows_are_the_blocks_in_ruby() -> None:
    """In both directions, for all types that were there when Puppet was asked."""
    rows = [row for table in TABLES for row in table.ROWS]
    ours = {row.id for row in rows if row.type in KEYS}
    assert AUTOMATIC - ours == set(known_gaps("automatic"))
    false = sorted(ours - AUTOMATIC)
    assert not false, f"Puppet has no such blocks (tests/graph/puppet_types.txt): {false}"


def test_the_types_are_puppets() -> None:
    rows = {row.type for table in TABLES for row in table.ROWS}
    named = rows | rules_core.KNOWN | rules_modules.WITHOUT_ROWS
    unknown = named - set(KEYS) - {"Class", "Node"}
    assert unknown == set(known_gaps("types")), "record the types: tests/graph/puppet_types.rb"
