"""Writes what the installed Puppet says of the cases into their files."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import FOLDER, Case, read, results_of
from .harness import ask


def record(path: Path) -> list[Case]:
    """The cases of a file with Puppet's results, in the file too."""
    cases = read(path)
    with tempfile.TemporaryDirectory() as folder:
        roots = [Path(folder, str(index)) for index in range(len(cases))]
        for case, root in zip(cases, roots, strict=True):
            case.lay_out(root)
        answers = ask([case.question(root) for case, root in zip(cases, roots, strict=True)])
        done = [
            case.with_results(results_of(answer, root))
            for case, root, answer in zip(cases, roots, answers, strict=True)
        ]
    path.write_text("\n".join(case.lines() for case in done), encoding="utf-8")
    return done


def main() -> int:
    """Exit code 0 recorded, 2 cannot record."""
    if installed() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 2
    cases = [case for path in sorted(FOLDER.glob("*.txt")) for case in record(path)]
    asks = [ask for case in cases for ask in case.asks]
    refused = sum(ask.result.startswith("!") for ask in asks)
    print(f"{len(cases)} environments, {len(asks)} calls, {refused} of them refused by Puppet")
    return 0


if __name__ == "__main__":
    sys.exit(main())
