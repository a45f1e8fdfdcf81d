"""Writes text to standard output, standard error or a file, escaped and coloured."""

from __future__ import annotations

import os
import sys
from errno import EACCES

from analyzer.cli.shared.exit_codes import USAGE
from analyzer.escape import MARK, escape_of, one_line, safe, shown
from analyzer.reach import LINKED_OUT, leads_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import stat_result
    from typing import TextIO

    from analyzer.cli.shared.options import Options

STYLES = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "cyan": "36", "dim": "2"}
# No input can guess it: only our own sequences begin with it.
STYLE_PREFIX = f"{MARK}{os.urandom(8).hex()}"

HEX = "0123456789abcdef"

# A temporary file that is older (in seconds) belongs to a killed run: no write takes so long.
LEFT_SECONDS = 60


class OutputStyle:
    """Marks up text for a terminal, or leaves it unchanged; `written` completes the sequences."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, style: str, text: str) -> str:
        return f"{STYLE_PREFIX}{STYLES[style]}m{text}{STYLE_PREFIX}0m" if self.on and text else text


class EscapingStream:
    """A stream that escapes unsafe characters in everything written, except our styles."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text, made safe."""
        return self.stream.write(written(text))

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


def written(text: str) -> str:
    """Return the output for a text, with a terminal's sequences for our styles only."""
    return safe(text).replace(STYLE_PREFIX, "\x1b[").replace(MARK, escape_of(MARK))


def raw_stream(stream: TextIO) -> TextIO:
    """Return the stream behind the door, for exact bytes and for movements of the cursor."""
    return getattr(stream, "stream", stream)


def show_progress(text: str) -> None:
    """Replace the last line of standard error, a terminal, by a progress text."""
    stream = raw_stream(sys.stderr)
    stream.write(f"\r\x1b[K{shown(text)}")
    stream.flush()


def style_for(options: Options) -> OutputStyle:
    """Return the style for `--color`; auto depends on the terminal and NO_COLOR."""
    if options.color != "auto":
        return OutputStyle(options.color == "always")
    terminal = sys.stdout.isatty() and not options.output
    return OutputStyle(
        terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def emit(text: str, output: str | None, *, exact: bool = False, private: bool = False) -> None:
    """Write text to a file, or to standard output; a file is written whole or not at all.

    `exact` output is for programs: it is made safe on a terminal only. A `private` file is readable
    by its owner only.
    """
    if text and text[-1] != "\n":
        text += "\n"
    to_file = output and output != "-"
    raw = exact and (to_file or not sys.stdout.isatty())
    text = text if raw else written(text)
    if output and to_file:
        emit_bytes(text.encode("utf-8", "surrogatepass"), output, private=private)
        return
    stream = raw_stream(sys.stdout)
    try:
        stream.write(text)
    except UnicodeEncodeError:
        stream.buffer.write(text.encode("utf-8", "surrogatepass"))


def emit_json(document: object, output: str | None, indent: int = 1) -> None:
    """Write a document as JSON, to a file or to standard output."""
    from json import dumps

    emit(dumps(document, indent=indent, ensure_ascii=False), output)


def emit_bytes(data: bytes, output: str, *, private: bool = False) -> None:
    """Write a file atomically, through a temporary file in the same folder.

    A replaced file keeps its mode, and its owner if that is allowed. For a link, its target is
    replaced.

    Raises:
        OSError: it cannot be written, or a link in a checkout leads out of it.
    """
    if leads_out(output):
        raise OSError(EACCES, f"cannot be written: {LINKED_OUT}", output)
    output = os.path.realpath(output) if os.path.islink(output) else output
    there = os.path.exists(output)
    if there and not os.path.isfile(output):
        with open(output, "wb") as file:
            file.write(data)
        return
    forget_leftovers(output)
    # Processes of containers that share a folder may have the same number.
    temporary = f"{output}.{os.urandom(4).hex()}.tmp"
    try:
        with open(temporary, "xb") as file:
            if there:
                # Before the file has any content.
                copy_mode(file.fileno(), os.stat(output))
            if private:
                os.fchmod(file.fileno(), 0o600)
            file.write(data)
        os.replace(temporary, output)
    except BaseException as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, output) from None
        raise


def forget_leftovers(output: str) -> None:
    """Remove the temporary files that killed runs left beside a file."""
    import os
    from contextlib import suppress
    from time import time

    folder, start = os.path.dirname(output) or ".", f"{os.path.basename(output)}."
    with suppress(OSError):
        for name in os.listdir(folder):
            middle = name[len(start) : -4]
            if name != f"{start}{middle}.tmp" or len(middle) != 8 or middle.strip(HEX):
                continue
            path = os.path.join(folder, name)
            if time() - os.lstat(path).st_mtime > LEFT_SECONDS:
                os.unlink(path)


def copy_mode(file: int, old: stat_result) -> None:
    """Give an open file the mode of another, and its owner if that is allowed."""
    from contextlib import suppress

    new = os.fstat(file)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.fchown(file, old.st_uid, old.st_gid)
    os.fchmod(file, old.st_mode & 0o7777)


def warn(path: str, warnings: list[str]) -> None:
    """Print warnings about oddities of an input."""
    for text in warnings:
        print_error(f"{path}: warning: {text}")


def print_error(line: str) -> None:
    """Print a line on standard error."""
    print(one_line(line), file=sys.stderr)


def usage_error(command: str, message: str) -> int:
    """Print a usage error and return its exit code."""
    print_error(f"catgraph {command}: error: {message}")
    return 2


def report_error(error: Exception) -> int:
    """Print an error message; with CATGRAPH_DEBUG in the environment, print the traceback."""
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
