"""Stores that are damaged, locked, changed by hand, or left by killed runs: an answer or one error.

The user's own store is sealed as a whole, and no row of it: only its user may write the file, and
who may do that may as well change what reads it. A store that --store names is believed.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome, Run, run
from tests.fleet.generator import write

__all__ = ["run"]

COMMAND = "import sys; from analyzer.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with catalogs and a store of their answers."""
    folder = tmp_path_factory.mktemp("fleet")
    write(folder / "catalogs", 6)
    words = ["fleet", "cycles", str(folder / "catalogs"), "--workers", "1"]
    words += ["--store", str(folder / "good.sqlite")]
    done = subprocess.run([sys.executable, "-c", COMMAND, *words], check=False)
    assert done.returncode == 1
    return folder


Ask = Callable[[], Outcome]


@pytest.fixture
def ask(run: Run, asked: Path, tmp_path: Path) -> tuple[Path, Ask]:
    """Return a copy of the store, and a function that asks with it."""
    store = tmp_path / "s.sqlite"
    store.write_bytes((asked / "good.sqlite").read_bytes())
    given = (asked / "catalogs", "--store", store, "--workers", "1")
    return store, lambda: run("fleet", "cycles", *given)


def assert_answer_or_error(done: Outcome, right: str) -> None:
    if done.code == 2:
        assert done.err.rstrip().endswith("--store FILE names another (bad-store)"), done.err
        assert done.err.count("\n") == 1
        assert not done.out
    else:
        assert (done.code, done.out) == (1, right)


def change(store: Path, *statements: str) -> None:
    with closing(sqlite3.connect(store)) as db, db:
        for one in statements:
            db.execute(one)


TABLES = ("nodes", "answers", "occurrences", "causes", "compiles", "texts")


@pytest.mark.parametrize("table", TABLES)
def test_other_tables(ask: tuple[Path, Ask], table: str) -> None:
    store, call = ask
    right = call().out
    change(store, f"drop table {table}", f"create table {table} (x)")
    assert_answer_or_error(call(), right)
    store.with_name("s.sqlite-wal").unlink(missing_ok=True)
    change(store, f"drop table {table}", f"create view {table} as select 1 as node")
    assert_answer_or_error(call(), right)


BODIES = ("'[]'", "'{}'", "''", "x'00ff'", "'[1, [99999], [], \"\"]'", "'[1e999, [1], [], 0]'",
          "'[' || hex(zeroblob(100000))")  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_rows_that_hold_something_else(ask: tuple[Path, Ask], body: str) -> None:
    for table in ("answers", "occurrences"):
        store, call = ask
        change(store, f"update {table} set body = {body}")
        done = call()
        assert (done.code, "Traceback" in done.err, "internal error" in done.err) != (
            2,
            False,
            True,
        )
        assert "internal error" not in done.err


def test_another_version(ask: tuple[Path, Ask]) -> None:
    store, call = ask
    right = call().out
    change(store, "pragma user_version = 99")
    done = call()
    assert (done.code, done.out) == (1, right)


def test_a_file_that_may_only_be_read(ask: tuple[Path, Ask]) -> None:
    store, call = ask
    right = call().out
    store.chmod(0o400)
    assert_answer_or_error(call(), right)


def test_a_locked_file(ask: tuple[Path, Ask], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.fleet.store.PATIENCE", 0.05)
    store, call = ask
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("begin exclusive")
        done = call()
    assert done.code == 2
    assert "cannot be used as a store: database is locked; --store FILE names another" in done.err


def test_pieces(ask: tuple[Path, Ask]) -> None:
    store, call = ask
    right, whole = call().out, store.read_bytes()
    for size in (0, 1, 16, 100, 4096, len(whole) // 2, len(whole) - 1):
        store.write_bytes(whole[:size])
        assert_answer_or_error(call(), right)


@pytest.mark.slow
def test_random_bytes(ask: tuple[Path, Ask]) -> None:
    store, call = ask
    call()
    whole = store.read_bytes()
    for seed in range(60):
        data, dice = bytearray(whole), random.Random(seed)
        for _ in range(dice.choice((1, 20, 400))):
            data[dice.randrange(len(data))] = dice.randrange(256)
        store.write_bytes(data)
        done = call()
        assert done.code in (0, 1, 2, 3)
        assert "internal error" not in done.err, seed


@pytest.mark.slow
def test_killed_writers(ask: tuple[Path, Ask], asked: Path) -> None:
    store, call = ask
    right = call().out
    dice = random.Random(7)
    words = ["fleet", "cycles", str(asked / "catalogs"), "--workers", "1", "--store", str(store)]
    for _ in range(12):
        for path in store.parent.glob("s.sqlite*"):
            path.unlink()
        with subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        ) as writer:  # fmt: skip
            time.sleep(dice.uniform(0.1, 1.5))
            writer.send_signal(signal.SIGKILL)
        done = call()
        assert (done.code, done.out) == (1, right)
