"""What is done another way on large inputs gives what the plain way gives."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli import main
from analyzer.frontends.catalog_json import from_document
from analyzer.graph.algorithms.components import cyclic_core, is_cyclic
from analyzer.graph.autorelations import DirectEdges
from analyzer.graph.cycles.puppet_text import PathSearch
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.refs import ResourceRef

Adjacent = dict[int, list[int]]


@st.composite
def successors(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(1, 8))
    targets = st.lists(st.integers(0, size - 1), max_size=3, unique=True)
    return draw(st.lists(targets, min_size=size, max_size=size))


@given(successors())
def test_a_way_back_is_what_peeling_leaves(succ: list[list[int]]) -> None:
    assert is_cyclic(succ) == bool(cyclic_core(succ))


def paths_in_cycle(adjacent: Adjacent, start: int) -> list[int]:
    """Puppet's own search (SimpleGraph#paths_in_cycle), which takes exponential time."""
    queue: deque[list[int]] = deque([[start]])
    while True:
        walk = queue.popleft()
        if walk[-1] in walk[:-1]:
            return walk
        queue.extend([*walk, t] for t in adjacent[walk[-1]])


@given(successors(), st.randoms(use_true_random=False))
def test_the_reported_path_is_the_one_puppet_finds(succ: list[list[int]], rng: Any) -> None:
    # A ring through all nodes makes one component of them.
    size = len(succ)
    adjacent = {v: list(dict.fromkeys([*ts, (v + 1) % size])) for v, ts in enumerate(succ)}
    for targets in adjacent.values():
        rng.shuffle(targets)
    members = list(range(size))
    assert PathSearch(adjacent, members).first_meeting_walk() == paths_in_cycle(adjacent, 0)


def test_a_long_ring_is_followed() -> None:
    size = 20_000
    ring = {v: [(v + 1) % size] for v in range(size)}
    assert PathSearch(ring, list(range(size))).first_meeting_walk() == [*range(size), 0]


@pytest.mark.slow
def test_what_takes_too_long_is_given_up() -> None:
    # Every step has two ways on, so that every node may be the one to come back to.
    size = 6000
    ladder = {v: [(v + 2) % size, (v + 3 - 2 * (v % 2)) % size] for v in range(size)}
    assert PathSearch(ladder, list(range(size))).first_meeting_walk() == []


def graph_of(*resources: dict[str, Any]) -> RelationshipGraph:
    rows = [{"kind": "compilable_type", "parameters": {}, **row} for row in resources]
    return relate(from_document({"resources": rows, "edges": []}, "test"))


@pytest.mark.parametrize("files", [DirectEdges.LONG // 3, DirectEdges.LONG * 3])
def test_automatic_edges_of_a_user_with_many_files(files: int) -> None:
    """A third of the files says the same itself, a third the opposite."""
    said = [{"require": "User[u]"}, {"before": "User[u]"}, {}]
    rows = [
        {"type": "File", "title": f"/f{n}", "parameters": {"owner": "u", **said[n % 3]}}
        for n in range(files)
    ]
    graph = graph_of({"type": "User", "title": "u"}, *rows)
    kept = [str(edge.target) for edge in graph.relationships() if edge.auto]
    assert kept == [f"File[/f{n}]" for n in range(files) if n % 3 == 2]
    reasons = [drop.reason for drop in graph.dropped()]
    expected = ["same edge present", "opposite edge present"]
    assert reasons == [expected[n % 3] for n in range(files) if n % 3 < 2]


def test_equal_long_lists_report_their_missing_targets_each() -> None:
    targets = [f"Notify[t{n}]" for n in range(20)]
    rows = [{"type": "Notify", "title": f"t{n}"} for n in range(19)]
    sources = [
        {"type": "Notify", "title": f"s{n}", "parameters": {"before": list(targets)}}
        for n in range(3)
    ]
    graph = graph_of(*sources, *rows)
    assert [str(missing.declared_by) for missing in graph.missing()] == [
        "Notify[s0]",
        "Notify[s1]",
        "Notify[s2]",
    ]
    assert graph.relationship_count == 3 * 19
    assert len(graph.kernel.junctions) == 1


def test_long_lists_that_find_nothing_make_no_edge() -> None:
    nothing = [f"Notify[x{n}]" for n in range(20)]
    first = {"type": "Notify", "title": "a", "parameters": {"before": nothing}}
    second = {"type": "Notify", "title": "b", "parameters": {"require": "Notify[a]"}}
    graph = graph_of(first, second)
    assert [str(edge) for edge in graph.relationships()] == ["Notify[a] -> Notify[b]"]


SLOW = [pytest.param(form, marks=pytest.mark.slow) for form in ("json", "markdown")]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", *SLOW])
def test_a_report_compares_no_member_with_all_on_the_path(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 300
    requires = [f"notify {{ 'n{n}': require => Notify['n{(n + 1) % size}'] }}" for n in range(size)]
    path = tmp_path / "ring.pp"
    path.write_text("\n".join(requires))
    compared = 0
    equal = ResourceRef.__eq__

    def counted(one: ResourceRef, other: object) -> bool:
        nonlocal compared
        compared += 1
        return equal(one, other)

    monkeypatch.setattr(ResourceRef, "__eq__", counted)
    assert main(["cycles", "--format", form, str(path)]) == 1
    assert compared < 20 * size


def test_files_of_a_folder_find_what_each_finds_by_itself() -> None:
    folders = ("/", "//", "/a", "/a/", "/a//b", "/a/./b", "/a/../b", ".", "./a", "a", "..", "")
    paths = [folder + name for folder in folders for name in ("/x", "/.x", "/y")]
    above = [{"type": "File", "title": path} for path in ("/", "/a", "/a/b", "/b", "a", ".")]

    def automatic(some: list[str]) -> list[str]:
        rows = [
            {"type": "File", "title": f"t{path}", "parameters": {"path": path}} for path in some
        ]
        return [str(edge) for edge in graph_of(*above, *rows).relationships() if "[t" in str(edge)]

    alone = [edge for path in paths for edge in automatic([path])]
    together = automatic(paths)
    assert alone
    assert together == alone
