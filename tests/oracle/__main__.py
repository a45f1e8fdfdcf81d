"""`python -m tests.oracle record|live|classes`: what Puppet says, recorded or compared now."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from analyzer.reach import user_files

from .harness import HOW_TO_INSTALL, installed


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 agree or skipped, 1 differ, 2 cannot record."""
    options = _parser().parse_args(arguments)
    if options.command == "live":
        from tests.frontends.cfengine.live import live as live_policies
        from tests.hostile.__main__ import main as hostile
        from tests.linter.agent_runs import live as live_rules

        with user_files():
            code = max(hostile(300), live_policies(), live_rules())
            return max(code, unknowns(options), puppet(options))
    return puppet(options)


def unknowns(options: argparse.Namespace) -> int:
    """Compile the packaged modules with what is not known; that takes their files only."""
    from .unknowns import live

    return live(options.facts, options.unknowns, options.seed)


def puppet(options: argparse.Namespace) -> int:
    """What has to do with Puppet."""
    if installed() is None:
        if options.command == "record":
            print(HOW_TO_INSTALL, file=sys.stderr)
            return 2
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    if options.command == "record":
        from tests.apply.report.record import record as record_reports
        from tests.control_repos.record import record as record_repos
        from tests.threads.said import record as record_threads

        from .record import record

        record()
        record_repos()
        record_threads()
        record_reports()
        return max(record_frontend(), record_providers())
    if options.command == "classes":
        from .live import live_classes

        of = (options.classes, options.seed, options.part, options.ruby)
        return live_classes(options.facts, *of, options.only)
    from tests.apply.engine.record import live as live_runs
    from tests.apply.providers.live import live as live_providers
    from tests.apply.report.live import live as live_reports
    from tests.frontends.puppet.compiler.exporting import live as live_nodes
    from tests.frontends.puppet.live import live as live_frontend
    from tests.frontends.puppet.opaque.record import live as live_missing
    from tests.frontends.puppet.ruby_types.live import live as live_types
    from tests.linter.live import live as live_lint
    from tests.linter.mended import live as live_fixes
    from tests.threads.said import live as live_threads

    from .live import Amount, live

    amount = Amount(options.classes, options.random, options.programs)
    found = live(options.facts, amount, options.seed)
    nodes = live_nodes(options.random // 4, options.seed or 1)
    nodes = max(nodes, live_missing(options.random // 4, options.seed or 1))
    rest = (live_frontend(), live_types(), live_threads(), live_lint())
    fixes = live_fixes(options.facts)
    return max(found, nodes, fixes, *rest, live_runs(), live_reports(), live_providers())


def record_frontend() -> int:
    """Record what is below `tests/frontends/puppet`, and the runs of `tests/apply`."""
    from tests.apply.engine.record import record as runs
    from tests.frontends.puppet.__main__ import main as frontend
    from tests.frontends.puppet.bridge.record import record as with_ruby
    from tests.frontends.puppet.compiler.exporting import record as nodes
    from tests.frontends.puppet.compiler.record import record as programs
    from tests.frontends.puppet.functions.__main__ import main as functions
    from tests.frontends.puppet.hiera.record import main as hiera
    from tests.frontends.puppet.opaque.record import record as missing_modules
    from tests.frontends.puppet.ruby_functions.record import main as ruby_functions
    from tests.frontends.puppet.ruby_types.declared import record as types
    from tests.frontends.puppet.ruby_types.programs import record as programs_of_types
    from tests.frontends.puppet.stdlib.__main__ import main as stdlib
    from tests.graph.recursed.record import record as folders

    code = frontend(["record"])
    programs()
    types()
    programs_of_types()
    with_ruby()
    nodes()
    missing_modules()
    folders()
    runs()
    return max(code, functions(["record"]), hiera(), stdlib(["record"]), ruby_functions())


def record_providers() -> int:
    """Record what Puppet's providers log and leave, where it has a machine to do that on."""
    from tests.apply.providers.record import record as providers

    return providers()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record", help="rewrite the recorded files from the installed Puppet")
    live = commands.add_parser("live", help="compare with the installed Puppet now")
    classes = commands.add_parser("classes", help="compare classes of the packaged modules only")
    for command in (live, classes):
        _of_classes(command)
    classes.add_argument("--part", type=_part, default=(1, 1), help="I/N: every N-th, from I on")
    classes.add_argument("--only", type=re.compile, default="", help="classes with such names")
    classes.add_argument("--ruby", help="run the modules' Ruby: a Ruby with Puppet, or auto")
    live.add_argument("--random", type=int, default=1000, help="random manifests (default 1000)")
    live.add_argument("--programs", type=int, default=5000, help="random programs (default 5000)")
    live.add_argument(
        "--unknowns",
        type=int,
        default=1000,
        help="compiles with something left out of what is known (default 1000)",
    )
    return parser


def _of_classes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--facts",
        type=Path,
        help="a file of facts, or a folder of such files; else what CATGRAPH_FACTS names",
    )
    parser.add_argument(
        "--classes", type=int, default=200, help="classes of each fact set (0: all; default 200)"
    )
    parser.add_argument("--seed", type=int, help="of everything random; default: from the clock")


def _part(text: str) -> tuple[int, int]:
    number, of = map(int, text.split("/"))
    if not 0 < number <= of:
        raise ValueError(text)
    return number, of


if __name__ == "__main__":
    sys.exit(main())
