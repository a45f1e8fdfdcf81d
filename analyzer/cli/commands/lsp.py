"""`catgraph lsp`: start the language server for an editor."""

from __future__ import annotations

from analyzer.cli.shared.options import Option
from analyzer.cli.shared.output import print_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = ""
INPUTS = (0, 0)
HELP = """Serve the Language Server Protocol on standard input and output. Your editor starts this
command: docs/editors.md has the settings. It reads the folders that the editor has open and
catgraph.toml in them, and compiles in the background the catalogs that an open file is part of."""
OPTIONS = (
    Option("--tcp", "listen on PORT on this machine instead, for debugging", None, (), "PORT", int),
)

# A name, not an import: the command line and the language server are independent.
SERVER = "analyzer.lsp.start"

MISSING = ("pygls", "lsprotocol", "attrs", "cattrs")


def run(options: Options) -> int:
    """Start the server."""
    try:
        module = __import__(SERVER, fromlist=["start"])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in MISSING:
            raise
        print_error("catgraph lsp: error: pygls is not installed; pip install 'catgraph[lsp]'")
        return 2
    return int(module.start(options.tcp))
