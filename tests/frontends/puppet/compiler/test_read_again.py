"""A file that was read for one environment is not read again for the next; others may change."""

from __future__ import annotations

from pathlib import Path

import pytest

import analyzer
from analyzer.diagnostics import CompileError

APP = 'class app(Lib::Port $port = lib::port()) { notify { "${port}": } include lib }\n'
FILES = {
    "app/manifests/init.pp": APP,
    "lib/manifests/init.pp": "class lib { notify { 'one': } }\n",
    "lib/types/port.pp": "type Lib::Port = Integer[1, 9]\n",
    "lib/functions/port.pp": "function lib::port() { 5 }\n",
}


def write(modules: Path, name: str, text: str) -> None:
    path = modules / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def titles(modules: Path) -> list[str]:
    """The titles of the notifications of a catalog with the class."""
    catalog = analyzer.compile(code="include app", facts={}, modulepath=[modules])
    return [one.title for one in catalog.resources if one.type == "Notify"]


def test_files_that_change_count_for_those_that_do_not(tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(tmp_path, name, text)
    assert titles(tmp_path) == ["5", "one"]
    write(tmp_path, "lib/types/port.pp", "type Lib::Port = Integer[10, 19]\n")
    with pytest.raises(CompileError, match=r"Integer\[10, 19\]"):
        titles(tmp_path)
    write(tmp_path, "lib/functions/port.pp", "function lib::port() { 15 }\n")
    assert titles(tmp_path) == ["15", "one"]
    write(tmp_path, "lib/manifests/init.pp", "class lib { notify { 'two': } }\n")
    assert titles(tmp_path) == ["15", "two"]
    write(tmp_path, "lib/types/port.pp", "type Lib::Port = Variant[Lib::Low, Integer[90]]\n")
    write(tmp_path, "lib/types/low.pp", "type Lib::Low = Integer[0, 15]\n")
    assert titles(tmp_path) == ["15", "two"]
    write(tmp_path, "lib/types/low.pp", "type Lib::Low = Integer[0, 14]\n")
    with pytest.raises(CompileError, match="Lib::Port"):
        titles(tmp_path)
