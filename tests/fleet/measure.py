"""Measures a fleet: time a node, workers, Dask, a second run, and the memory of the driver.

python -m tests.fleet.measure FOLDER [QUESTION]   (a folder that tests.fleet.generator has made)
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from time import perf_counter


def timed(folder: str, question: str, store: str, *options: str) -> tuple[float, float]:
    """Run the command; return seconds and the megabytes of its driver."""
    code = (
        "import resource, sys; from analyzer.cli.entry import guarded; guarded(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    words = ["fleet", question, folder, "--store", store, "-f", "openmetrics", *options]
    started = perf_counter()
    run = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return perf_counter() - started, int(run.stderr.split()[-1]) / 1024


def cpu() -> float:
    """Return the CPU seconds of the commands so far, with their workers."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def main() -> None:
    """Print a line for each way."""
    folder, question = sys.argv[1], (sys.argv[2:] or ["lint"])[0]
    count = sum(len(names) for _, _, names in os.walk(folder))
    ways = {
        "one worker": ("--workers", "1"),
        "two workers": ("--workers", "2"),
        "dask, two workers": ("--workers", "2", "--engine", "dask"),
    }
    for name, options in ways.items():
        with tempfile.TemporaryDirectory() as place:
            store = os.path.join(place, "fleet.sqlite")
            before = cpu()
            cold, memory = timed(folder, question, store, *options)
            spent = cpu() - before
            again, _ = timed(folder, question, store, *options)
            size = os.path.getsize(store) / 1e6
        print(
            f"{name}: {count} nodes, {question}: {cold:.1f} s, CPU {spent:.1f} s,"
            f" {spent / count * 1000:.1f} ms a node, again {again:.2f} s, "
            f"driver {memory:.0f} MB, store {size:.1f} MB",
            flush=True,
        )
    print(f"CPU {cpu():.0f} s")


if __name__ == "__main__":
    main()
