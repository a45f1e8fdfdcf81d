"""`catgraph mcp`: answer questions about a repository over the Model Context Protocol."""

from __future__ import annotations

from analyzer.cli.shared.output import print_error, usage_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Option, Options

USAGE = "[DIR]"
INPUTS = (0, 1)
HELP = """Answer questions about the code in a folder (the current one) over the Model Context
Protocol, on standard input and output: check, cycles, why, impact, query and diff. Nothing is
changed, and nothing outside of the folder is asked about. An answer that takes longer than two
minutes is ended, and long answers are shortened."""
OPTIONS: tuple[Option, ...] = ()


def run(options: Options) -> int:
    """Serve until standard input ends."""
    from pathlib import Path

    folder = Path(options.inputs[0] if options.inputs else ".")
    if not folder.is_dir():
        return usage_error("mcp", f"{folder} is not a folder")
    try:
        from analyzer.cli.mcp_server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        print_error("catgraph mcp: error: mcp is not installed; pip install 'catgraph[mcp]'")
        return 2
    serve(folder.resolve())
    return 0
