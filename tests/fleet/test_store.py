"""The store: what did not change is not done again, and equal nodes share one answer."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.diagnostics import InputError
from analyzer.fleet.causes import Causes
from analyzer.fleet.engine import Engine
from analyzer.fleet.executors import Opener
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.questions.lint import Lint
from analyzer.fleet.run import Fleet, Progress
from analyzer.fleet.sources.folder import Folder
from analyzer.fleet.store import Store
from analyzer.fleet.values import Question
from tests.fleet.generator import nodes, write


class Here(Engine):
    """An engine that works in this process."""

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        super().__init__(lambda: ThreadPoolExecutor(1), 1)


def ask(folder: Path, store: Path, question: Question | None = None) -> tuple[Causes, Progress]:
    fleet = Fleet(Folder(str(folder)), question or Cycles(), Store(str(store)), Here(), chunk=3)
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
    opened = Store(str(store))
    assert opened.db.execute("select count(*) from answers").fetchone() == (1,)
    assert os.stat(store).st_mode & 0o077 == 0
    opened.close()


def test_failed_nodes_are_tried_again(tmp_path: Path) -> None:
    folder, store = tmp_path / "catalogs", tmp_path / "fleet.sqlite"
    write(folder, 2)
    (folder / "bad.json").write_text("{")
    for _ in range(2):
        causes, progress = ask(folder, store)
        assert [one.node for one in causes.failed()] == ["bad.json"]
    assert progress.reused == 2


def test_history_keeps_the_first_time(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "fleet.sqlite"))
    store.note("here", "cycles", [("id", "title", 2)], "2026-01-01")
    store.note("here", "cycles", [("id", "title", 3)], "2026-02-02")
    assert store.history("here") == [
        ("here", "cycles", "id", "title", "2026-01-01", "2026-02-02", 3)
    ]
    assert store.history("there") == []
    store.close()


def test_what_is_no_store_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("not a database, and long enough to be read as one " * 9)
    with pytest.raises(InputError, match="cannot be used as a store"):
        Store(str(tmp_path / "x"))


def test_the_pool_has_as_many_workers_as_cores() -> None:
    assert Opener().count == len(os.sched_getaffinity(0))
