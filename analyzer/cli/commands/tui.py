"""`catgraph tui`: the terminal screens, to walk through a run forwards and backwards."""

from __future__ import annotations

from analyzer.cli.shared.options import COMPILE, CONFIG, Option, usage_error
from analyzer.cli.shared.policies import SIMULATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = "[INPUT]"
INPUTS = (0, 1)
HELP = """Walk through a run in the terminal, forwards and backwards: what is next and why, what
waits for what, what changes, fails and is refreshed. Without INPUT it opens the project around
the current folder. Of a CFEngine policy it is a simulated run of the agent, in its passes and
bundles. Nothing is changed unless you ask for a real run in there, and confirm it."""
OPTIONS = (
    Option("--catalog", "the catalog of the run that a report or log tells of", metavar="FILE"),
    Option("--theme", "colours of the screens", None, ("dark", "light")),
    *SIMULATE,
    CONFIG,
    *(row for row in COMPILE if row.name not in ("watch", "explain")),
)

# A name and no import: the screens know the analyzer, never the other way round.
SCREENS = "tui.app"


def run(options: Options) -> int:
    """Start the screens."""
    import sys

    path = options.inputs[0] if options.inputs else None
    if path == "-":
        return usage_error("tui", "standard input is the keyboard here: name a file")
    if not all(file.isatty() for file in (sys.stdin, sys.stdout, sys.stderr)):
        return usage_error("tui", "this needs a terminal; 'catgraph apply' prints a run")
    if options.no_cache:
        import os

        os.environ["CATGRAPH_NO_CACHE"] = "1"
    given = {name: value for name, value in vars(options).items() if name != "inputs"}
    module = __import__(SCREENS, fromlist=["start"])
    return int(module.start(path, given))
