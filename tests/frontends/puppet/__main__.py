"""`python -m tests.frontends.puppet record|live`: the front end beside the installed Puppet's."""

from __future__ import annotations

import argparse
import sys

from tests.oracle.harness import HOW_TO_INSTALL, installed

GROUPS = ("manifests", "templates", "cases", "operators", "mutants")


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 agree or skipped, 1 differ, 2 cannot record."""
    options = _parser().parse_args(arguments)
    if options.command == "record":
        return _record(options.what)
    if options.command == "live-validate":
        from .live_validate import live_validate

        return live_validate(options.mutants, options.seed)
    if options.command == "types":
        from .types.live import compare

        return compare(options.count, options.seed)
    from .live import live

    return live(options.mutants, options.seed, options.groups)


def _record(what: list[str]) -> int:
    if installed() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 2
    if "cases" in what:
        from .record_cases import record_cases

        record_cases()
    if "regexps" in what:
        from .record_regexps import record_regexps

        record_regexps()
    if "errors" in what:
        from .record_errors import record_errors

        record_errors()
    if "types" in what:
        from .types.cases import record

        record()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.frontends.puppet", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser(
        "record", help="rewrite the recorded files from the installed Puppet"
    )
    record.add_argument(
        "what", nargs="*", default=["cases", "regexps", "errors", "types"], help="%(default)s"
    )
    live = commands.add_parser("live", help="compare with the installed Puppet now")
    live.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    live.add_argument(
        "--mutants", type=int, default=20_000, help="mutated programs (default 20,000)"
    )
    live.add_argument("--seed", type=int, default=1, help="of the mutants")
    faults = commands.add_parser(
        "live-validate", help="compare every diagnostic with the installed Puppet now"
    )
    faults.add_argument("--mutants", type=int, default=5_000, help="(default 5,000)")
    faults.add_argument("--seed", type=int, default=1, help="of the mutants")
    types = commands.add_parser("types", help="compare the type system with the installed one")
    types.add_argument("--count", type=int, default=500, help="questions of each kind")
    types.add_argument("--seed", type=int, default=1, help="of the questions")
    return parser


if __name__ == "__main__":
    sys.exit(main())
