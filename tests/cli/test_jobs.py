"""Work that several processes share: `cycles` and `explore` print what one process prints."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from analyzer.export.reports.exploration_json import document
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.explorer import Budget
from analyzer.session import shared_compiles, workers
from analyzer.session.inputs import graph_of
from analyzer.session.shared_compiles import SharedCompiles, compile_shared
from analyzer.session.workers import InAdvance, Workers
from analyzer.session.worlds import budget
from analyzer.session.worlds.bounded import Bounded, Searched
from analyzer.session.worlds.exploring import Exploring, explore
from analyzer.session.worlds.joint import OpenSearch, SearchesElsewhere, search_together
from analyzer.session.worlds.kept import KeptSearches
from analyzer.session.worlds.turns import SearchKey, Turn, nobody

from .conftest import Run

# Nodes of three kinds, some of which differ by their data or facts of the site, and an error.
PROFILE = """class profile($port = 80) {
  if $facts['os']['family'] == 'RedHat' { notify { 'r': require => Notify['s'] } }
  else { notify { 'r': } }
  notify { 's': before => Notify['r'] }
  if $facts['os']['family'] == 'Suse' { Notify['r'] -> Notify['s'] }
  [].each |$x| { if $facts['kernel'] == 'Linux' { notify { $x: } } }
}
"""
OTHER = """class other {
  case $facts['role'] { 'db': { include profile } 'web': { fail('no') } default: { } }
  unless $::site_name == 'x' { notify { "n ${::site_name}": } }
}
"""
NODES = [
    *(f"node 'w{n}' {{ include profile }}" for n in range(5)),
    *(f"node 'd{n}' {{ include other notify {{ 'd{n}': }} }}" for n in range(4)),
    "node 'x' { include profile, other }",
    "node 'y' { include gone }",
    "node 'z' { notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] } }",
]
COLLECTS = "node 'c' { @@notify { 'x': } Notify <<| |>> }"


def written(folder: Path, *more: str) -> str:
    """Write a site of nodes; return its folder."""
    texts = {
        "manifests/site.pp": "\n".join([*NODES, *more]),
        "modules/profile/manifests/init.pp": PROFILE,
        "modules/other/manifests/init.pp": OTHER,
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder)


class Early(Workers[Any, Any]):
    """Another process that has answered all parts before the first one's turn, and some twice.

    What it is given and what it answers is written and read as between processes.
    """

    def __init__(self, made: Callable[[], Callable[[Any], Any]]) -> None:
        super().__init__(made, 2)
        self.redone = 0

    def each(
        self,
        parts: Sequence[Any],
        here: Callable[[Any], Any],
        given: Callable[[Any], Any] | None = None,
        wants: Callable[[Any], InAdvance] | None = None,
    ) -> Iterator[Any]:
        answer = self.made()
        order = [*reversed(parts), *parts[::3]]
        told = {
            part: pickle.dumps(answer(pickle.loads(pickle.dumps(given(part) if given else part))))
            for part in order
        }
        for number, part in enumerate(parts):
            # This process works, too.
            one = here(given(part) if given else part) if number % 4 == 1 else None
            yield pickle.loads(told[part]) if one is None else one


@pytest.mark.slow
@pytest.mark.parametrize("facts", [(), ("@debian-12", "@rocky-9")])
def test_nodes_explored_before_their_turn(facts: tuple[str, ...], tmp_path: Path) -> None:
    path, settings = written(tmp_path), Settings(facts=facts)
    asked = (path, settings, graph_of, Budget(12, 60), 1e6)
    early = Early(lambda: Exploring(*asked, keep=False).answer)
    assert document(explore(*asked, keep=False, workers=early)) == document(
        explore(*asked, keep=False)
    )


@pytest.mark.parametrize("resources", [640, 8, 2])
def test_worlds_searched_before_their_turn(
    resources: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "RESOURCES", resources)
    asked = (written(tmp_path), Settings(), graph_of, 8)
    found = searched(Early(lambda: Bounded(*asked).answer), Bounded(*asked))
    alone = searched(nobody(), Bounded(*asked))
    assert found.left == alone.left
    assert [(n.name, list(map(shown, n.findings))) for n in found.nodes] == [
        (n.name, list(map(shown, n.findings))) for n in alone.nodes
    ]
    assert found.nodes


def searched(workers: Workers[Any, Any], search: Bounded) -> Searched:
    """Search all programs of a search."""
    one = OpenSearch(SearchKey(search.path), lambda kept: search)
    search_together([one], workers)
    assert one.found is not None
    return one.found


def test_a_repeated_search_costs_the_same(tmp_path: Path) -> None:
    search = Bounded(written(tmp_path), Settings(), graph_of, 8)
    turns = [Turn(SearchKey(search.path), number, 0) for number in range(len(search.programs))]
    costs = [search.answer(search.given(one)).cost for one in turns]
    assert [search.answer(search.given(one)).cost for one in turns] == costs


def shown(found: Any) -> tuple[object, ...]:
    """Return the printed parts of a finding."""
    return found.finding.message, found.condition, found.world.world


@pytest.mark.parametrize("more", [(), (COLLECTS,)])
def test_catalogs_compiled_elsewhere(
    more: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_compiles, "COMPILES", 2)
    path, settings = written(tmp_path, *more), Settings()
    early = Early(lambda: SharedCompiles(lambda path: settings).answer)
    outcomes = [compile_shared(path, settings, one) for one in (early, nobody())]
    found, alone = ([repr(replaced(one)) for one in outcome.catalogs] for outcome in outcomes)
    assert found == alone
    assert str(outcomes[0].error) == str(outcomes[1].error) != "None"


def replaced(catalog: Any) -> Any:
    """Return a catalog that shows what it is made of."""
    return catalog.name, catalog.resources, catalog.gaps, catalog.warnings, catalog.record


@pytest.mark.slow
@pytest.mark.parametrize("command", ["cycles", "explore"])
@pytest.mark.parametrize("copied", [False, True])
def test_two_processes_print_what_one_prints(
    command: str, copied: bool, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "may_fork", lambda: copied)
    monkeypatch.setattr(workers, "MANY", 1)
    monkeypatch.setattr(workers, "SHORT_OF_COPIES", -1.0)
    monkeypatch.setattr(workers, "LONG_OF_COPIES", -1.0)
    monkeypatch.setattr(shared_compiles, "COMPILES", 2)
    path = written(tmp_path)
    for form in ("text", "json"):
        words = (command, path, "-f", form, "--worlds", "6", "--no-cache")
        assert run(*words, "--jobs", "2") == run(*words, "--jobs", "1")


# Classes that no node has: cycles that a parameter brings, from their place and from another.
SPARE = """class spare($style = 'a', $port = 80) {
  if $style == 'b' { notify { 'sr': require => Notify['ss'] } } else { notify { 'sr': } }
  notify { 'ss': before => Notify['sr'] }
  if $style == 'c' { Notify['sr'] -> Notify['ss'] }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["cycles", "lint", "check"])
@pytest.mark.parametrize("copied", [False, True])
def test_classes_that_no_node_has_are_searched_elsewhere(
    command: str, copied: bool, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "may_fork", lambda: copied)
    monkeypatch.setattr(workers, "MANY", 1)
    monkeypatch.setattr(workers, "SHORT_OF_COPIES", -1.0)
    monkeypatch.setattr(workers, "LONG_OF_COPIES", -1.0)
    path = written(tmp_path)
    for name, file in {"spare": "init", "spare::more": "more", "spare::other": "other"}.items():
        place = tmp_path / f"modules/spare/manifests/{file}.pp"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(SPARE.replace("class spare", f"class {name}").replace("'s", f"'{file}s"))
    words = (command, path, "--worlds", "6", "--no-cache")
    alone = run(*words, "--jobs", "1")
    assert all(f"Notify[{file}sr]" in alone.out for file in ("init", "more", "other"))
    assert run(*words, "--jobs", "2") == alone


def test_two_searches_at_a_time(tmp_path: Path) -> None:
    asked = (written(tmp_path), graph_of, 6)
    keys = [SearchKey(asked[0], number) for number in range(2)]

    def made(key: SearchKey, kept: KeptSearches | None = None) -> Bounded:
        facts = ("@debian-12",) if key.number else ()
        return Bounded(asked[0], Settings(facts=facts), *asked[1:])

    early = Early(lambda: SearchesElsewhere(made).answer)
    rows = []
    for processes in (early, nobody()):
        opened = [OpenSearch(key, partial(made, key)) for key in keys]
        search_together(opened, processes)
        rows.append([one.found for one in opened])
    together, alone = (
        [[n.name for n in one.nodes] + [one.left] for one in row if one is not None] for row in rows
    )
    assert together == alone
    assert len(alone) == len(keys)


def test_a_turn_is_a_part() -> None:
    turn = Turn(SearchKey("path"), 1, 2)
    assert replace(turn, seen="x").weight == turn.weight > 0
