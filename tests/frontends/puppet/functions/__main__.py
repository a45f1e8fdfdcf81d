"""`python -m tests.frontends.puppet.functions record|live`: beside the installed Puppet."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import FOLDER, ours, read, theirs
from .harness import ask


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 agree or skipped, 1 differ, 2 cannot record."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.frontends.puppet.functions", description=__doc__
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record", help="rewrite the results of the cases")
    live = commands.add_parser("live", help="compare generated calls with Puppet now")
    live.add_argument("--count", type=int, default=5_000, help="of calls (default 5,000)")
    live.add_argument("--seed", type=int, default=1)
    live.add_argument("--only", help="functions, separated by commas")
    options = parser.parse_args(arguments)
    if installed() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 2 if options.command == "record" else 0
    if options.command == "record":
        return record()
    return compare(options.count, options.seed, options.only)


def record() -> int:
    """Rewrite all files of cases."""
    count = 0
    for path in sorted(FOLDER.glob("*.txt")):
        head, cases = read(path)
        answers = ask([case.text for case in cases])
        done = [replace(case, result=theirs(one)) for case, one in zip(cases, answers, strict=True)]
        text = "\n".join([head, *(case.lines() for case in done)])
        path.write_text(text, encoding="utf-8")
        count += len(done)
    print(f"{count} cases")
    return 0


def compare(count: int, seed: int, only: str | None) -> int:
    """Compare generated calls; print those that differ."""
    from .generate import generated

    texts = list(generated(count, seed, only.split(",") if only else None))
    differing = 0
    for text, answer in zip(texts, ask(texts), strict=True):
        found, expected = attempt(text), theirs(answer)
        if found != expected:
            differing += 1
            if differing <= 40:
                print(f"{text}\n  Puppet {expected}\n  ours   {found}")
    print(f"{len(texts) - differing} of {len(texts)} calls agree")
    return 1 if differing else 0


def attempt(text: str) -> str:
    """Our result, or how it crashed."""
    try:
        return ours(text)
    except Exception as error:
        return f"! crash: {error!r}"


if __name__ == "__main__":
    sys.exit(main())
