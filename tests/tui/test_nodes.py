"""The table of nodes and worlds: its rows, and how nodes are explored one after another."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.worlds.world import World
from analyzer.source import Span
from analyzer.worlds.explored import ExploredNode, ExploredWorld
from tests.conftest import ROOT
from tui.app import CatgraphApp
from tui.present.nodes import NodeRow, NodeTable, in_full, summary
from tui.present.pieces import plain
from tui.project.child import Child
from tui.project.opening import open_project
from tui.project.project import OpenRequest
from tui.project.repository import (
    NodeResult,
    OpenRepository,
    explorer,
    open_world,
    repository_of,
    result_of,
)
from tui.run.exploring import ExploringRun
from tui.run.run_kinds import kinds_of

from .opened import project_of
from .test_loading import until

REPOS = ROOT / "sample_catalogs" / "control_repos"


def opened(path: Path | str) -> OpenRepository:
    found = open_project(OpenRequest(str(path)))
    assert isinstance(found, OpenRepository)
    return found


def explored(path: Path | str) -> tuple[OpenRepository, dict[str, NodeResult]]:
    repository = opened(path)
    process = explorer(repository)
    found = {name: result_of(process, name, lambda: None) for name in repository.names}
    process.end()
    return repository, found


def text(table: NodeTable) -> list[str]:
    return [plain(row).rstrip() for row in (table.head(), *table)]


def made(name: str, *states: str, exhausted: bool = True) -> NodeResult:
    """Return a node with worlds in some states, without graphs."""
    worlds = [
        ExploredWorld(World("debian-12", {"facts.n": number}), {}, state, None, (), None, ())
        for number, state in enumerate(states)
    ]
    return NodeResult(name, ExploredNode(name, worlds, [], len(worlds), exhausted))


# ------------------------------------------------------------------ rows


def test_nodes_by_worlds() -> None:
    repository, found = explored(REPOS / "roles_in_site")
    table = NodeTable(repository.names, found, {"db1.example.com"})
    assert text(table) == [
        "   node               ok   cycle   missing   refused   incomplete",
        " ▸ web1.example.com    -       -         -         -            3",
        " ▾ db1.example.com     1       1         -         -            -",
        "     ✓ ok          debian-12",
        "     ∞ cycle       if facts.os.family is 'RedHat'  rocky-9",
        " ▸ db2.example.com     2       -         -         -            -",
        " ▸ default             2       -         -         -            -",
    ]
    assert table.next_cycle(0, 1) == 1
    assert table.next_cycle(1, 1) is None
    assert table.next_cycle(5, -1) == 1
    assert table.place(NodeRow("db1.example.com", 1)) == 3
    assert table.place(NodeRow("db2.example.com", 1)) == 4
    assert table.place(NodeRow("gone")) == 0


def test_a_node_that_is_explored_now_one_that_failed_and_one_that_may_have_more() -> None:
    found = {
        "a": NodeResult("a", error="x.pp:1:2: error: odd\n  code"),
        "b": made("b", "cycle"),
        "c": made("c", "ok", "incomplete", exhausted=False),
    }
    rows = text(NodeTable(("a", "b", "c", "d", "e"), found, (), current="d"))
    assert rows[1:] == [
        " ✗ a              x.pp:1:2: error: odd",
        "   b               -       1         -         -            -",
        " ▸ c               1       -         -         -            1  maybe more",
        "   d              exploring ...",
        "   e",
    ]
    line = plain(summary(found, ("a", "b", "c", "d", "e")))
    assert "3 of 5 nodes explored, 3 worlds:" in line
    assert "✗ 1 failed" in line


def test_a_filter_knows_names_states_and_worlds() -> None:
    found = {"web": made("web", "ok", "cycle"), "db": made("db", "refused")}
    names = ("web", "db", "later")

    def shown(wanted: str) -> list[str]:
        return [row.node for row in NodeTable(names, found, (), wanted).rows]

    assert shown("") == ["web", "db", "later"]
    assert shown("WEB") == ["web"]
    assert shown("cycle facts.n is 1") == ["web"]
    assert shown("cycle facts.n is 0") == []
    assert shown("late") == ["later"]


def test_a_name_with_escapes_is_one_visible_line() -> None:
    rows = text(NodeTable(("a\x1b[31m\nb",), {}, ()))
    assert "\x1b" not in rows[1]
    assert "\n" not in rows[1]


def test_a_cycle_in_full_has_its_condition_and_its_cut() -> None:
    repository, found = explored(REPOS / "single_module")
    result = found["class mirror"]
    at = next(n for n, world in enumerate(result.worlds) if world.state == "cycle")
    shown = [plain(row) for row in in_full(result, at, 80, repository.request.path)]
    assert shown[0].startswith("∞ cycle  ")
    condition = "if $mirror::purge is true and $mirror::frequency is 'hourly'"
    assert f"cycle {condition}, 5 members" in shown
    assert "to break the cycle, remove 1 statement:" in shown
    assert "   manifests/init.pp:14:28" in shown


# ------------------------------------------------------------------ opening


@pytest.mark.parametrize("name", ["roles_in_site", "single_module", "roles_in_hiera"])
def test_a_repo_with_several_nodes_or_worlds_opens_as_a_table(name: str) -> None:
    assert opened(REPOS / name).title == name


def test_a_repo_with_one_node_and_one_world_opens_as_a_project() -> None:
    found = project_of(OpenRequest(str(REPOS / "classifier")))
    assert "real" in [kind.id for kind in kinds_of(found)]


def test_one_node_of_several_by_its_name(tmp_path: Path) -> None:
    site = tmp_path / "manifests" / "site.pp"
    site.parent.mkdir()
    site.write_text("node a { notify { 'a': } }\nnode b { notify { 'b': } }\n")
    assert opened(tmp_path).names == ("a", "b")
    assert project_of(OpenRequest(str(tmp_path), {"node": "b"})).title == "b"


def test_a_world_has_its_graph_and_no_real_run() -> None:
    repository, found = explored(REPOS / "roles_in_site")
    world = found["db1.example.com"].worlds[1]
    project = open_world(repository, "db1.example.com", world, lambda _: None)
    assert project.title == "db1.example.com, rocky-9"
    assert len(project.graph.cycles()) == 1
    assert [kind.id for kind in kinds_of(project)] == ["simulated"]


# ------------------------------------------------------------------ exploring


def test_nodes_that_do_the_same_share_a_search(tmp_path: Path) -> None:
    site = tmp_path / "manifests" / "site.pp"
    site.parent.mkdir()
    site.write_text("node 'web' { include a }\nnode 'db1', 'db2' { }\nclass a { }\n")
    exploring = ExploringRun(opened(tmp_path), lambda _: None)
    asyncio.run(exploring.explore())
    nodes = [result.explored for result in exploring.results.values() if result.explored]
    assert [(node.name, node.like) for node in nodes] == [("web", ""), ("db1", ""), ("db2", "db1")]


def test_a_process_that_is_ended_is_an_error_of_one_node() -> None:
    repository = opened(REPOS / "roles_in_site")
    process = explorer(repository)
    assert result_of(process, "default", lambda: None).explored
    os.kill(process.process, signal.SIGKILL)
    assert "it may need more memory" in result_of(process, "default", lambda: None).error
    assert result_of(process, "default", lambda: None).explored
    process.end()


def test_the_wanted_node_comes_next_and_a_stop_drops_what_is_under_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_go_on, seen = threading.Event(), []

    def slow(_: object, name: str, check: Callable[[], None]) -> NodeResult:
        seen.append(name)
        if name == "default":
            assert may_go_on.wait(30)
            check()
        return made(name, "ok")

    monkeypatch.setattr("tui.run.exploring.result_of", slow)

    async def run() -> None:
        app = CatgraphApp()
        async with app.run_test(size=(80, 24)) as pilot:
            repository = opened(REPOS / "roles_in_site")
            app.opening.show_repository(repository)
            exploring = app.controller.exploring
            assert exploring is not None
            exploring.wanted = "default"
            await until(pilot, lambda: exploring.current == "default")
            await pilot.press("escape")
            await until(pilot, lambda: not exploring.current)
            may_go_on.set()
            await app.workers.wait_for_complete()
            assert "default" not in exploring.results
            await pilot.press("r")
            await until(pilot, lambda: not exploring.missing)

    asyncio.run(run())
    assert "default" in seen[:2]


@pytest.mark.slow
def test_a_hundred_nodes_fill_in_while_the_cursor_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "manifests" / "site.pp"
    site.parent.mkdir()
    site.write_text("".join(f"node n{number} {{ }}\n" for number in range(100)))
    monkeypatch.setattr(
        "tui.run.exploring.result_of", lambda _, name, check: made(name, "ok", "cycle")
    )

    async def run() -> None:
        app = CatgraphApp()
        async with app.run_test(size=(80, 24)) as pilot:
            app.opening.open(OpenRequest(str(tmp_path)))
            await until(pilot, lambda: app.controller.exploring is not None)
            await pilot.press("down", "down", "end")
            exploring = app.controller.exploring
            assert exploring is not None
            await until(pilot, lambda: not exploring.missing)
            await pilot.press("home", "n", "n")
            await pilot.pause()
            assert "100 nodes, 200 worlds:" in app.screen._compositor.render_strips()[1].text

    asyncio.run(run())


def test_a_node_that_takes_long_is_given_the_time_of_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def explored(name: str) -> ExploredNode:
        raise CompileError("this takes longer than 5 seconds", Span("site.pp"), "too-much")

    slow = Child(explored, "site.pp")
    monkeypatch.setattr("tui.project.repository.explorer", lambda *arguments: slow)
    found = open_project(OpenRequest(str(ROOT / "sample_catalogs/require_loop")), lambda _: None)
    assert isinstance(found, OpenRepository)


def test_a_broken_manifest_is_an_error_as_before(tmp_path: Path) -> None:
    site = tmp_path / "manifests" / "site.pp"
    site.parent.mkdir()
    site.write_text("node a {\n")
    with pytest.raises(Exception, match=r"site\.pp"):
        repository_of(OpenRequest(str(tmp_path)), lambda _: None)
