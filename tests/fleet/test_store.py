"""The store: what did not change is not done again, and equal nodes share one answer."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.diagnostics import InputError
from analyzer.fleet.causes import CauseCollector
from analyzer.fleet.engine import Engine
from analyzer.fleet.executors import Opener
from analyzer.fleet.ledger import WRITTEN, Members, NodeLedger
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.questions.lint import Lint
from analyzer.fleet.run import Fleet, FleetProgress
from analyzer.fleet.sources.folder import Folder
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import FleetQuestion
from tests.fleet.generator import nodes, write


class Here(Engine):
    """An engine that works in this process."""

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        super().__init__(lambda: ThreadPoolExecutor(1), 1)


def ask(
    folder: Path, store: Path, question: FleetQuestion | None = None
) -> tuple[CauseCollector, FleetProgress]:
    fleet = Fleet(
        Folder(str(folder)), question or Cycles(), ResultStore(str(store)), Here(), chunk=3
    )
    found = fleet.run()
    fleet.store.close()
    return found


def test_only_what_changed_is_done_again(tmp_path: Path) -> None:
    folder, store = tmp_path / "catalogs", tmp_path / "fleet.sqlite"
    write(folder, 14)
    first, progress = ask(folder, store)
    assert (progress.done, progress.reused) == (14, 0)
    again, progress = ask(folder, store)
    assert (progress.done, progress.reused) == (14, 14)
    assert again.causes() == first.causes()
    file = next(folder.glob("*/web3.example.com.json"))
    body = json.loads(file.read_text())
    file.write_text(json.dumps({**body, "resources": []}))
    next(folder.glob("*/web4.example.com.json")).unlink()
    changed, progress = ask(folder, store)
    assert (progress.done, progress.reused) == (13, 12)
    assert len(changed.causes()) == len(first.causes()) - 2


def test_a_node_counts_once_by_its_newest_catalog(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "catalogs"
    folder.mkdir()
    bodies = [body for body, _ in nodes(3)]
    for number, version in enumerate((5, 7, 6)):
        body = {**bodies[number], "name": "web.example.com", "version": version}
        (folder / f"{number}.json").write_text(json.dumps(body))
    given = ["fleet", "cycles", str(folder), "--store", str(tmp_path / "s.sqlite"), "-f", "json"]
    for _ in range(2):
        assert main(given) == 1
        told = capsys.readouterr()
        found = json.loads(told.out)
        assert (found["nodes"], len(found["causes"])) == (1, 1)
        assert "name_in_titles" in found["causes"][0]["statements"][0]["file"]
        assert found["causes"][0]["nodes"] == ["web.example.com"]
        assert told.err.count("2 catalogs ignored: only the newest catalog of a node counts") == 1


def test_many_nodes_are_not_in_memory() -> None:
    ledger, expected = NodeLedger(), [f"n{number:06}" for number in range(3 * WRITTEN + 5)]
    one, other = Members(ledger), Members(ledger)
    for name in expected:
        number = ledger.add(name, f"{name}.json")
        one.add(number)
        one.add(number)
        if number % 2:
            other.add(number)
    assert len(one.recent) < WRITTEN
    assert [*one] == expected
    assert (one[0], one[-1], one[1:3]) == (expected[0], expected[-1], tuple(expected[1:3]))
    assert [*other] == expected[::2]
    assert one.digest != other.digest
    assert ledger.keys["n000007"] == "n000007.json"


def test_another_question_has_other_answers(tmp_path: Path) -> None:
    folder, store = tmp_path / "catalogs", tmp_path / "fleet.sqlite"
    write(folder, 3)
    ask(folder, store)
    assert ask(folder, store, Lint())[1].reused == 0
    assert ask(folder, store, Lint(select=("CG301",)))[1].reused == 0
    assert ask(folder, store)[1].reused == 3


def test_equal_nodes_share_an_answer(tmp_path: Path) -> None:
    folder, store = tmp_path / "catalogs", tmp_path / "fleet.sqlite"
    folder.mkdir()
    (body, _), *_ = [one for one in nodes(3) if one[1] == ["name in titles"]]
    for name in ("db1.example.com", "db2.example.com"):
        text = json.dumps(body).replace(body["name"], name)
        text = text.replace(f"make {body['name'].partition('.')[0]}", "make it")
        (folder / f"{name}.json").write_text(text)
    causes, _ = ask(folder, store)
    (cause,) = causes.causes()
    assert cause.nodes == ("db1.example.com", "db2.example.com")
    assert cause.path[0] == "File[/srv/db1.example.com]"
    opened = ResultStore(str(store))
    assert opened.db.execute("select count(*) from answers").fetchone() == (1,)
    assert os.stat(store).st_mode & 0o077 == 0
    opened.close()


def test_failed_nodes_are_tried_again(tmp_path: Path) -> None:
    folder, store = tmp_path / "catalogs", tmp_path / "fleet.sqlite"
    write(folder, 2)
    (folder / "bad.json").write_text("{")
    for _ in range(2):
        causes, progress = ask(folder, store)
        assert [*causes.failed()[0].nodes] == ["bad.json"]
    assert progress.reused == 2


def test_history_keeps_the_first_time(tmp_path: Path) -> None:
    store = ResultStore(str(tmp_path / "fleet.sqlite"))
    store.note("here", "cycles", [("id", "title", 2)], "2026-01-01")
    store.note("here", "cycles", [("id", "title", 3)], "2026-02-02")
    assert store.history("here") == [
        ("here", "cycles", "id", "title", "2026-01-01", "2026-02-02", 3)
    ]
    assert store.history("there") == []
    store.close()


def test_results_of_another_version_go_and_the_history_stays(tmp_path: Path) -> None:
    folder, path = tmp_path / "catalogs", tmp_path / "fleet.sqlite"
    write(folder, 2)
    ask(folder, path)
    store = ResultStore(str(path))
    store.note("here", "cycles", [("id", "title", 2)], "2026-01-01")
    store.db.executescript("drop table nodes; create table nodes (x); pragma user_version=0;")
    store.close()
    assert ask(folder, path)[1].reused == 0
    assert ask(folder, path)[1].reused == 2
    store = ResultStore(str(path))
    assert len(store.history("here")) == 1
    store.close()


def test_what_is_no_store_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("not a database, and long enough to be read as one " * 9)
    with pytest.raises(InputError, match="cannot be used as a store"):
        ResultStore(str(tmp_path / "x"))


def test_the_pool_has_as_many_workers_as_cores() -> None:
    assert Opener().count == len(os.sched_getaffinity(0))
