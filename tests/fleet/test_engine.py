"""The engine: a killed worker loses nothing, and every executor gives the same answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.diagnostics import InputError
from analyzer.fleet.causes import CauseCollector
from analyzer.fleet.engine import Engine
from analyzer.fleet.executors import Opener
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.run import Fleet
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import CatalogSource
from analyzer.fleet.work import Task, work
from tests.fleet.sources import BODIES, Deadly

NAMES = [*BODIES]


def here() -> CauseCollector:
    causes, source = CauseCollector(), Deadly()
    nodes = tuple(source.index())
    for result in sorted(work(Task(source, Cycles(), nodes)), key=lambda one: one.name):
        causes.add(result.name, result)
    return causes


def answer(source: CatalogSource, engine: str, workers: int = 2) -> CauseCollector:
    fleet = Fleet(
        source, Cycles(), ResultStore(""), Engine(Opener(engine, workers), workers), chunk=3
    )
    causes, progress = fleet.run()
    fleet.store.close()
    assert progress.done == progress.total == len(BODIES)
    return causes


def test_a_killed_worker_loses_nothing_and_a_deadly_node_is_said(tmp_path: Path) -> None:
    source = Deadly(always=NAMES[7], once=NAMES[15], mark=str(tmp_path / "mark"))
    causes = answer(source, "pool")
    assert (tmp_path / "mark").exists()
    (failed,) = causes.failed()
    assert (*failed.nodes, failed.reason) == (
        NAMES[7],
        "the worker that examined it was killed twice",
    )
    expected = {(c.identity, tuple(n for n in c.nodes if n != NAMES[7])) for c in here().causes()}
    assert {(c.identity, tuple(c.nodes)) for c in causes.causes()} == {e for e in expected if e[1]}


@pytest.mark.slow
def test_dask_gives_the_same_answer_and_survives_too() -> None:
    causes = answer(Deadly(always=NAMES[7]), "dask", workers=1)
    assert [*causes.failed()[0].nodes] == [NAMES[7]]
    expected = [tuple(n for n in c.nodes if n != NAMES[7]) for c in here().causes()]
    assert sorted(tuple(c.nodes) for c in causes.causes()) == sorted(filter(None, expected))


def test_an_engine_that_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.fleet.executors.CONNECT", "0.2s")
    with pytest.raises(InputError, match="expected pool, dask or dask://HOST:PORT"):
        Opener("spark")
    with pytest.raises(InputError, match="does not answer"):
        Opener("dask://127.0.0.1:1")()
