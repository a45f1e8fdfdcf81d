"""Measures: cold processes, CPU seconds of a call, and what fresh processes report of themselves.

Both sides of a row take turns, so that a machine that is busy for a while slows both down.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from . import inputs

HERE = Path(__file__).parent
PYTHON = sys.executable
CONSOLE_SCRIPT = Path(sys.executable).with_name("catgraph")

# As a user has it: bytecode is kept, output is buffered.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


class Absent(Exception):
    """What a row compares with is not installed; the message says how to get it."""


@dataclass(frozen=True)
class Row:
    """One comparison: both sides in `unit`, `aim` the ratio that is hoped for."""

    name: str
    ours: float
    yardstick: str
    theirs: float
    aim: float
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def take_turns(times: int, *sides: Callable[[], float]) -> list[float]:
    """The median of each side's measures, one of each in every round."""
    rounds = [[side() for side in sides] for _ in range(times)]
    return [median(found) for found in zip(*rounds, strict=True)]


def cold(*command: str) -> Callable[[], float]:
    """Wall milliseconds of a whole process."""

    def measure() -> float:
        start = perf_counter()
        subprocess.run(command, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
        return (perf_counter() - start) * 1000

    measure()  # Fills the caches: bytecode, and the pages of the files.
    return measure


def cpu(work: Callable[..., object], prepare: Callable[[], Any] = tuple) -> Callable[[], float]:
    """CPU milliseconds of a call with what `prepare` returns as its arguments; no collector."""

    def measure() -> float:
        arguments = prepare()
        gc.collect()
        gc.disable()
        start = process_time()
        result = work(*arguments)
        spent = process_time() - start
        gc.enable()
        del result
        return spent * 1000

    return measure


def cpu_of_children(work: Callable[[], object]) -> float:
    """CPU milliseconds of the processes that a call starts and waits for."""
    before = os.times()
    work()
    after = os.times()
    spent = after.children_user - before.children_user
    return (spent + after.children_system - before.children_system) * 1000


@dataclass(frozen=True)
class Report:
    """What a fresh process says of its own work: CPU milliseconds, peak memory in MB, cycles."""

    cpu: float
    memory: float
    cycles: int


def report_of(*command: str) -> Report:
    """Run a process that prints its report as JSON."""
    run = subprocess.run(
        command, env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, text=True, timeout=300
    )
    found = json.loads(run.stdout.splitlines()[-1])
    return Report(found["cpu"] * 1000, found["memory"] / 1024, found["cycles"])


def ours(catalog: Path) -> Report:
    """From the file to the answer whether there is a cycle, in a fresh process."""
    return report_of(PYTHON, "-m", "tests.bench.fresh", str(catalog))


def puppets(work: str, catalog: Path) -> Report:
    """The same in real Puppet, warmed up; `work` is `relate` or `paths`.

    Raises:
        Absent: there is no Ruby with Puppet.
    """
    return report_of(ruby(), str(HERE / "puppet.rb"), work, str(catalog), str(inputs.small()))


@cache
def ruby() -> str:
    """The Ruby that has Puppet.

    Raises:
        Absent: there is none.
    """
    from tests.oracle.harness import HOW_TO_INSTALL, installed

    found = installed()
    if found is None:
        raise Absent(HOW_TO_INSTALL)
    return found[0]
