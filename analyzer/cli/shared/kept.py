"""Repeats the stored output of a command if none of its dependencies has changed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from analyzer.cli.shared.inputs import settings_for
from analyzer.cli.shared.output import EscapingStream, emit_bytes, raw_stream, style_for
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.syntax.cache import key_of, user_cache
from analyzer.reading import CLOCK, noting
from analyzer.session.inputs import kind_of
from analyzer.session.keeping import FileStates
from analyzer.session.kept_runs import key_of_run
from analyzer.session.settings import config_for, nearest_config

if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options

# Options that do not affect the output.
NO_MATTER = ("jobs", "no_cache", "watch")

# Text that overwrites the last line of a terminal is progress.
PROGRESS = "\r\x1b[K"


class OutputRecorder:
    """A stream that records its output; `whole` is false if part of the output was not recorded."""

    def __init__(self, stream: TextIO, number: int, parts: list[tuple[int, str]]) -> None:
        self.original = stream
        self.number = number
        self.parts = parts
        self.whole = True

    def write(self, text: str) -> int:
        """Write text."""
        if not text.startswith(PROGRESS):
            self.parts.append((self.number, text))
        return self.original.write(text)

    def __getattr__(self, name: str) -> Any:
        # Bytes bypass this method.
        self.whole = self.whole and name != "buffer"
        return getattr(self.original, name)


def kept(
    command: str, options: Options, run: Callable[[Options], int], *, at_once: bool = True
) -> int:
    """Run a command about manifests, or repeat the output of the last run.

    The first output is stored `at_once`, or only when the files that it depends on are unchanged in
    the next run: searching all folders of modules for a key takes longer than a short run saves.
    """
    disk, store = FileStates(), user_cache()
    if not store.folder:
        return run(options)
    if not at_once and not is_repeated(command, options, disk):
        with noting() as read:
            code = run(options)
        store.put(key_of_words(command, options), read)
        return code
    key = key_of_options(command, options, disk)
    if key is None:
        return run(options)
    entry = store.get(key)
    if isinstance(entry, tuple) and disk.holds(entry[0]):
        return print_again(options, *entry[1:])
    parts: list[tuple[int, str]] = []
    with noting() as read, recording(parts) as recorders:
        code = run(options)
    if CLOCK not in read and all(one.whole for one in recorders):
        store.put(key, (read, parts, written_to(options.output), code))
    return code


def is_repeated(command: str, options: Options, disk: FileStates) -> bool:
    """Return whether the files that the last run read are unchanged."""
    read = user_cache().get(key_of_words(command, options))
    return isinstance(read, dict) and disk.holds(read)


def key_of_words(command: str, options: Options) -> str:
    """Return the key of the files that a command with some options read."""
    return key_of("read", os.getcwd(), words_of(command, options))


def words_of(command: str, options: Options) -> str:
    """Return a command with the options that affect its output."""
    words = {name: value for name, value in vars(options).items() if name not in NO_MATTER}
    return f"{command} {sorted(words.items())}"


def key_of_options(command: str, options: Options, disk: FileStates) -> str | None:
    """Return the key of a run, None if its output must not be stored."""
    if getattr(options, "write_facts", None) or is_special(options.output):
        return None
    if any(kind_of(path) != "manifests" for path in options.inputs):
        return None
    stream = raw_stream(sys.stdout)
    coloured = hasattr(options, "color") and style_for(options).on
    # A change of a file is noticed, as the run reads it; a new file is not.
    named = [options.config or nearest_config(path) for path in options.inputs]
    about = (stream.isatty(), stream.encoding, coloured, named)
    with suppress(InputError):
        inputs = []
        for path in options.inputs:
            config = config_for(path, options.config)
            settings = settings_for("manifests", options, config)
            inputs.append((path, settings))
        found = [(path, one) for path, one in inputs if one is not None]
        return key_of_run(f"{words_of(command, options)} {about}", found, disk)
    return None


@contextmanager
def recording(parts: list[tuple[int, str]]) -> Iterator[Sequence[OutputRecorder]]:
    """Record the output in `parts`, with the number of its stream."""
    streams = sys.stdout, sys.stderr
    recorders = [
        OutputRecorder(raw_stream(one), number, parts) for number, one in enumerate(streams)
    ]
    sys.stdout, sys.stderr = map(EscapingStream, recorders)  # type: ignore[arg-type]
    try:
        yield recorders
    finally:
        sys.stdout, sys.stderr = streams


def is_special(output: str | None) -> bool:
    """Return whether the output is written to a pipe or device, which cannot be read again."""
    return output is not None and os.path.exists(output) and not os.path.isfile(output)


def written_to(output: str | None) -> bytes | None:
    """Return the bytes of the written file, None if no file was written."""
    if output in (None, "", "-"):
        return None
    with open(output, "rb") as file:
        return file.read()


def print_again(
    options: Options, parts: Sequence[tuple[int, str]], data: bytes | None, code: int
) -> int:
    """Print the stored output; return the exit code."""
    streams = [raw_stream(one) for one in (sys.stdout, sys.stderr)]
    for number, text in parts:
        streams[number].write(text)
    if options.output and data is not None:
        emit_bytes(data, options.output)
    return code
