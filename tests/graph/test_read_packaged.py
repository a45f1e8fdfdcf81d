"""Types of packaged modules, read in Ruby without our table: they give what its rows give.

`python -m tests.graph.test_read_packaged` prints the figures. The edges of the cases are Puppet's,
and each row of the table has a case.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import analyzer
from analyzer.graph.automatic import modules as table
from analyzer.graph.automatic.rules import AutoRelation
from tests.graph.rule_cases import MODULES, RuleCase, edges_of, manifest, read_cases

# Cases that are refused are about the names of resources.
CASES = [
    case
    for case in read_cases(Path(__file__).with_name("module_rules.txt"))
    if not any(line.startswith("Could not") for line in case.edges)
]
EDGE = re.compile(r"(\w+\[.*\]) [-~]> (\w+\[.*\]) : (\w+)")
SAME, NOT_KNOWN = "same", "not known"

# A rule: the type that has it, its kind, and the type that it names.
Rule = tuple[str, str, str]


def rule_of(row: AutoRelation) -> Rule:
    type, kind, target = row.id.split(" ")
    return type, kind.removesuffix("s"), target


TABLED = {rule_of(row) for row in table.ROWS}


def by_rule(edges: tuple[str, ...], case: RuleCase) -> dict[Rule, set[str]]:
    """Return the automatic relationships by rule; those that were left out count as well.

    What a type generates has no file that is read.
    """
    found: dict[Rule, set[str]] = {}
    declared = {f"{one.type}[{one.title}]" for one in case.resources}
    for line in edges:
        match = EDGE.match(line)
        if match is not None and {match[1], match[2]} <= declared:
            source, target, kind = (one.partition("[")[0].lower() for one in match.groups())
            owner = (target, kind, source) if kind.endswith(("require", "subscribe")) else None
            found.setdefault(owner or (source, kind, target), set()).add(line.partition(" !")[0])
    return found


def outcomes(case: RuleCase, folder: Path) -> Iterator[tuple[Rule, str]]:
    """Yield for each rule that a case shows how what is read differs from Puppet's edges."""
    files = {path.stem for root in MODULES for path in Path(root).glob("*/lib/puppet/type/*.rb")}
    site = folder / "site.pp"
    site.write_text(manifest(case))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "ROWS", ())
        patch.setattr(table, "WITHOUT_ROWS", frozenset())
        graph = analyzer.relate(analyzer.compile(site, modulepath=MODULES))
        ours = by_rule(edges_of(graph), case)
    unknown = {
        (one.type.lower(), one.kind, one.target.lower())
        for one in graph.catalog.relations
        if one.unknown
    }
    wanted = by_rule(case.edges, case)
    for rule in sorted(wanted.keys() | ours.keys()):
        type = rule[0]
        if type not in files or rule not in TABLED:
            continue
        if rule in unknown or (type, "autorequire", "") in unknown:
            yield rule, NOT_KNOWN
        elif ours.get(rule) == wanted.get(rule):
            yield rule, SAME
        else:
            yield rule, f"{case.name}: {ours.get(rule)} and not {wanted.get(rule)}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_read_agrees_with_the_table(case: RuleCase, tmp_path: Path) -> None:
    found = dict(outcomes(case, tmp_path))
    assert {rule: said for rule, said in found.items() if said not in {SAME, NOT_KNOWN}} == {}


def report() -> None:
    """Print the figures, and the rules that are not read as in the table."""
    rules: dict[Rule, set[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        for case in CASES:
            for rule, said in outcomes(case, Path(name)):
                rules.setdefault(rule, set()).add(said)
    for rule, found in rules.items():
        if found != {SAME}:
            print(*rule, "; ".join(sorted(found)))
    differ = sum(bool(found - {SAME, NOT_KNOWN}) for found in rules.values())
    same = sum(found == {SAME} for found in rules.values())
    print(f"{len(rules)} of {len(TABLED)} rules: {same} same, {differ} differ, the rest not known")


if __name__ == "__main__":
    report()
