"""`catgraph tui`: start the terminal screens."""

from __future__ import annotations

from analyzer.cli.shared.options import COMPILE, CONFIG, Option
from analyzer.cli.shared.output import usage_error
from analyzer.cli.shared.policies import SIMULATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = "[INPUT]"
INPUTS = (0, 1)
HELP = """Step through a run in the terminal, forwards and backwards: what comes next and why,
what waits for what, and what changes, fails or is refreshed. Without INPUT, the project of the
current folder is opened. For a CFEngine policy, a run of the agent is simulated. Nothing is
changed unless you start a real run there and confirm it."""
OPTIONS = (
    Option("--catalog", "catalog of the run, if INPUT is a report or log", metavar="FILE"),
    Option("--theme", "colour theme", None, ("dark", "light")),
    *SIMULATE,
    CONFIG,
    *(row for row in COMPILE if row.name not in ("watch", "explain")),
)

# A name and no import: the screens know the analyzer, never the other way round.
SCREENS = "tui.command"


def run(options: Options) -> int:
    """Start the screens."""
    import sys

    path = options.inputs[0] if options.inputs else None
    if path == "-":
        return usage_error(
            "tui", "cannot read INPUT from standard input, which is the keyboard; name a file"
        )
    if not all(file.isatty() for file in (sys.stdin, sys.stdout, sys.stderr)):
        return usage_error(
            "tui", "this command needs a terminal; 'catgraph apply' prints a run without one"
        )
    if options.no_cache:
        import os

        os.environ["CATGRAPH_NO_CACHE"] = "1"
    given = {name: value for name, value in vars(options).items() if name != "inputs"}
    module = __import__(SCREENS, fromlist=["start"])
    return int(module.start(path, given))
