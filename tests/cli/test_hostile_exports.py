"""A store of exported resources whose rows hold anything: an error or a graph, nothing else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from tests.amount import ALL
from tests.cli.conftest import Run
from tests.cli.test_escapes import EVIL, UNSAFE

SITE = """
node 'a' { @@notify { 'x': message => 'hi', tag => 't', require => Notify['y'] } notify { 'y': } }
node 'b' { Notify <<| |>> notify { 'y': } }
"""
ODD: tuple[Any, ...] = (
    None, -1, 1.5, True, "", EVIL, [], {}, {"": ""}, [[[]]], "x" * 5000, 10**40,
    {"__ptype": "Sensitive", "__pvalue": "x"}, {"__ptype": "Deferred"}, {"__ptype": EVIL},
)  # fmt: skip
COLUMNS: dict[str, tuple[object, ...]] = {
    "type": (1, EVIL, "", "file", "class", "Stage", b"\xff"),
    "node": (EVIL, "", 1, b"\xff"),
    "position": (-1, "x", 2**60),
    "resource": ("", "{", "null", b"\xff\xfe", "[" * 100_000, 1),
}


def changed(value: Any, odd: object) -> Iterator[Any]:
    """Yield a value with each of its parts replaced."""
    yield odd
    for key in value if isinstance(value, dict) else range(len(value)) if is_list(value) else ():
        for part in changed(value[key], odd):
            whole = json.loads(json.dumps(value))
            whole[key] = part
            yield whole


def is_list(value: object) -> bool:
    """Return whether a value is a list."""
    return isinstance(value, list)


def test_rows_that_hold_anything(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("site.pp").write_text(SITE)
    assert run("compile", "site.pp", "--node", "a", "--store", "good.db").code == 0
    ((text,),) = rows("good.db", "SELECT resource FROM exported")
    resources = [json.dumps(one) for odd in ODD for one in changed(json.loads(text), odd)]
    edits: list[tuple[str, object]] = [("resource", one) for one in resources]
    edits += [(column, one) for column, values in COLUMNS.items() for one in values]
    for column, value in edits if ALL else edits[::7]:
        copy("good.db", "bad.db")
        rows("bad.db", f"UPDATE exported SET {column} = ?", value)
        done = run("cycles", "site.pp", "--node", "b", "--store", "bad.db", "--no-cache")
        assert done.code in (0, 1, 2, 3)
        assert "internal error" not in done.out + done.err, (column, value)
        assert UNSAFE.search(done.out + done.err) is None, (column, value)


def rows(file: str, statement: str, *values: object) -> list[Any]:
    """Return the rows of a statement."""
    connection = sqlite3.connect(file)
    try:
        with connection:
            return connection.execute(statement, values).fetchall()
    finally:
        connection.close()
