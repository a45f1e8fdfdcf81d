"""Compares our Hiera with that of the installed Puppet, on environments made at random."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import Case, results_of
from .generate import environments
from .harness import ask
from .ours import results


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 agree or skipped, 1 differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.frontends.puppet.hiera.live")
    parser.add_argument("--environments", type=int, default=300, help="how many (default 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="differences to print")
    options = parser.parse_args(arguments)
    if installed() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return _compare(
            environments(options.seed, options.environments), Path(folder), options.show
        )


def _compare(cases: list[Case], folder: Path, show: int) -> int:
    roots = [folder / str(index) for index in range(len(cases))]
    for case, root in zip(cases, roots, strict=True):
        case.lay_out(root)
    answers = ask(case.question(root) for case, root in zip(cases, roots, strict=True))
    count: Counter[str] = Counter()
    for case, root, answer in zip(cases, roots, answers, strict=True):
        if "crash" in answer:
            print(f"{case.name}: Puppet: {answer['crash']}")
            continue
        wanted, got = results_of(answer, root), results(case, root)
        count["errors"] += sum(result.startswith("!") for result in wanted)
        for ask_, theirs, own in zip(case.asks, wanted, got, strict=True):
            count["calls"] += 1
            count["equal"] += theirs == own
            if theirs != own and count["shown"] < show and case.name not in count:
                count["shown"] += 1
                count[case.name] = 1
                print(f"{case.name}: {ask_.line()}\n  Puppet {theirs}\n  ours   {own}")
    print(
        f"{len(cases)} environments, {count['calls']} calls ({count['errors']} of them errors),"
        f" {count['equal']} equal"
    )
    return int(count["equal"] != count["calls"])


if __name__ == "__main__":
    sys.exit(main())
