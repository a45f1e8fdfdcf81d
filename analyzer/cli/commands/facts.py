"""`catgraph facts`: the typical facts for `--facts @NAME`."""

from __future__ import annotations

from analyzer.cli.shared.options import COLOR, OUTPUT, Option
from analyzer.cli.shared.output import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = "[NAME]"
INPUTS = (0, 1)
HELP = """Print the facts of a typical machine as JSON: 'catgraph facts @debian-12'. Without a
name, list the systems. To compile with these facts, use --facts @debian-12, or in catgraph.toml:
facts = ["@debian-12", "@rocky-9"]."""
HEADER = ("name", "family", "system", "release")
OPTIONS: tuple[Option, ...] = (OUTPUT, COLOR)


def run(options: Options) -> int:
    """Print facts, or the table of all systems."""
    from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS
    from analyzer.frontends.puppet.node.typical import typical_facts

    if options.inputs:
        from json import dumps

        facts = typical_facts(options.inputs[0].removeprefix(MARK))
        emit(dumps(facts, indent=2, sort_keys=True, ensure_ascii=False), options.output)
        return 0
    rows = [HEADER]
    rows += [
        (MARK + name, system.family, system.name, system.release)
        for name, system in SYSTEMS.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    emit("\n".join(lines), options.output)
    return 0
