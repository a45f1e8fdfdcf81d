"""`python -m tests.frontends.puppet.stdlib record|live`: beside the installed stdlib."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace

from tests.frontends.puppet.functions.cases import read
from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import FOLDER, ask, ours, theirs
from .programs import record as record_programs


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 agree or skipped, 1 differ, 2 cannot record."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.frontends.puppet.stdlib", description=__doc__
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record", help="rewrite the results of the cases")
    live = commands.add_parser("live", help="compare generated calls with Puppet now")
    live.add_argument("--count", type=int, default=5_000, help="of calls (default 5,000)")
    live.add_argument("--seed", type=int, default=1)
    live.add_argument("--only", help="functions, separated by commas")
    live.add_argument("--show", type=int, default=60, help="of differences (default 60)")
    options = parser.parse_args(arguments)
    if installed() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 2 if options.command == "record" else 0
    if options.command == "record":
        return record()
    only = options.only.split(",") if options.only else None
    return compare(options.count, options.seed, only, options.show)


def record() -> int:
    """Rewrite all files of cases."""
    count = 0
    for path in sorted(FOLDER.glob("*.txt")):
        head, cases = read(path)
        answers = ask([case.text for case in cases])
        done = [replace(case, result=theirs(one)) for case, one in zip(cases, answers, strict=True)]
        path.write_text("\n".join([head, *(case.lines() for case in done)]), encoding="utf-8")
        count += len(done)
    print(f"{count} cases, {record_programs()} programs")
    return 0


def compare(count: int, seed: int, only: list[str] | None, show: int) -> int:
    """Compare generated calls; print those that differ."""
    from .generate import generated

    calls = list(generated(count, seed, only))
    differing: Counter[str] = Counter()
    unknown = 0
    for (name, text), answer in zip(calls, ask([text for _, text in calls]), strict=True):
        expected = theirs(answer)
        try:
            found = ours(text)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found.startswith('=> {"unknown"'):
            unknown += 1
        elif found != expected:
            differing[name] += 1
            if differing.total() <= show:
                print(f"{text}\n  Puppet {expected}\n  ours   {found}")
    if differing:
        print(*(f"{name} {times}" for name, times in differing.most_common()), sep=", ")
    agree = len(calls) - differing.total() - unknown
    print(f"{agree} of {len(calls)} calls agree, {unknown} are unknown")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
