"""Parse tables: those that are installed are those of the grammars, or are not used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import grammars
from analyzer.frontends import table as tables
from analyzer.frontends.cache import Cache
from grammars.table import NAMES, Table, build_table, installed, write_tables


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the grammars as they are installed, from which all is read."""
    monkeypatch.setattr(grammars.table, "NAMES", ("cfengine",))
    write_tables(tmp_path)
    for file in Path(grammars.__file__).parent.iterdir():
        if file.suffix in (".lark", ".py"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(grammars, "__file__", str(tmp_path / "__init__.py"))
    monkeypatch.setattr(tables, "user_cache", lambda: Cache(None))
    return tmp_path


def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The grammars of which Lark makes the table from now on."""
    found: list[str] = []

    def build(grammar: str) -> Table:
        found.append(grammar)
        return build_table(grammar)

    monkeypatch.setattr(tables, "build_table", build)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_table_of_this_installation(name: str) -> None:
    # A checkout that was never installed has none, and one whose grammar was edited an old one.
    found = installed(name)
    assert found is None or found == build_table(grammars.read(f"{name}.lark"))


def test_an_installed_table_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lark = built(monkeypatch)
    assert tables.table_of("cfengine") == build_table(grammars.read("cfengine.lark"))
    assert not lark


@pytest.mark.parametrize("changed", ["cfengine.lark", "table.py"])
def test_one_of_other_sources_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    lark = built(monkeypatch)
    with (folder / changed).open("a") as file:
        file.write("\n")
    tables.table_of("cfengine")
    assert lark == [grammars.read("cfengine.lark")]


@pytest.mark.parametrize(
    "damage", [None, b"", b"\x80\x05", b"[" * 9999, b'["",[]]', b"1"], ids=repr
)
def test_nor_a_damaged_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | None
) -> None:
    lark = built(monkeypatch)
    if damage is None:
        (folder / "cfengine.table").unlink()
    else:
        (folder / "cfengine.table").write_bytes(damage)
    assert tables.table_of("cfengine") == build_table(grammars.read("cfengine.lark"))
    assert lark


def test_the_same_bytes_each_time(tmp_path: Path) -> None:
    code = f"from pathlib import Path; import grammars.table as t; t.NAMES = {NAMES[1:]}; "
    code += f"t.write_tables(Path({str(tmp_path)!r}))"
    written = set()
    for seed in "12":
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, check=True)
        written.add((tmp_path / "cfengine.table").read_bytes())
    assert len(written) == 1
