"""Reads a catalog and looks for cycles in a process of its own; prints what that took, as JSON."""

from __future__ import annotations

import gc
import sys
from time import process_time

from analyzer.graph.automatic import core as rules_core  # noqa: F401 (imports are not part of the work)
from analyzer.session.inputs import graph_of, load_catalogs


def peak_memory() -> int:
    """The most memory this process has held, in kB."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


def main(path: str) -> None:
    """Do the work as the command line does it: without the collector."""
    gc.disable()
    start = process_time()
    cyclic = graph_of(load_catalogs(path)[0]).has_cycle
    spent = process_time() - start
    print(f'{{"cpu": {spent}, "memory": {peak_memory()}, "cycles": {int(cyclic)}}}')


if __name__ == "__main__":
    main(sys.argv[1])
