"""`python -m tests.oracle.choose`: records many random cases and keeps those that guard most.

First the cases that together take every step through our code that any of them takes, in few lines
of data; then of the rest again such cases, up to the share of lines that is to be kept. Last, for
every fault of a sample (`mutants`) that none of these notices, a case that does. The same
cases are chosen each time.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType, ModuleType
from typing import Any

import analyzer
from analyzer.apply import timeline
from analyzer.apply.engine import events, faults, run_graph, skipping, state, world
from analyzer.apply.engine import transaction as engine
from analyzer.graph import containers, kernel, lookup, order, provenance, replay, second_names
from analyzer.graph.algorithms import components
from analyzer.graph.algorithms import incremental_order as topology
from analyzer.graph.automatic import rules as autorelations
from analyzer.graph.automatic import selectors
from analyzer.graph.cycles import puppet_text
from tests.apply.engine import cases as runs
from tests.apply.engine.record import record_pool as record_runs
from tests.apply.engine.runs import MODULES, answer_of, differences, run
from tests.frontends.puppet.compiler.test_catalogs import test_recorded_manifest

from .case import read_case
from .compare import differences as graph_differences
from .mutants import Mutant, applied, mutants_of
from .record import CASES, record_pool

OURS = os.path.dirname(os.path.abspath(analyzer.__file__))
SECONDS = 20
SHARE = 0.19

# Where the faults are: what the cases are recorded for.
OF_GRAPHS = (
    *(autorelations, components, containers, kernel, lookup, order, provenance, puppet_text),
    *(replay, second_names, selectors, topology),
)
OF_RUNS = (engine, events, faults, run_graph, skipping, state, timeline, world)

Arc = tuple[str, int, int]


@dataclass(frozen=True)
class Candidate:
    """A recorded case: its name, the lines of its data, and a check that fails by an exception."""

    name: str
    lines: int
    check: Callable[[], None]


def graphs() -> list[Candidate]:
    """Return the recorded catalogs."""
    return [
        Candidate(path.stem, len(path.read_text().splitlines()), partial(check_graph, path))
        for path in sorted(CASES.glob("*.txt"))
    ]


def check_graph(path: Path) -> None:
    """Check the graph of a recorded catalog, and our catalog of its manifest."""
    assert graph_differences(read_case(path.read_text(encoding="utf-8"))) == []
    test_recorded_manifest(path)


def recorded_runs() -> list[Candidate]:
    """Return the recorded runs."""
    found = [case for path in sorted(runs.FOLDER.glob("*.txt")) for case in runs.read(path)]
    return [
        Candidate(str(case.id), len(runs.write(case).splitlines()), partial(check_run, case))
        for case in found
    ]


def check_run(case: runs.Case) -> None:
    """Check a recorded run."""
    with TemporaryDirectory() as folder:
        manifest = Path(folder, "site.pp")
        manifest.write_text(case.code, encoding="utf-8")
        catalog = analyzer.compile(manifest, modulepath=[str(MODULES)])
    catalog.version = 1
    assert not list(differences(runs.own(answer_of(run(catalog, case.settings))), case.answer))


def arcs_of(check: Callable[[], None]) -> frozenset[Arc]:
    """Return the steps from line to line in our code that a check takes."""
    found: set[Arc] = set()

    def within(file: str) -> Callable[[FrameType, str, Any], Any]:
        last = 0

        def on_line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal last
            if event == "line":
                found.add((file, last, frame.f_lineno))
                last = frame.f_lineno
            return on_line

        return on_line

    def on_call(frame: FrameType, event: str, _: Any) -> Any:
        file = frame.f_code.co_filename
        return within(file) if file.startswith(OURS) else None

    sys.settrace(on_call)
    try:
        check()
    finally:
        sys.settrace(None)
    return frozenset(found)


def cover(candidates: Sequence[Candidate], reached: Sequence[frozenset[Any]]) -> list[int]:
    """Return candidates that together reach all, taking the most for its lines each time."""
    chosen: list[int] = []
    left = set().union(*reached)
    while left:
        best = max(
            range(len(candidates)),
            key=lambda i: (len(reached[i] & left) / candidates[i].lines, -i),
        )
        chosen.append(best)
        left -= reached[best]
    return chosen


def cover_again(candidates: Sequence[Candidate], reached: Sequence[frozenset[Any]]) -> list[int]:
    """Return one cover after the other, up to the share of lines that is to be kept."""
    most = SHARE * sum(one.lines for one in candidates)
    chosen = cover(candidates, reached)
    while True:
        rest = [arcs if i not in chosen else frozenset() for i, arcs in enumerate(reached)]
        for index in cover(candidates, rest):
            if sum(candidates[i].lines for i in (*chosen, index)) > most:
                return chosen
            chosen.append(index)


def notices(candidate: Candidate) -> bool:
    """Return True if a case fails with the code as it is now, or does not end."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        candidate.check()
    except (Exception, KeyboardInterrupt):
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return False


def noticing(
    candidates: Sequence[Candidate], first: Sequence[int], job: tuple[Mutant, Sequence[int]]
) -> frozenset[int]:
    """Return the candidates that notice a fault, none if the first ones do already."""
    mutant, others = job
    with applied(mutant):
        if any(notices(candidates[index]) for index in first):
            return frozenset()
        return frozenset(index for index in others if notices(candidates[index]))


def choose(
    candidates: Sequence[Candidate], modules: Iterable[ModuleType], number: int
) -> list[str]:
    """Return the names of the cases to keep."""
    reached = [arcs_of(candidate.check) for candidate in candidates]
    first = cover_again(candidates, reached)
    lines = [{(file, line) for file, _, line in arcs} for arcs in reached]
    jobs: list[tuple[Mutant, Sequence[int]]] = []
    for mutant in mutants_of([module.__name__ for module in modules], number):
        place = (str(sys.modules[mutant.module].__file__), mutant.line)
        able = [i for i in range(len(candidates)) if place in lines[i] and i not in first]
        if able:
            jobs.append((mutant, able))
    # A process for each fault: what it leaves in caches goes with the process.
    with get_context("fork").Pool(maxtasksperchild=1) as pool:
        found = pool.map(partial(noticing, candidates, first), jobs, chunksize=1)
    by_case = [
        frozenset(number for number, able in enumerate(found) if index in able)
        for index in range(len(candidates))
    ]
    second = cover(candidates, by_case)
    kept = sorted({*first, *second})
    total = sum(candidates[index].lines for index in kept)
    print(
        f"{len(candidates)} cases of {sum(one.lines for one in candidates)} lines: {len(first)} "
        f"for the code, {len(second)} more notice {sum(map(bool, found))} of {len(jobs)} faults "
        f"that these do not; {total} lines kept"
    )
    return [candidates[index].name for index in kept]


def main() -> None:
    """Record many cases, and remove those that are not chosen."""
    record_pool()
    record_runs()
    names = set(choose(graphs(), OF_GRAPHS, 600))
    for path in CASES.glob("*.txt"):
        if path.stem not in names:
            path.unlink()
    names = set(choose(recorded_runs(), OF_RUNS, 60))
    kept = [case for path in sorted(runs.FOLDER.glob("*.txt")) for case in runs.read(path)]
    runs.write_all([case for case in kept if str(case.id) in names])


if __name__ == "__main__":
    main()
