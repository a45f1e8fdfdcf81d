"""`catgraph serve`: show the terminal screens in a browser on this machine."""

from __future__ import annotations

from analyzer.cli.commands import tui
from analyzer.cli.shared.options import Option
from analyzer.cli.shared.output import print_error, usage_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.cli.shared.options import Options

USAGE = tui.USAGE
INPUTS = tui.INPUTS
HELP = """Show the screens of 'catgraph tui INPUT' in a browser. It listens on this machine only,
at an address with a random token: whoever has the address sees what you see. For a colleague,
forward the port: ssh -L PORT:127.0.0.1:PORT HOST. Each window has its own run. Nothing can be
changed from there: no real run, no export, no other input, unless you give --allow-changes."""
OPTIONS = (
    Option("--port", "listen on PORT (default: any free port)", 0, (), "PORT", int),
    Option("--allow-changes", "allow real runs, exports and other inputs", flag=True),
    *(row for row in tui.OPTIONS if row.name not in ("read_only", "plain")),
)

# A name, not an import: the screens import the analyzer, never the reverse.
SERVER = "tui.serving"

MISSING = ("textual_serve", "aiohttp", "aiohttp_jinja2", "jinja2")
HIGHEST_PORT = 65535


def run(options: Options) -> int:
    """Serve the screens until an interrupt."""
    if options.inputs == ["-"]:
        return usage_error("serve", "cannot read INPUT from standard input; name a file")
    if not 0 <= options.port <= HIGHEST_PORT:
        return usage_error("serve", f"--port: expected 0 to {HIGHEST_PORT}, not {options.port}")
    try:
        module = __import__(SERVER, fromlist=["serve"])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in MISSING:
            raise
        print_error(
            "catgraph serve: error: textual-serve is not installed; pip install 'catgraph[serve]'"
        )
        return 2
    return int(module.serve(list(words_for(options)), options.port))


def words_for(options: Options) -> Iterator[str]:
    """Yield the words of the command `catgraph tui` for one window."""
    yield "tui"
    if not options.allow_changes:
        yield "--read-only"
    for row in tui.OPTIONS:
        value = vars(options).get(row.name, row.default)
        if value == row.default:
            continue
        flag = row.flags[-1]
        if row.flag:
            yield flag
        for one in value if row.many else () if row.flag else (value,):
            yield f"{flag}={one}"
    yield "--"
    yield from options.inputs
