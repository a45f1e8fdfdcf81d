"""The engine of runs against `puppet apply --noop`, and what its time line takes."""

from __future__ import annotations

import os
import subprocess
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from time import perf_counter

from analyzer.apply.engine.commands import Restart, Step, StepBack
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.simulate import simulate
from analyzer.apply.timeline import Timeline
from analyzer.session.inputs import graph_of, load_catalog

from . import inputs
from .measure import ENVIRONMENT, PYTHON, Absent, Row, cold, cpu, take_turns

RESOURCES = 10_000
COMMAND = "from analyzer.cli import main; main()"

# Steps that a person goes back, and what that may take: a frame of a screen or two.
STEPS, FRAMES = 1_000, 50.0

# What the events and states of a run may take.
MEGABYTES = 100.0


def simulated_run() -> Iterator[Row]:
    """A whole process that simulates a run with noop, against one of Puppet.

    All are of the type notify, so that Puppet asks no package manager and no service.
    """
    catalog = inputs.notify_only(RESOURCES)
    puppet = which("puppet")
    if puppet is None:
        raise Absent("no command puppet on this machine")
    ours = cold(PYTHON, "-c", COMMAND, "apply", str(catalog), "--noop", "--format", "puppet")
    (mine,) = take_turns(5, ours)
    yield Row(
        "catgraph apply, 10,000 resources",
        mine,
        "puppet apply --noop",
        noop_of(puppet, catalog),
        0.1,
    )


def noop_of(puppet: str, catalog: Path) -> float:
    """Wall milliseconds of Puppet on the same catalog, in folders of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [puppet, "apply", "--noop", "--catalog", str(catalog)]
        command += ["--certname", "node"]
        for name in ("conf", "var"):
            command += [f"--{name}dir", str(Path(folder) / name)]
        start = perf_counter()
        with open(os.devnull, "w") as nowhere:
            subprocess.run(command, env=ENVIRONMENT, check=True, stdout=nowhere, stderr=nowhere)
        return (perf_counter() - start) * 1000


def going_back() -> Iterator[Row]:
    """A thousand steps back, a state looked at after each; aims in place of a yardstick."""
    graph = graph_of(load_catalog(inputs.mixed(RESOURCES)))
    timeline = simulate(graph)

    def forward() -> tuple[()]:
        timeline.do(Step(STEPS))
        _ = timeline.state
        return ()

    def back() -> object:
        for _ in range(STEPS):
            timeline.do(StepBack())
            _ = timeline.state
        return timeline

    timeline.do(StepBack(STEPS))
    (mine,) = take_turns(5, cpu(back, forward))
    yield Row("1,000 steps back, state at each", mine, "aim", FRAMES, 1)
    timeline.do(Restart())
    tracemalloc.start()
    try:
        whole = Timeline(RunGraph(graph)).run()
        taken = tracemalloc.get_traced_memory()[0] / 1e6
    finally:
        tracemalloc.stop()
    yield Row(f"memory of {len(whole):,} steps", taken, "aim", MEGABYTES, 1, "MB")


ROWS = (simulated_run, going_back)
