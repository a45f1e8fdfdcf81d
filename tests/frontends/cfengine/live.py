"""Compares with the installed CFEngine: packaged files, mutated policies, and runs of policies."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.cfengine.syntax.check import read_text
from analyzer.reach import user_files
from analyzer.session.policies import PolicyRunOptions, events_of

from . import functions, trees
from .cases import cases, ours, verdict
from .mutate import mutated
from .promises import Said, ask, installed
from .runs import (
    agent_events,
    our_events,
    policies,
    random_run,
    reads_freed_memory,
    same,
    same_run,
)

HOW_TO_INSTALL = "CFEngine is not installed (Debian: apt-get install cfengine3)"
MUTATIONS = 1500
RANDOM_RUNS = 40
MASTERFILES = Path("/usr/share/cfengine3/masterfiles")


def packaged() -> list[Path]:
    """The policy files of the Debian package."""
    run = subprocess.run(["dpkg", "-L", "cfengine3"], capture_output=True, text=True, check=False)
    return [Path(line) for line in run.stdout.splitlines() if line.endswith(".cf")]


def said_of(path: Path, work: Path) -> Said:
    """What cf-promises says of a packaged file in its place among the others, as it has inputs."""
    inside = work / "inputs" / path.relative_to(MASTERFILES)
    said = ask(inside, work)
    elsewhere = said.tree is None and any("Undefined body" in text for _, text in said.errors)
    # Some inputs are named by functions, which are not run: what they hold cannot be missed.
    return ask(inside, work, bundlesequence="main") if elsewhere else said


def compare_packaged(work: Path) -> Iterator[str]:
    shutil.copytree(MASTERFILES, work / "inputs", dirs_exist_ok=True)
    for folder in (work / "inputs").rglob("*.cf"):
        folder.chmod(0o600)
    for path in packaged():
        if not path.is_relative_to(MASTERFILES):
            continue
        wanted = json.loads(json.dumps(verdict(said_of(path, work))))
        if wanted != ours(read_text(str(path))):
            yield str(path)


def texts() -> list[str]:
    """What is mutated: the small cases, and packaged files that need no others."""
    small = [case.text for case in cases()]
    files = [path for path in packaged() if path.stat().st_size < 20000]
    return small + [text for path in files if "inputs" not in (text := read_text(str(path)))]


def compare_mutations(work: Path, count: int, seed: int) -> Iterator[str]:
    sources = texts()
    path = work / "policy.cf"
    for number in range(seed, seed + count):
        chance = random.Random(number)
        text = mutated(chance.choice(sources), chance)
        if "\0" in text or "inputs" in text:
            continue
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        wanted = json.loads(json.dumps(verdict(ask(path, work))))
        found = ours(text)
        if refused(wanted) != refused(found) or (not refused(wanted) and wanted != found):
            yield f"mutation {number}: {wanted.get('error')} | {found.get('error')}"


def refused(said: Any) -> bool:
    return "error" in said


def compare_runs() -> Iterator[str]:
    """What the agent does now with the policies of `runs/`, against the simulation."""
    for path in policies():
        found = agent_events(path)
        if not same(found, our_events(path, found)):
            yield f"run of {path.name}"


def compare_random(folder: Path, count: int, first: int = 0) -> Iterator[str]:
    """Random policies, run by the agent and simulated."""
    for seed in range(first, first + count):
        for wide in (False, True):
            found = random_run(seed, folder, wide=wide)
            name = f"random run {seed}{' with namespaces' * wide}"
            if found is None:
                print(f"left out: {name}: cf-promises refuses the policy", file=sys.stderr)
                if not is_refused(folder / f"{seed}.cf"):
                    yield f"{name}: the simulation does not refuse the policy"
            elif not same_run(*found):
                if reads_freed_memory(folder / f"{seed}.cf"):
                    print(f"left out: {name}: the agent reads freed memory", file=sys.stderr)
                else:
                    yield name


def is_refused(path: Path) -> bool:
    """Return whether we refuse a policy, too."""
    try:
        events_of(str(path), PolicyRunOptions())
    except CompileError:
        return True
    return False


def live_random(count: int, first: int) -> int:
    """Print which random policies of these seeds differ; 1 if any does."""
    with tempfile.TemporaryDirectory() as folder:
        found = list(compare_random(Path(folder), count, first))
    for line in found:
        print(f"differs: {line}")
    print(f"CFEngine: {2 * count} random runs from seed {first} on, {len(found)} differ")
    return int(bool(found))


def compare_more(folder: Path) -> Iterator[str]:
    """Functions, and policies of several files."""
    rows = functions.calls()
    for (_, call), wanted, found in zip(
        rows, functions.asked(rows), functions.ours(rows, folder), strict=True
    ):
        if wanted != found and found:
            yield f"function {call}"
    for tree in trees.trees():
        if trees.theirs(tree) != trees.ours(tree):
            yield f"tree {tree.name}"


def live(count: int = MUTATIONS, seed: int = 0) -> int:
    """Print what differs; 1 if anything does."""
    if not installed():
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        files = list(compare_packaged(work))
        chance = list(compare_random(work, RANDOM_RUNS))
        more = list(compare_more(work))
        mutations = list(compare_mutations(work, count, seed))
    runs = list(compare_runs())
    for line in files + mutations + runs + chance + more:
        print(f"differs: {line}")
    print(f"CFEngine: {len(packaged())} files, {len(files)} differ; {count} mutations, ", end="")
    print(f"{len(mutations)} differ; {len(policies())} runs, {len(runs)} differ; ", end="")
    print(f"{2 * RANDOM_RUNS} random runs, {len(chance)} differ; functions and trees, ", end="")
    print(f"{len(more)} differ")
    return int(bool(files or mutations or runs or chance or more))


if __name__ == "__main__":
    # COUNT and the first SEED of random policies; with none everything is compared.
    numbers = [int(word) for word in sys.argv[1:3]]
    with user_files():
        raise SystemExit(live_random(*numbers) if len(numbers) == 2 else live())
