"""`python -m tests.oracle record|live`: what real Puppet says, recorded or compared right now."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .harness import HOW_TO_INSTALL, installed


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 agree or skipped, 1 differ, 2 cannot record."""
    options = _parser().parse_args(arguments)
    if installed() is None:
        if options.command == "record":
            print(HOW_TO_INSTALL, file=sys.stderr)
            return 2
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    if options.command == "record":
        from .record import record

        record()
        return max(record_frontend(), record_providers())
    from tests.apply.providers.live import live as live_providers
    from tests.frontends.puppet.live import live as live_frontend
    from tests.frontends.puppet.ruby_types.live import live as live_types

    from .live import live

    found = live(options.facts, options.limit, options.random, options.seed)
    return max(found, live_frontend(), live_types(), live_providers())


def record_frontend() -> int:
    """Record what is below `tests/frontends/puppet`."""
    from tests.frontends.puppet.__main__ import main as frontend
    from tests.frontends.puppet.compiler.record import record as programs
    from tests.frontends.puppet.functions.__main__ import main as functions
    from tests.frontends.puppet.hiera.record import main as hiera
    from tests.frontends.puppet.ruby_types.declared import record as types
    from tests.frontends.puppet.ruby_types.programs import record as programs_of_types
    from tests.frontends.puppet.stdlib.__main__ import main as stdlib

    code = frontend(["record"])
    programs()
    types()
    programs_of_types()
    return max(code, functions(["record"]), hiera(), stdlib(["record"]))


def record_providers() -> int:
    """Record what Puppet's providers log and leave, where it has a machine to do that on."""
    from tests.apply.providers.record import record as providers

    return providers()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record", help="rewrite the recorded files from the installed Puppet")
    live = commands.add_parser("live", help="compare with the installed Puppet now")
    live.add_argument("--facts", type=Path, help="a file of facts, or a folder of such files")
    live.add_argument("--limit", type=int, help="at most this many classes of a fact set")
    live.add_argument("--random", type=int, default=2000, help="random manifests (default 2000)")
    live.add_argument("--seed", type=int, default=1_000_000, help="of the first random manifest")
    return parser


if __name__ == "__main__":
    sys.exit(main())
