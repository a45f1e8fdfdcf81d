"""A document through every command, in this process: what must never come of it is told."""

from __future__ import annotations

import functools
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from analyzer.cli import main
from analyzer.cli.shared import options

# Seconds that a command may take for a catalog of two dozen resources.
MOST_SECONDS = 20
# Commands that have to refuse a document before the others are taken to do so.
ENOUGH = 4
# Commands and their options; `@` is the document, `&` a healthy catalog, `%` a file to write.
ALWAYS = (
    "cycles @ -f text", "cycles @ --puppet-text", "lint @ -f text", "order @ -f text",
    "why @ Notify[x] Exec[/bin/true]", "impact @ Notify[x]", "apply @ -f text",
    "graph @ -f html", "graph @ -f json --view expanded", "diff & @ -f text",
)  # fmt: skip
IN_TURN = (
    ("cycles @ -f ", "json sarif junit github markdown"),
    ("lint @ --explain -f ", "json sarif junit github gitlab markdown text"),
    ("graph @ -f ", "dot json graphml mermaid html"),
    ("graph @ --view containment -f ", "dot json graphml mermaid html"),
    ("graph @ --view expanded -f ", "dot graphml mermaid html"),
    ("graph @ --fold class -f ", "dot json graphml mermaid html"),
    ("graph @ --focus Notify[a] --depth 1 -f ", "dot json graphml mermaid html"),
    ("order @ -f ", "json"),
    ("why @ Class[K] Exec[/bin/true] -f ", "json"),
    ("impact @ Class[K] --all -f ", "json text"),
    ("apply @ --verbose --debug --all -f ", "json puppet"),
    ("apply @ --noop --tags k --report % -f ", "json puppet text"),
    ("apply @ --fail Notify[x] --changed Notify[a] --skip-tags t -f ", "text json puppet"),
    ("apply @ --shuffle 2 -f ", "text json"),
    ("diff @ & --all -f ", "json markdown text"),
    ("query @ #tag=k#or#(not#owner=root#and#title~\"/*\")#or#sensitive -f ", "text json refs"),
    ("query @ #before#Notify[a]#or#in#Class[K]#or#refreshable -f ", "json text refs"),
    ("query @ #edges#where#event#or#file=x#or#from#type=File --show path,mode -f ", "text json"),
)  # fmt: skip

# Most of the time of a command about a small catalog.
options.build_parser = functools.cache(options.build_parser)


class HangError(BaseException):
    """A command that came to no end."""


@contextmanager
def no_longer_than(seconds: int) -> Iterator[None]:
    """Stop what takes too long."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def commands(turn: int) -> Iterator[str]:
    """All commands; of those with several formats, the one whose turn it is."""
    yield from ALWAYS
    for head, formats in IN_TURN:
        choice = formats.split()
        yield head + choice[turn % len(choice)]


def said(arguments: list[str]) -> tuple[int, str, str]:
    """Run a command: its exit code, and what it printed."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = streams
    try:
        with no_longer_than(MOST_SECONDS):
            code = main(arguments)
    finally:
        sys.stdout, sys.stderr = kept
    return code, printed(streams[0]), printed(streams[1])


def printed(stream: io.TextIOWrapper) -> str:
    """What was written to a stream."""
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "replace")


def tried(arguments: list[str]) -> tuple[int, str | None]:
    """The exit code of a command, and what is wrong with how it took its input, if anything."""
    code, out, err = said(arguments)
    if "internal error" in err:
        return code, reason(arguments)
    if code not in (0, 1, 2, 3):
        return code, f"exit code {code}"
    errors = sum(": error: " in line for line in (err or out).splitlines())
    several = code == 2 and errors != 1
    return code, f"{errors} errors: {err[-200:]!r}" if several else None


def reason(arguments: list[str]) -> str:
    """Where an internal error arises, and its words."""
    os.environ["CATGRAPH_DEBUG"] = "1"
    try:
        _, _, err = said(arguments)
    finally:
        del os.environ["CATGRAPH_DEBUG"]
    frames = [line.strip() for line in err.splitlines() if line.startswith("  File ")]
    place = frames[-1].partition(", in ")[0].rpartition("/")[2] if frames else ""
    words = next(line for line in err.splitlines() if "internal error" in line)
    return f"{place} {words.rpartition('report it: ')[2][:90]}".strip()


def failures(document: Path, healthy: Path, turn: int) -> Iterator[tuple[str, str]]:
    """Each command that takes a document wrongly, and how."""
    report = document.with_name("report" + (".json", ".yaml")[turn % 2])
    stands = {"@": str(document), "&": str(healthy), "%": str(report)}
    refused = 0
    for command in commands(turn):
        if refused > ENOUGH:
            break
        words = [word.replace("#", " ").strip() for word in command.split()]
        arguments = [stands.get(word, word) for word in words]
        try:
            code, found = tried(arguments)
            refused += code == 2
        except HangError:
            found = "no end"
        if found:
            yield command, found
    if report.exists():
        for command in (f"order {report}", f"diff {report} {report}"):
            _, found = tried(command.split())
            if found:
                yield command, found
        report.unlink()
