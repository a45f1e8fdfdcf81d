"""Runs one command: finds it in the table, parses its options, and turns errors into messages."""

from __future__ import annotations

import sys

from analyzer.cli.command_table import COMMANDS
from analyzer.cli.shared.exit_codes import BROKEN_PIPE, CLEAN, INTERRUPTED, USAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


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
        from analyzer.cli.shared.output import report_error

        return report_error(error)
    finally:
        sys.stdout, sys.stderr = streams


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
