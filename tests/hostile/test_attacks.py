"""Whatever small programs ask for, each command ends soon, and says which limit ended it."""

from __future__ import annotations

import time
from itertools import cycle, islice
from pathlib import Path

import pytest

from tests.hostile.attacks import ALL
from tests.hostile.attacks.forms import Files
from tests.hostile.through import said

# The end of a compile may come while hypothesis, which other tests load, watches the collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

LIMITS = ["--time-limit", "1", "--memory-limit", "64M", "--no-cache"]
COMMANDS = ("cycles", "lint", "compile", "graph -f json", "order", "explore --total 1 --jobs 1")
WAYS = ("(--time-limit N)", "(--memory-limit SIZE)")
NAMED = [(kind, name) for kind, rows in ALL.items() for name in rows]
# Each ninth is enough for every run of the tests: they are of all kinds.
FEW = [*islice(NAMED, 0, None, 9)]


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second of a compile's limit is a tenth of one.

    Python tells pytest of an error that ends a finalizer, at any depth: telling may fail, too.
    """
    monkeypatch.setattr("sys.unraisablehook", lambda found: None)
    limits = "analyzer.limits"
    monkeypatch.setattr(f"{limits}.process_time", lambda: 10 * time.process_time())
    monkeypatch.setattr(f"{limits}.TICK", 0.02)


def write(files: Files, folder: Path) -> Path:
    for name, text in {"modules/none/README": "", **files}.items():
        path = folder / "env" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "env"


def attack(kind: str, name: str, folder: Path, command: str) -> None:
    """Run a command; it ends with a result or errors, and says what ended it."""
    path = write(ALL[kind][name], folder)
    code, out, err = said([*command.split(), str(path), *LIMITS])
    assert code in (0, 1, 2, 3)
    assert "internal error" not in out + err
    assert "Traceback" not in err
    for line in err.splitlines():
        assert "(too-much)" not in line or (any(way in line for way in WAYS) and code == 3)


@pytest.mark.parametrize(
    ("kind", "name", "command"), [(*one, c) for one, c in zip(FEW, cycle(COMMANDS[:5]))]
)
def test_attacks(kind: str, name: str, command: str, tmp_path: Path) -> None:
    attack(kind, name, tmp_path, command)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(NAMED)), ids=[name for _, name in NAMED])
def test_all_attacks(number: int, tmp_path: Path) -> None:
    """Two commands for each; over all attacks of a kind, each command has its turn."""
    for command in islice(cycle(COMMANDS), number % len(COMMANDS), number % len(COMMANDS) + 2):
        attack(*NAMED[number], tmp_path, command)


def test_other_nodes_are_compiled(tmp_path: Path) -> None:
    wide, loop = "sprintf('%2000000000d', 1)", "notify { 'x': require => Notify['x'] }"
    site = f"node 'a' {{ notify {{ {wide}: }} }}\nnode 'b' {{ {loop} }}\n"
    path = write({"manifests/site.pp": site}, tmp_path)
    code, out, err = said(["cycles", str(path), *LIMITS])
    assert code in (1, 3)
    assert "Notify[x]" in out
    assert "more than 64 MB of memory (--memory-limit SIZE) (too-much)" in err


def test_python_without_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own code fails with a SystemError now and then; nothing is missing without a word."""

    def fail(*_: object) -> None:
        raise SystemError("error return without exception set")

    monkeypatch.setattr("analyzer.frontends.puppet.compiler.finish.refuse_unused", fail)
    path = write({"manifests/site.pp": "notify { 'x': }\n"}, tmp_path)
    code, _, err = said(["compile", str(path), *LIMITS])
    assert code == 3
    assert "more than 64 MB of memory (--memory-limit SIZE) (too-much)" in err
