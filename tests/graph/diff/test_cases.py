"""What is told of two manifests."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import pytest

from analyzer import compile, load_catalog
from analyzer.graph.diff.values import CatalogDiff, Refs
from analyzer.graph.relationship_graph import RelationshipGraph, relate

CASES = Path(__file__).with_name("cases.txt")


class Case(NamedTuple):
    name: str
    first: str
    second: str
    expected: list[str]


def cases() -> list[Case]:
    found = []
    for block in re.split(r"^# ", CASES.read_text(), flags=re.MULTILINE):
        name, _, body = block.partition("\n")
        if "\n---\n" in body:
            first, _, rest = body.partition("\n---\n")
            second, _, expected = rest.partition("===\n")
            found.append(Case(name, first, second, expected.split("\n")))
    return [case._replace(expected=[line for line in case.expected if line]) for case in found]


def graph_of(folder: Path, name: str, text: str) -> RelationshipGraph:
    path = folder / f"{name}.pp"
    path.write_text(text)
    return relate(compile(path))


def told(found: CatalogDiff) -> list[str]:
    lines = []
    for sign, side in (("+", found.gained), ("-", found.lost)):
        lines += [f"{sign} {row(p.first)} before {row(p.second)}" for p in side.order.pairs]
    for sign, side in ((">", found.gained), ("<", found.lost)):
        for edges in side.relationships:
            arrow = "~>" if edges.example.event else "->"
            lines.append(f"{sign} {row(edges.sources)} {arrow} {row(edges.targets)}")
    lines += [f"new {ref}" for ref, _ in found.gained.resources]
    lines += [f"gone {ref}" for ref, _ in found.lost.resources]
    lines += [f"changed {one.ref}" for one in found.changed]
    lines += [f"cycle {row(cycle.members)}" for cycle in found.gained.cycles]
    lines += [f"refresh {one.ref}: {row(one.refreshed)}" for one in found.effects if one.refreshed]
    lines += [f"moved {ref} after {after}" for ref, after in found.moved]
    return lines


def row(refs: Refs) -> str:
    return ", ".join(map(str, refs))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_case(case: Case, tmp_path: Path) -> None:
    first = graph_of(tmp_path, "first", case.first)
    second = graph_of(tmp_path, "second", case.second)
    found = told(first.diff(second))
    assert found == case.expected, "\n".join(
        f"{a or '':<50} {b or ''}" for a, b in zip_longest(found, case.expected)
    )


def test_cases_are_read() -> None:
    assert len(cases()) > 15


def change_of(first: str, second: str, tmp_path: Path) -> CatalogDiff:
    return graph_of(tmp_path, "a", first).diff(graph_of(tmp_path, "b", second))


def test_values_are_compared_as_data(tmp_path: Path) -> None:
    found = change_of(
        "notify { 'n': message => [1, { 'a' => 'x' }], withpath => true, loglevel => 'info' }",
        "notify { 'n': message => [1, { 'a' => 'y' }], withpath => 'true', tag => 't' }",
        tmp_path,
    )
    (one,) = found.changed
    assert [(p.name, p.old, p.new) for p in one.parameters] == [
        ("loglevel", "info", None),
        ("message", [1, {"a": "x"}], [1, {"a": "y"}]),
        ("tag", None, "t"),
        ("withpath", True, "true"),
    ]
    assert one.tags_gained == ("t",)


def test_sensitive_values_are_not_kept(tmp_path: Path) -> None:
    found = change_of(
        "file { '/f': content => Sensitive('hunter2') }",
        "file { '/f': content => Sensitive('tr0ub4') }",
        tmp_path,
    )
    assert [(p.old, p.new) for p in found.changed[0].parameters] == [
        ("Sensitive [value redacted]", "Sensitive [value redacted]")
    ]
    assert "hunter2" not in repr(found)
    assert "tr0ub4" not in repr(found)
    first = "file { '/f': content => Sensitive('hunter2') }"
    assert not change_of(first, first, tmp_path)


def test_what_is_not_known_is_no_difference_but_told(tmp_path: Path) -> None:
    first = "file { '/f': content => $facts['x'], mode => '0644' }"
    second = "file { '/f': content => $facts['x'], mode => '0600' }"
    found = change_of(first, second, tmp_path)
    assert [p.name for p in found.changed[0].parameters] == ["mode"]
    assert [(str(u.ref), u.parameter) for u in found.undecided] == [("File[/f]", "content")]
    same = change_of(first, first, tmp_path)
    assert (bool(same), len(same.undecided)) == (False, 1)


def test_parts_that_differ_decide_although_others_are_not_known(tmp_path: Path) -> None:
    found = change_of(
        "notify { 'n': message => [$facts['x'], 1] }",
        "notify { 'n': message => [$facts['x'], 2] }",
        tmp_path,
    )
    assert [p.name for p in found.changed[0].parameters] == ["message"]
    assert not found.undecided


def test_references_to_what_is_not_there() -> None:
    row = {"type": "Notify", "title": "a", "parameters": {}}
    broken = {**row, "parameters": {"require": "Notify[x]"}}
    first, second = (relate(load_catalog({"resources": [r], "edges": []})) for r in (row, broken))
    found = first.diff(second)
    assert [one.target for one in found.gained.missing] == ["Notify[x]"]
    assert not found.lost.missing
    assert [one.target for one in second.diff(first).lost.missing] == ["Notify[x]"]


def test_resources_declared_twice_and_empty_titles() -> None:
    """What Puppet refuses, and what it takes: of the first kind, the first one counts."""
    rows = [
        {"type": "Class", "title": "", "parameters": {}},
        {"type": "Notify", "title": "", "parameters": {}},
        {"type": "Notify", "title": "a", "parameters": {}},
        {"type": "Notify", "title": "a", "parameters": {"require": "Notify[b]"}},
        {"type": "Notify", "title": "b", "parameters": {}},
    ]
    edges = [{"source": "Class[]", "target": "Notify[]"}]
    first = relate(load_catalog({"resources": rows[:3] + rows[4:], "edges": []}))
    second = relate(load_catalog({"resources": rows, "edges": edges}))
    found = first.diff(second)
    assert not found.gained.relationships
    assert [(str(one.ref), row(one.entered)) for one in found.changed] == [("Notify[]", "Class[]")]
