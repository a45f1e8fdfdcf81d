"""What is shown, as values: no terminal is needed for any of it."""

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.apply.engine.commands import Back, Continue, GoTo, Inject, Step
from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.timeline import Timeline
from analyzer.session.inputs import graph_of, load_catalog
from tests.conftest import ROOT
from tests.tui.opened import project_of
from tui.present.edges import edge_lines
from tui.present.findings import SEVERITIES
from tui.present.frontier import Bits, Frontier
from tui.present.glyphs import LOOKS
from tui.present.legend import legend_lines
from tui.present.nodes import STATES
from tui.present.pieces import Piece, line, plain, printable, ref_pieces, wrapped
from tui.present.timebar import bar, cell_of, step_of
from tui.present.waiting import pending
from tui.project.neighbours import Surroundings
from tui.project.project import OpenRequest, Project
from tui.run.branch import Branch, bits_of, prepare
from tui.run.rollup import RollUp, word_of

HEALTHY = ROOT / "sample_catalogs" / "healthy_web_stack" / "catalog.json"
NOTHING = Piece("")


@pytest.fixture(scope="module")
def project() -> Project:
    return project_of(OpenRequest(str(HEALTHY)))


@pytest.fixture
def branch(project: Project) -> Branch:
    return prepare(project).branch


def test_nothing_of_a_terminal_is_imported() -> None:
    modules = [path.stem for path in (ROOT / "tui" / "present").glob("*.py")]
    names = ", ".join(f"tui.present.{name}" for name in modules if name != "__init__")
    check = f"import sys, {names}; sys.exit(bool({{'textual', 'rich'}} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", check], cwd=ROOT, check=False)
    assert run.returncode == 0


@given(st.sets(st.integers(0, 700)))
def test_bits_are_the_places_in_order(places: set[int]) -> None:
    bits = sum(1 << place for place in places)
    assert list(Bits(bits)) == sorted(places)
    assert bits_of(places, 701) == bits
    assert len(Bits(bits)) == len(places)


@given(st.integers(0, 5000), st.integers(1, 300), st.data())
def test_a_click_on_the_time_line_is_in_the_cell_of_its_step(
    steps: int, width: int, data: st.DataObject
) -> None:
    cell = data.draw(st.integers(0, width - 1))
    step = step_of(cell, steps, width)
    assert 0 <= step <= steps
    if steps + 1 >= width:
        assert cell_of(step, steps, width) == cell


@given(st.lists(st.text("ab \n", max_size=30), max_size=4), st.integers(6, 40))
def test_a_broken_line_loses_no_word(texts: list[str], width: int) -> None:
    pieces = tuple(Piece(text, "dim") for text in texts)
    rows = wrapped(pieces, width)
    assert "".join("".join(map(plain, rows)).split()) == "".join(plain(pieces).split())
    longest = max((len(word) for text in texts for word in text.split()), default=0)
    room = max(4, width // 3)
    assert all(len(plain(row).rstrip()) <= max(width, longest + room) for row in rows)


@pytest.mark.parametrize(
    ("ref", "parts"),
    [
        ("File[/x]", ["File[", "/x", "]"]),
        ("File[a[b]c]", ["File[", "a[b]c", "]"]),
        ("Notify[]", ["Notify[", "", "]"]),
        ("odd", ["odd"]),
    ],
)
def test_a_reference_in_pieces(ref: str, parts: list[str]) -> None:
    assert [piece.text for piece in ref_pieces(ref)] == parts


def test_no_text_steers_the_terminal() -> None:
    shown = printable("a\x1b[2Jb\tc\nd\x07")
    assert shown.isprintable()
    assert "\x1b" not in shown


def recount(line_: Timeline) -> Counter[str]:
    graph, statuses = line_.graph, line_.state.statuses
    return Counter(
        word_of(status)
        for node, status in enumerate(statuses)
        if status is not None and graph.resource(node) is not None
    )


@given(st.lists(st.integers(0, 50), max_size=12))
def test_counts_that_follow_are_those_of_a_count_anew(steps: list[int]) -> None:
    graph = graph_of(load_catalog(HEALTHY))
    from analyzer.apply.timeline import timeline_of

    timeline = timeline_of(graph)
    timeline.do(Inject("Package[nginx]", Outcome("fail")))
    timeline.run()
    rollup = RollUp(timeline.graph)
    for step in steps:
        timeline.do(GoTo(step))
        rollup.follow(timeline.state)
        counts = {word: n for word, n in rollup.counts[None].items() if n}
        assert counts == recount(timeline)
        assert rollup.done.bit_count() == sum(counts.values())


def test_the_parts_of_a_container_add_up(branch: Branch) -> None:
    branch.timeline.run()
    branch.follow()
    graph, rollup = branch.timeline.graph, branch.rollup
    shop = graph.find("Class[Shop]")
    inside = [n for n in graph.inside(shop) if graph.resource(n) is not None]
    assert rollup.totals[shop] == len(inside) == sum(rollup.counts[shop].values())


def test_the_frontier_is_what_is_ready_and_what_waits(branch: Branch) -> None:
    timeline = branch.timeline
    timeline.do(Step(3))
    branch.follow()
    around = Surroundings(timeline.graph.graph)
    frontier = Frontier(timeline, around, branch.own, branch.rollup.done, lambda _: NOTHING)
    nodes = [frontier.node(i) for i in range(len(frontier))]
    own = len(timeline.graph.graph.catalog.resources)
    ready = [timeline.graph.find(str(ref)) for ref in timeline.ready()]
    assert nodes[: frontier.counts[0]] == [node for node in ready if node < own]
    assert all(timeline.state.statuses[node] is None for node in nodes)
    assert all(frontier.index(node) == place for place, node in enumerate(nodes))
    assert plain(frontier[0]).startswith(LOOKS["next"].glyph)


def test_edges_graph_and_waiting_count_the_same() -> None:
    graph = graph_of(load_catalog(HEALTHY))
    around = Surroundings(graph)
    timeline = Timeline(RunGraph(graph))
    for node, ref in enumerate(graph.provenance.refs):
        lines, refs = edge_lines(around, node)
        near = [around.near(node, after=after) for after in (False, True)]
        titles = [plain(row) for row, ref in zip(lines, refs, strict=True) if not ref]
        assert titles == [f"depends on  {len(near[0])}", f"dependents  {len(near[1])}"]
        assert len(pending(timeline, around, node)) == len(near[0]), ref
    # Its class is notified by two resources and a class, and subscribes to nothing itself.
    text = [plain(row) for row in edge_lines(around, graph.locate("Service[nginx]"))[0]]
    assert text[0] == "depends on  4"
    assert all("through Class[" in row for row in text[1:5])


def test_the_time_line_marks_what_failed(branch: Branch) -> None:
    timeline = branch.timeline
    timeline.do(Inject("Package[nginx]", Outcome("fail")))
    timeline.run()
    branch.follow()
    turn = branch.story.turn[timeline.graph.find("Package[nginx]")]
    marks, below = bar(branch.story, 0, len(timeline), len(timeline) + 1, {turn})
    assert marks[turn].text == LOOKS["failed"].glyph
    assert marks[turn].style == "faint"
    assert below[turn].style == "breakpoint"
    timeline.do(Back(Continue()))
    assert branch.story.marks(0, back=False) == 1


def test_a_line_of_pieces() -> None:
    assert plain(line("a ", ("b", "dim"))) == "a b"


def test_a_symbol_has_one_meaning_and_each_is_in_the_legend() -> None:
    assert len({look.glyph for look in LOOKS.values()}) == len(LOOKS)
    # A failure, an error and a refusal share a sign, as do what is in order.
    shared = {LOOKS["failed"].glyph, LOOKS["unchanged"].glyph}
    own = {look.glyph for look in LOOKS.values()} - shared
    assert own.isdisjoint(look.glyph for look in STATES.values())
    assert own.isdisjoint(sign.text for sign in SEVERITIES.values())
    shown = "\n".join(map(plain, legend_lines("run")))
    assert all(f"{look.glyph} " in shown and look.word in shown for look in LOOKS.values())
