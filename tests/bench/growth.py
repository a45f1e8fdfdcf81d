"""Prints how commands grow with inputs of every shape; each run is a process of its own.

Reads `python -m tests.bench.growth [-c COMMAND ...] [-n SIZE ...] [-t SECONDS] [SHAPE ...]`: CPU
seconds and memory of each command, and the ratio to the first. A size that takes longer than the
limit is the shape's last.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.linter.shapes import SHAPES, written

COMMANDS = ["cycles", "lint"]
SIZES = [500, 2_000, 5_000, 25_000, 50_000]

MAIN = "import sys; from analyzer.cli import main; sys.exit(main())"

# Of policies there are no cycles.
POLICIES = ("bundles", "promises")


@dataclass(frozen=True, slots=True)
class Run:
    """What a process took; no exit code where it was ended."""

    seconds: float
    megabytes: float
    code: int | None


def run(words: list[str], limit: int, cache: str) -> Run:
    """Run a command of catgraph, with a limit of CPU seconds."""
    child = subprocess.Popen(
        [sys.executable, "-c", MAIN, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "XDG_CACHE_HOME": cache},
    )
    os.setpriority(os.PRIO_PROCESS, child.pid, 5)
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit, limit))
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    code = child.returncode if child.returncode >= 0 else None
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, code)


def told(taken: Run, first: Run | None, before: Run | None, limit: int) -> str:
    """What a run took, relative to the first command, and to the size before."""
    if taken.code is None:
        return f"over {limit} s".rjust(34)
    ratio = "" if first is None else f"x{taken.seconds / first.seconds:.1f}"
    growth = "" if before is None else f"^{taken.seconds / before.seconds:.2f}"
    note = "" if taken.code in (0, 1) else f"!{taken.code}"
    return f"{taken.seconds:8.2f} s {taken.megabytes:5.0f} MB {ratio:>6} {growth:>6} {note:2}"


def measure(shape: str, commands: list[str], sizes: list[int], limit: int) -> None:
    """Print the rows of a shape: a row for each size, a column for each command."""
    before: dict[str, Run] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            path = written(SHAPES[shape](size), Path(place) / "input")
            cache = f"{place}/cache"
            words = [command for command in commands if shape not in POLICIES or command == "lint"]
            run(["parse", str(path)], limit, cache)
            first: Run | None = None
            cells = []
            for command in words:
                if before.get(command, Run(0, 0, 0)).code is None:
                    cells.append("".rjust(34))
                    continue
                taken = run([*filled(command, path)], limit, cache)
                cells.append(told(taken, first, before.get(command), limit))
                before[command] = taken
                first = first or taken
        print(f"{shape:<16} {size:>6}  {'  '.join(cells)}", flush=True)


def filled(command: str, path: Path) -> list[str]:
    """The words of a command, with the input for `@`, or after its name."""
    words = shlex.split(command)
    if "@" in words:
        return [str(path) if word == "@" else word for word in words]
    return [words[0], str(path), *words[1:]]


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shapes", nargs="*", default=list(SHAPES), metavar="SHAPE")
    parser.add_argument("-c", "--command", action="append")
    parser.add_argument("-n", "--size", type=int, action="append")
    parser.add_argument("-t", "--limit", type=int, default=100)
    asked = parser.parse_args()
    commands = asked.command or COMMANDS
    print(f"{'shape':<16} {'size':>6}  {'  '.join(command.ljust(34) for command in commands)}")
    for shape in asked.shapes:
        measure(shape, commands, asked.size or SIZES, asked.limit)


if __name__ == "__main__":
    main()
