"""`catgraph play`: open the playground on local files, in a browser of this machine."""

from __future__ import annotations

from analyzer.cli.shared.options import Option
from analyzer.cli.shared.output import usage_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = "[DIR]"
INPUTS = (0, 1)
HELP = """Open the files of a folder (the current one) in a page: an editor with findings as you
type, the graph beside it, order, reasons and worlds. The page works on copies: nothing is written
to the folder. It listens on this machine only, at an address with a random token. A program that
takes longer than 20 seconds is stopped."""
OPTIONS = (Option("--port", "listen on PORT (default: any free port)", 0, (), "PORT", int),)

HIGHEST_PORT = 65535


def run(options: Options) -> int:
    """Serve the page until an interrupt."""
    from pathlib import Path

    from analyzer.cli.play.programs import files_of
    from analyzer.cli.play.server import serve

    if not 0 <= options.port <= HIGHEST_PORT:
        return usage_error("play", f"--port: expected 0 to {HIGHEST_PORT}, not {options.port}")
    folder = Path(options.inputs[0] if options.inputs else ".")
    if not folder.is_dir():
        return usage_error("play", f"{folder} is not a folder")
    return serve(files_of(folder), folder.resolve().name, options.port)
