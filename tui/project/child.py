"""Does work in a process of its own: it can be ended at any time, and limits of time hold there.

A regular expression holds the interpreter until it is done, so that nothing else in its process
runs meanwhile, and only signals end it, which a thread does not get.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.guard import PR_SET_PDEATHSIG, control
from analyzer.graph.cycles.statements import Statement
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.documents import JsonObject
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.model.catalog import Catalog

Result = TypeVar("Result")

# Seconds from one look whether the work is still wanted to the next.
TICK = 0.1
PIECE = 1 << 20

# Relationships of a statement that are passed on; of one that makes more, the first is.
LISTED = 10_000

# Nothing but the thread that forks goes on in the child, and it takes no lock of another one.
warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)


def in_child(
    work: Callable[[], Result],
    path: str,
    check: Callable[[], object] = lambda: None,
    graph: Callable[[Catalog], RelationshipGraph] = relate,
) -> Result:
    """Return the result of work on an input, done in another process.

    `check` is called now and then: what it raises ends the process. `graph` makes the graphs of a
    result again, as their catalogs only are passed on.

    Raises:
        InputError: the process ended without a result.
        Exception: what the work or `check` raises.
    """
    if not hasattr(os, "fork"):
        return work()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        be_child(work, writing)
    os.close(writing)
    try:
        data = read_all(reading, check)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if not data:
        message = "the process that reads it was ended: it may need more memory than there is"
        raise InputError(message, Span(path), "too-much")
    succeeded, value = Reader(data, graph).load()
    if succeeded:
        found: Result = value
        return found
    raise value


def read_all(file: int, check: Callable[[], object]) -> bytes:
    """Return all that comes from a pipe."""
    parts: list[bytes] = []
    while True:
        while not select.select([file], [], [], TICK)[0]:
            check()
        part = os.read(file, PIECE)
        if not part:
            return b"".join(parts)
        parts.append(part)


def be_child(work: Callable[[], object], writing: int) -> NoReturn:
    """Do the work, write its result, and end."""
    try:
        control(PR_SET_PDEATHSIG, signal.SIGKILL)
        leave_terminal()
        try:
            answer = pickled((True, work()))
        except Exception as error:
            answer = pickled((False, error))
        with os.fdopen(writing, "wb") as file:
            file.write(answer)
    finally:
        os._exit(0)


def leave_terminal() -> None:
    """Release the signals and the terminal of the process that waits."""
    signal.set_wakeup_fd(-1)
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_DFL)
    signal.signal(signal.SIGWINCH, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)


def pickled(answer: object) -> bytes:
    """Return a result as bytes."""
    found = BytesIO()
    Writer(found, pickle.HIGHEST_PROTOCOL).dump(answer)
    return found.getvalue()


class Writer(pickle.Pickler):
    """Writes the catalogs of graphs, and errors with all that they hold."""

    def persistent_id(self, value: object) -> Catalog | None:
        """Return the catalog that is written in place of a graph."""
        return value.catalog if isinstance(value, RelationshipGraph) else None

    def reducer_override(self, value: object) -> Any:
        """Return how to make an error again, or a statement, which finds what it made."""
        if isinstance(value, Statement):
            few = value.count <= LISTED
            made = value.relationships if few else (value.example,)
            return Statement, (value.example, value.count, value.cost, partial(tuple, made))
        if isinstance(value, InputError):
            return made_again, (type(value), vars(value))
        return NotImplemented


class Reader(pickle.Unpickler):
    """Reads what a Writer wrote; `graph` makes a graph of a catalog."""

    def __init__(self, data: bytes, graph: Callable[[Catalog], RelationshipGraph]) -> None:
        super().__init__(BytesIO(data))
        self.graph = graph
        self.made: dict[int, RelationshipGraph] = {}

    def persistent_load(self, catalog: Catalog) -> RelationshipGraph:
        """Return the graph of a catalog."""
        if id(catalog) not in self.made:
            self.made[id(catalog)] = self.graph(catalog)
        return self.made[id(catalog)]


def made_again(kind: type[InputError], values: JsonObject) -> InputError:
    """Return an error as it was."""
    error = kind.__new__(kind, values["message"])
    vars(error).update(values)
    return error
