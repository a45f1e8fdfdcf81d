"""Folders with `recurse` that take their files from modules, and what Puppet makes of them.

A block of `cases.txt` has a line for each file of the modules (`+ m/files/a`; `+ m/files/b -> a` is
a link, a name that ends in a slash a folder), then the program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.frontends.puppet.compiler.cases import blocks

HERE = Path(__file__).parent
CASES, RECORDED, SCRIPT = HERE / "cases.txt", HERE / "recorded.json", HERE / "puppet.rb"


def cases() -> Iterator[tuple[str, list[str], str]]:
    """Yield the name of each case, its files, and its program."""
    for name, text in blocks(CASES).items():
        lines = text.splitlines()
        files = [line.removeprefix("+ ") for line in lines if line.startswith("+ ")]
        yield name, files, "\n".join(lines[len(files) :])


def plant(modules: Path, files: list[str]) -> Path:
    """Make the modules of a case."""
    for file in files:
        name, _, target = file.partition(" -> ")
        path = modules / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if target:
            path.symlink_to(target)
        elif name.endswith("/"):
            path.mkdir()
        else:
            path.write_text(name, encoding="utf-8")
    return modules


def recorded() -> dict[str, dict[str, Any]]:
    """What Puppet said of each case."""
    found: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found
