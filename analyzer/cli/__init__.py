"""The command line: `catgraph COMMAND [INPUT...] [options]`.

Commands are a table of names and modules, which are imported on demand. Exit codes: 0 clean, 1
findings, 2 usage or unreadable input, 3 not compiled, or too much unknown to call it clean.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

CLEAN, FINDINGS, USAGE, CANNOT_COMPILE = range(4)
BROKEN_PIPE, INTERRUPTED = 141, 130

# name: (module, summary)
COMMANDS: dict[str, tuple[str, str]] = {
    "cycles": (
        "analyzer.cli.commands.cycles",
        "find and explain dependency cycles; exit 1 if there are any",
    ),
    "lint": (
        "analyzer.cli.commands.lint",
        "check manifests, catalogs and policies with rules that use the graph",
    ),
    "check": (
        "analyzer.cli.commands.check",
        "the gate of a pipeline: fail only for what the baseline does not accept",
    ),
    "rule": ("analyzer.cli.commands.rule", "explain a lint rule"),
    "order": (
        "analyzer.cli.commands.order",
        "print the order of resources or promises",
    ),
    "why": ("analyzer.cli.commands.why", "explain why one resource comes before another"),
    "impact": (
        "analyzer.cli.commands.impact",
        "show what a failure or change of a resource affects",
    ),
    "query": (
        "analyzer.cli.commands.query",
        "find resources or edges: type = File and before Service[x]",
    ),
    "apply": (
        "analyzer.cli.commands.apply",
        "simulate or perform a run: what changes, fails or is refreshed",
    ),
    "tui": (
        "analyzer.cli.commands.tui",
        "step through a run in the terminal, forwards and backwards",
    ),
    "serve": (
        "analyzer.cli.commands.serve",
        "show the terminal screens in a browser on this machine",
    ),
    "play": (
        "analyzer.cli.commands.play",
        "edit copies of local files in a browser, with findings as you type",
    ),
    "lsp": ("analyzer.cli.commands.lsp", "serve the graph to an editor: diagnostics, definitions"),
    "mcp": (
        "analyzer.cli.commands.mcp",
        "answer questions over the Model Context Protocol, read only",
    ),
    "diff": (
        "analyzer.cli.commands.diff",
        "compare two catalogs, revisions or runs; exit 1 if they differ",
    ),
    "upgrade": (
        "analyzer.cli.commands.upgrade",
        "report what breaks and changes under another Puppet or OpenVox",
    ),
    "verify": (
        "analyzer.cli.commands.verify",
        "compare with the installed Puppet or OpenVox; exit 1 if a catalog differs",
    ),
    "graph": ("analyzer.cli.commands.graph", "draw or export the graph"),
    "compile": ("analyzer.cli.commands.compile", "compile manifests to a catalog in Puppet's JSON"),
    "parse": (
        "analyzer.cli.commands.parse",
        "check the syntax of manifests, templates and policies",
    ),
    "explore": (
        "analyzer.cli.commands.explore",
        "find the facts and parameters under which there is a cycle",
    ),
    "fleet": (
        "analyzer.cli.commands.fleet",
        "ask a question of all catalogs of a site; group findings by cause",
    ),
    "modules": (
        "analyzer.cli.commands.modules",
        "list declared, missing, undeclared and unused modules",
    ),
    "unused": (
        "analyzer.cli.commands.unused",
        "list classes, files and keys of Hiera that no node can reach",
    ),
    "facts": ("analyzer.cli.commands.facts", "list or print the facts of typical machines"),
    "init": ("analyzer.cli.commands.init", "write an initial catgraph.toml for a repository"),
    "convert": (
        "analyzer.cli.commands.convert",
        "convert tests of rspec-puppet to pytest",
    ),
    "completion": ("analyzer.cli.commands.completion", "print a completion script for a shell"),
}


# Words in commands that last while the files that they read change.
LASTING = frozenset({"lsp", "mcp", "play", "tui", "--watch"})


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code.

    Without `argv`, it runs as the process: with the process's arguments, the garbage collector off
    (everything lives until the end), and an exit without cleanup of the interpreter.
    """
    if argv is not None:
        return guarded(argv)
    import gc
    import os

    gc.disable()
    if not LASTING.intersection(sys.argv):
        from analyzer.reading import ONE_COMMAND

        ONE_COMMAND.set(True)
    code = guarded(sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = BROKEN_PIPE
    os._exit(code)


def guarded(argv: list[str]) -> int:
    """Run a command; turn an error into one message and an exit code, never a traceback.

    An `EscapingStream` escapes unsafe characters in all output.
    """
    from analyzer.cli.shared.output import EscapingStream

    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(EscapingStream, streams)
    try:
        return dispatch(argv)
    except BrokenPipeError:
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else USAGE
    except Exception as error:
        return report_error(error)
    finally:
        sys.stdout, sys.stderr = streams


def report_error(error: Exception) -> int:
    """Print an error message; with CATGRAPH_DEBUG in the environment, print the traceback."""
    from analyzer.cli.shared.output import print_error
    from analyzer.diagnostics import InputError, words_of

    words = words_of(error)
    if isinstance(error, InputError):
        print(error, file=sys.stderr)
        return error.exit_code
    if isinstance(error, OSError):
        place = error.filename if error.filename else "output"
        print_error(f"catgraph: error: {place}: {error.strerror or error}")
    else:
        print_error(f"catgraph: {words} (please report it)")
    return USAGE


def dispatch(argv: list[str]) -> int:
    """Run a command with its arguments."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print_help(sys.stdout if argv else sys.stderr)
        return CLEAN if argv else USAGE
    name = argv[0]
    if name in ("-V", "--version"):
        from analyzer.version import VERSION

        print(f"catgraph {VERSION}")
        return CLEAN
    if name not in COMMANDS:
        return unknown_command(name)
    from analyzer.cli.shared.options import parse
    from analyzer.reach import note_code, user_files
    from analyzer.reading import set_most

    module = __import__(COMMANDS[name][0], fromlist=["run"])
    with user_files():
        options = parse(f"catgraph {name}", module, argv[1:])
        note_code(options.inputs)
        set_most(getattr(options, "max_input", None))
        if getattr(options, "watch", False):
            from analyzer.cli.shared.watch import watch

            return watch(name, lambda: int(module.run(options)), options)
        return int(module.run(options))


def unknown_command(name: str) -> int:
    """Report an unknown command, with a suggestion."""
    from difflib import get_close_matches

    from analyzer.cli.shared.output import print_error

    near = get_close_matches(name, COMMANDS, 1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    print_error(f"catgraph: error: unknown command '{name}'{hint}")
    print("'catgraph --help' lists the commands", file=sys.stderr)
    return USAGE


def print_help(file: TextIO) -> None:
    """Print a description of catgraph and its commands."""
    print("usage: catgraph COMMAND [INPUT...] [options]\n", file=file)
    print("Explain what Puppet will do to a machine, in which order, and why.\n", file=file)
    for name, (_, summary) in COMMANDS.items():
        print(f"  {name:<11} {summary}", file=file)
    print(
        "\nINPUT is a catalog in JSON (also gzipped, or from PuppetDB), a DOT file of Puppet's",
        file=file,
    )
    print(
        "--graph, or a manifest, an environment or a control repo, which are compiled;", file=file
    )
    print("'-' is a catalog on standard input.", file=file)
    print("'catgraph COMMAND --help' shows a command's options.", file=file)
    print("Exit codes: 0 clean, 1 findings, 2 usage or unreadable input,", file=file)
    print("3 compilation failed, or too much is unknown to call the input clean.", file=file)
