"""What breaks a cycle: the statement a person would change, and what comes up once it is gone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.graph.cycles import cuts
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.phrases import statement_line
from tests.graph.random_catalogs import Document, graph_from, without


def catalog(*rows: tuple[str, dict[str, Any]], contains: tuple[str, ...] = ()) -> Document:
    """A document from references with parameters; `contains` as `Class[A] Notify[b]`."""
    resources = [
        {
            "type": ref.partition("[")[0],
            "title": ref.partition("[")[2][:-1],
            "kind": "class" if ref.startswith("Class") else "compilable_type",
            "parameters": {k: v if k == "owner" else [v] for k, v in parameters.items()},
        }
        for ref, parameters in rows
    ]
    edges = [dict(zip(("source", "target"), pair.split(), strict=True)) for pair in contains]
    return {"name": "n", "catalog_format": 2, "resources": resources, "edges": edges}


def only_cycle(document: Document) -> Cycle:
    (cycle,) = graph_from(document).cycles()
    return cycle


def cut_of(document: Document) -> list[str]:
    """The lines of the cut, after a check that it leaves no cycle."""
    statements = only_cycle(document).cut.statements
    left = without(document, {made for s in statements for made in s.relationships})
    assert graph_from(left).cycles() == []
    return [statement_line(statement) for statement in statements]


def written(document: Document, **places: str) -> Document:
    """The document with `file:line` for resources by title."""
    for row in document["resources"]:
        file, _, line = places.get(
            row["title"].strip("/"), "site-modules/modules/m.pp:9"
        ).partition(":")
        row.update(file=file, line=int(line))
    return document


def test_an_edge_that_puppet_would_make_anyway_is_no_cut() -> None:
    """Taking back the cheapest, `require => User[u]`, would not help: it is autorequired."""
    document = catalog(
        ("Notify[n]", {"require": "File[/f]", "before": "User[u]"}),
        ("User[u]", {}),
        ("File[/f]", {"owner": "u", "require": "User[u]"}),
    )
    (line,) = cut_of(written(document, f="own.pp:1"))
    assert "in Notify[n]" in line


def test_an_automatic_edge_that_a_cut_lets_in_is_broken_too() -> None:
    """Without the statement in own.pp, the file would autorequire its owner, in a new cycle."""
    document = catalog(
        ("File[/f]", {"owner": "u", "before": "User[u]"}),
        ("Notify[x]", {"before": "File[/f]"}),
        ("User[u]", {"before": "Notify[x]"}),
        ("Notify[n]", {"before": "User[u]", "require": "File[/f]"}),
    )
    document = written(document, f="own.pp:1", x="own.pp:1", u="modules/m.pp:2", n="modules/m.pp:3")
    assert cut_of(document)
    assert not only_cycle(document).cut.exact


def test_a_container_left_empty_still_joins_its_ends() -> None:
    """Taking K out of A costs least, and leaves A as it was."""
    document = catalog(
        ("Class[A]", {"require": "Notify[n]", "before": "Notify[n]"}),
        ("Class[K]", {}),
        ("Notify[n]", {"before": "Class[A]", "require": "Class[A]"}),
        contains=("Class[A] Class[K]",),
    )
    lines = cut_of(written(document, A="modules/m.pp:1", n="modules/m.pp:2"))
    assert len(lines) == 2
    assert not any("contains" in line for line in lines)


def test_the_statement_that_makes_least_is_taken(sample: Callable[[str], Path]) -> None:
    graph = analyzer.relate(analyzer.load_catalog(sample("layered_20x7") / "catalog.json"))
    (cycle,) = graph.cycles()
    (statement,) = cycle.cut.statements
    assert statement.count == 1
    assert statement.example.target in (cycle.path[0], cycle.path[-2])


@pytest.mark.parametrize("size", [3, 6, 30])
def test_a_tangle_is_cut_soon(size: int) -> None:
    refs = [f"Notify[{n}]" for n in range(size)]
    document = catalog(*((ref, {}) for ref in refs))
    for holder, other in permutations(range(size), 2):
        parameters = document["resources"][holder]["parameters"]
        parameters.setdefault("before", []).append(refs[other])
    cycle = only_cycle(document)
    assert len(cut_of(document)) == size * (size - 1) // 2
    assert cycle.cut.exact == (size < 30)


def test_many_separate_cycles_through_one_resource() -> None:
    """Twelve cycles of twenty edges each: twenty to the twelfth ways, found at once."""
    document = catalog(("Notify[hub]", {}), *((f"Notify[{n}]", {}) for n in range(12 * 19)))
    rows = {f"{row['type']}[{row['title']}]": row["parameters"] for row in document["resources"]}
    for petal in range(12):
        ring = ["Notify[hub]", *(f"Notify[{petal * 19 + n}]" for n in range(19)), "Notify[hub]"]
        for first, second in pairwise(ring):
            rows[first].setdefault("before", []).append(second)
    cut = only_cycle(document).cut
    assert len(cut.statements) == 12
    assert cut.exact


def test_a_collector_chain_is_one_statement() -> None:
    """Every one of 40 resources before every one of 40 others, and one edge back."""
    left, right = ([f"Notify[{side}{n}]" for n in range(40)] for side in "lr")
    document = catalog(*((ref, {}) for ref in [*left, *right]))
    rows = {f"{row['type']}[{row['title']}]": row["parameters"] for row in document["resources"]}
    for ref in left:
        rows[ref]["before"] = list(right)
    for ref in right[:2]:
        rows[ref]["before"] = left[:2]
    cycle = only_cycle(document)
    assert len(cycle.members) == 4
    chain = [s for s in cycle.cut.statements if s.example.origin.many]
    assert [(s.count, len(s.relationships)) for s in chain] in ([], [(4, 4)])
    assert cut_of(document)


def test_in_a_large_knot_no_more_is_cut_than_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of classes, and three edges back, where the search for the cheapest is given up."""
    monkeypatch.setattr(cuts, "SEARCHED", -1)
    monkeypatch.setattr(cuts, "GREEDY", -1)
    names = [f"Class[C{n}]" for n in range(30)]
    inner = [f"Notify[{n}]" for n in range(30)]
    rows: list[tuple[str, dict[str, Any]]] = []
    for n in range(30):
        rows.append((names[n], {"require": names[n - 1]} if n else {}))
        rows.append((inner[n], {"before": inner[n - 25]} if n in (25, 27, 29) else {}))
    document = catalog(*rows, contains=tuple(map(" ".join, zip(names, inner, strict=True))))
    lines = cut_of(document)
    assert len(lines) == 3
    assert not only_cycle(document).cut.exact


@pytest.mark.parametrize(
    ("count", "more", "lost"),
    [
        (2, "", 4),
        (2, "Package['p2'] -> Service['s2']", 3),
        (2, "notify { 'n': require => Package['p2'], before => Service['s2'] }", 3),
        (2, "Service['s1'] -> Service['s2']", 4),
        (9, "", 81),
    ],
)
def test_an_arrow_between_collectors_loses_what_it_orders_elsewhere(
    count: int, more: str, lost: int
) -> None:
    """All pairs are lost that no other path orders, not only those within the cycle."""
    names = [[f"{side}{n}" for n in range(1, count + 1)] for side in "ps"]
    code = (
        f"package {{ {names[0]}: }} service {{ {names[1]}: }} Package <| |> -> Service <| |>"
        f"\nService['s1'] -> Package['p1']\n{more}"
    )
    catalog = analyzer.compile(code=code)
    (cycle,) = analyzer.relate(catalog).cycles()
    (statement,) = cycle.cut.statements
    assert "Package[p1] -> Service[s1]" in statement_line(statement)
    assert cycle.cut.lost_count == lost
