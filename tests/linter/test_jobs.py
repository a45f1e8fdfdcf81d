"""Work that is shared among processes: the same results in the same order, whatever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analyzer.compiles import plan, sources
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.linter.puppet.compiles import Program
from analyzer.session import workers
from analyzer.session.lint import parts as lint_parts
from analyzer.session.workers import Workers

from .test_kept import FILES, printed, repository, write

NODES = """node 'a' { include app }
node 'b' { include app, other }
node 'c' { @@notify { 'x': } }
node 'd' { Notify <<| |>> -> Package['gone'] }
node 'e' { fail('no') }
"""


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """All work is long, and has as many parts as can be."""
    monkeypatch.setattr(workers, "SHORT", -1.0)
    monkeypatch.setattr(workers, "LONG", -1.0)
    monkeypatch.setattr(workers.Workers, "is_worth_it", lambda self, *numbers: self.jobs > 1)
    monkeypatch.setattr(lint_parts, "COMPILES", 1)
    monkeypatch.setattr(lint_parts, "FILES", 1)


def test_a_change_of_what_a_collecting_node_reads_is_seen() -> None:
    with repository() as folder:
        write(folder, "manifests/site.pp", "@@notify { 'x': }\nNotify <<| |>>\n")
        printed("--jobs", "2")
        write(folder, "manifests/site.pp", "fail('no')\n")
        assert "no (CG200)" in printed("--jobs", "2")[1]


@pytest.mark.slow
@pytest.mark.parametrize("copied", [False, True])
def test_two_processes_find_what_one_finds(copied: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "may_fork", lambda: copied)
    found = []
    for jobs in ("1", "2"):
        with repository() as folder:
            write(folder, "manifests/site.pp", NODES)
            write(folder, "modules/other/manifests/broken.pp", "class {")
            for name in "uvwxyz":
                text = f"class free::{name} {{ service {{ '{name}': require => Package['p'] }} }}"
                write(folder, f"modules/free/manifests/{name}.pp", text)
            found.append(printed("--jobs", jobs, "-f", "json", "--explain"))
            # What the processes found is kept as well.
            assert found[-1] == printed("--jobs", "1", "-f", "json", "--explain")
            # Of what has changed since, they compile only the nodes that it concerns.
            write(
                folder,
                "modules/other/manifests/init.pp",
                FILES["modules/other/manifests/init.pp"][1],
            )
            again = printed("--jobs", jobs, "-f", "json", "--explain")
            assert again == printed("--no-cache", "-f", "json", "--explain") != found[-1]
    assert found[0] == found[1]
    assert "Package[gone]" in found[0][1] + found[0][2]
    assert "6 more of classes that no node has" in found[0][1]


def test_nodes_that_collect_are_compiled_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part would compile all nodes: whoever asks does so once."""
    compiled: list[str] = []
    compile_one = Program._compile

    def noted(program: Program, target: Target, exports: Exports) -> CompileResult:
        if not target.alone:
            compiled.append(target.node)
        return compile_one(program, target, exports)

    monkeypatch.setattr(Program, "_compile", noted)
    monkeypatch.setattr(workers.Workers, "is_worth_it", lambda self, *numbers: False)
    sites = "".join(f"node 'n{n}' {{ Notify <<| |>> @@notify {{ 'n{n}': }} }}\n" for n in range(6))
    with repository() as folder:
        write(folder, "manifests/site.pp", sites)
        found = printed("--jobs", "2", "--select", "CG2")
        # Six parts that end at their first node, the nodes by themselves, and two rounds.
        assert len(compiled) <= 6 + 6 + 2 * 6
        assert found == printed("--jobs", "1", "--select", "CG2", "--no-cache")


def test_blocks_without_a_name_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each part: in large sites that would take longer than the compiles."""
    found: list[object] = []
    unnamed_blocks = sources.unnamed_blocks

    def noted(*asked: Any) -> Any:
        found.append(asked)
        return unnamed_blocks(*asked)

    monkeypatch.setattr(plan, "unnamed_blocks", noted)
    monkeypatch.setattr(workers.Workers, "is_worth_it", lambda self, *numbers: False)
    with repository() as folder:
        write(folder, "manifests/site.pp", "".join(f"node 'n{n}' {{ }}\n" for n in range(6)))
        printed("--jobs", "2", "--worlds", "1")
    assert len(found) == 1


def test_what_no_process_has_begun_is_taken_back() -> None:
    begun: Future[int] = Future()
    begun.set_running_or_notify_cancel()
    there = {1: begun, 2: Future[int](), 3: Future[int]()}
    assert [workers.taken_back(there) for _ in range(3)] == [3, 2, None]
    assert [*there] == [1]


@dataclass(frozen=True)
class Number:
    """A part: it doubles a number, or ends the process."""

    value: int
    weight: int = 1


def doubling() -> Callable[[Number], int]:
    return double


def double(part: Number) -> int:
    if part.value == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if part.value == 5:
        raise ValueError
    return part.value * 2


@pytest.mark.slow
@pytest.mark.parametrize("copied", [False, True])
def test_what_dies_or_fails_elsewhere_is_done_here(
    copied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "may_fork", lambda: copied)
    driver = os.getpid()

    def doubled(part: Number) -> int:
        return part.value * 2 if os.getpid() == driver else double(part)

    shared: Workers[Number, int] = Workers(doubling, 2)
    parts = [Number(value) for value in range(7)]
    try:
        assert [*shared.each(parts, doubled)] == [0, 2, 4, 6, 8, 10, 12]
    finally:
        shared.close()


def test_short_work_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    shared: Workers[Number, int] = Workers(doubling, 2)
    assert [*shared.each([Number(1), Number(2)], lambda part: 0)] == [0, 0]
    assert shared.executor is None


DRIVER = """
import sys, time
from functools import partial
from analyzer.session import workers
if __name__ == "__main__":
    workers.may_fork = lambda: sys.argv[1] == "fork"
    executor = workers.Workers(partial(int), 2).opened(int)
    executor.submit(time.sleep, 0).result()
    print(*executor._processes, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_end_with_a_driver_that_is_killed(way: str, tmp_path: Path) -> None:
    script = tmp_path / "driver.py"
    script.write_text(DRIVER)
    command = [sys.executable, str(script), way]
    out, err = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdout=out, stderr=err, text=True) as driver:
        assert driver.stdout is not None
        assert int(driver.stdout.readline())
        driver.kill()
        # The worker has the pipe, too, which is closed with the last of them.
        assert driver.communicate(timeout=30)[0] == ""
