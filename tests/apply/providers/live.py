"""The live comparison: what Puppet logs and leaves now and what we do; cases, and at random."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from .case import FOLDER, Case, read
from .generate import random_case
from .harness import ask, can_ask, ours

_SHOWN = 8


def live(random: int = 100, seed: int = 1) -> int:
    """Compare, print the differences and a summary; return 0 if there are none, else 1."""
    if not can_ask():
        print("skipped: providers are compared as root, with Puppet and a mount namespace")
        return 0
    recorded = [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path)]
    failed = compare("providers: recorded", recorded)
    failed |= compare("providers: random", [random_case(seed + i) for i in range(random)])
    return int(failed)


def compare(name: str, cases: list[Case]) -> bool:
    """Compare cases; tell whether one differs."""
    differing: list[str] = []
    for case, theirs in zip(cases, ask(cases), strict=True):
        with TemporaryDirectory() as folder:
            found = ours(case, Path(folder))
        if found != theirs:
            differing.append(_shown(case, theirs, found))
    print("\n".join(differing[:_SHOWN]))
    print(f"{name:32} agree {len(cases) - len(differing):6}  differ {len(differing):5}")
    return bool(differing)


def _shown(case: Case, theirs: list[tuple[str, str]], found: list[tuple[str, str]]) -> str:
    lines = [f"\n=== {case.name}", case.setup, case.code]
    for number, (wanted, got) in enumerate(zip(theirs, found, strict=True), 1):
        for want, have in zip(wanted, got, strict=True):
            diff = unified_diff(want.split("\n"), have.split("\n"), lineterm="", n=0)
            lines += [f"run {number}: {line}" for line in list(diff)[2:]]
    return "\n".join(lines)
