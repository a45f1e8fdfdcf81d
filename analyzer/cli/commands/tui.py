"""`catgraph tui`: start the terminal screens."""

from __future__ import annotations

from analyzer.cli.shared.fleet import PUPPETDB, is_fleet
from analyzer.cli.shared.options import COMPILE, CONFIG, SIMULATE, Option
from analyzer.cli.shared.output import usage_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

USAGE = "[INPUT]"
INPUTS = (0, 1)
HELP = """Step through a run in the terminal, forwards and backwards: what is ready and what waits,
why, and what changes, fails, is skipped or is refreshed. Without INPUT it opens the project around
the current folder. A folder of catalogs or a PuppetDB (see 'catgraph fleet') is shown by the causes
of its cycles, each with its nodes: enter opens the run of a node. A CFEngine policy is shown as a
simulated run of the agent. Nothing on this host is changed unless you start a real run from there
and confirm it."""
OPTIONS = (
    Option("--catalog", "the catalog of the run of a report", metavar="FILE"),
    Option(
        "--against",
        "compare with this git revision or input, on screen 6",
        metavar="REV|INPUT",
    ),
    Option("--theme", "colours of the screens", None, ("dark", "light")),
    Option("--allow-incomplete", "allow a real run of an incomplete catalog", flag=True),
    *PUPPETDB,
    Option("--plain", "print lines instead of screens, for screen readers", flag=True),
    Option("--read-only", "refuse real runs, exports and opening another input", flag=True),
    *SIMULATE,
    CONFIG,
    *(row for row in COMPILE if row.name not in ("watch", "explain")),
)

# A name, not an import: the screens import the analyzer, never the reverse.
SCREENS, FLEET, PLAIN = "tui.app", "tui.fleet", "tui.plain"


def run(options: Options) -> int:
    """Start the screens."""
    import os
    import sys

    path = options.inputs[0] if options.inputs else None
    if path == "-":
        return usage_error(
            "tui", "cannot read INPUT from standard input, which is the keyboard; name a file"
        )
    if options.plain:
        if path is None:
            return usage_error("tui", "--plain needs an INPUT")
        return int(__import__(PLAIN, fromlist=["start"]).start(path, vars(options)))
    served = "web_driver" in os.environ.get("TEXTUAL_DRIVER", "")
    if not served and not all(file.isatty() for file in (sys.stdin, sys.stdout, sys.stderr)):
        return usage_error(
            "tui", "this command needs a terminal; 'catgraph apply' prints a run without one"
        )
    end_with_the_terminal()
    if options.no_cache:
        os.environ["CATGRAPH_NO_CACHE"] = "1"
    given = {name: value for name, value in vars(options).items() if name != "inputs"}
    if path and is_fleet(path):
        from analyzer.cli.shared.fleet import question_of, source_of

        module = __import__(FLEET, fromlist=["start"])
        question = question_of("cycles", [], path, options)
        return int(module.start(source_of(path, options), question, given))
    module = __import__(SCREENS, fromlist=["start"])
    return int(module.start(path, given))


def end_with_the_terminal() -> None:
    """End when the terminal closes, even if the shell ignores SIGHUP: nobody could quit then."""
    import signal

    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
