"""Does work in a separate process, which can be ended at any time, and in which time limits work.

A regular expression blocks the interpreter until it is done, so that nothing else in its process
runs meanwhile. Only signals end it, and a thread receives none.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from io import BytesIO
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.guard import PR_SET_PDEATHSIG, control
from analyzer.graph.cycles.statements import Statement
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.documents import JsonObject
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.model.catalog import Catalog

Question = TypeVar("Question")
Result = TypeVar("Result")

# Seconds between two checks whether the work was cancelled.
TICK = 0.1
PIECE = 1 << 20
# The format of a message's length, which precedes the message.
LENGTH = "!Q"

# The most relationships of a statement that are passed on; of more, only the first is.
LISTED = 10_000

# Only the thread that forks continues in the child, which renews the locks of the others.
warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)


class Child(Generic[Question, Result]):
    """A process that answers questions about an input, and reads the input only once.

    It starts at the first question at the latest, and ends with the thread that started it.
    `graph` makes the graphs of an answer again, because only their catalogs are passed on.
    """

    def __init__(
        self,
        answer: Callable[[Question], Result],
        path: str,
        graph: Callable[[Catalog], RelationshipGraph] = relate,
    ) -> None:
        self.answer = answer
        self.path = path
        self.graph = graph
        self.process = 0
        self.questions = self.answers = -1

    def ask(self, question: Question, check: Callable[[], object] = lambda: None) -> Result:
        """Return the answer to a question.

        `check` is called regularly: an exception from it ends the process.

        Raises:
            InputError: the process ended without an answer; the next question starts another.
            Exception: raised by the answer or by `check`.
        """
        self.start()
        if not self.process:
            return self.answer(question)
        try:
            with suppress(BrokenPipeError):
                send(self.questions, question)
            data = received(self.answers, check)
        except BaseException:
            self.end()
            raise
        if not data:
            self.end()
            message = "the process that reads it ended unexpectedly: it may need more memory"
            raise InputError(message, Span(self.path), "too-much")
        succeeded, value = GraphUnpickler(data, self.graph).load()
        if succeeded:
            found: Result = value
            return found
        raise value

    def start(self) -> None:
        """Start the process, if it is not running and the system can fork."""
        if self.process or not hasattr(os, "fork"):
            return
        asked, self.questions = os.pipe()
        self.answers, answered = os.pipe()
        self.process = os.fork()
        if not self.process:
            os.close(self.questions)
            be_child(self.answer, asked, answered)
        os.close(asked)
        os.close(answered)

    def end(self) -> None:
        """End the process at once."""
        if not self.process:
            return
        os.close(self.questions)
        os.close(self.answers)
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        self.process = 0


def in_child(
    work: Callable[[], Result],
    path: str,
    check: Callable[[], object] = lambda: None,
    graph: Callable[[Catalog], RelationshipGraph] = relate,
) -> Result:
    """Return the result of work on an input, done in another process (see `Child`).

    Raises:
        InputError: the process ended without a result.
        Exception: raised by the work or by `check`.
    """

    def answer(_: None) -> Result:
        return work()

    child = Child(answer, path, graph)
    try:
        return child.ask(None, check)
    finally:
        child.end()


def send(file: int, value: object) -> None:
    """Write a value to a pipe, after its length."""
    data = pickled(value)
    rest = memoryview(struct.pack(LENGTH, len(data)) + data)
    while rest:
        rest = rest[os.write(file, rest) :]


def received(file: int, check: Callable[[], object] = lambda: None) -> bytes:
    """Return a message from a pipe; empty if its other end was closed before."""
    data = exactly(struct.calcsize(LENGTH), file, check)
    return exactly(struct.unpack(LENGTH, data)[0], file, check) if data else b""


def exactly(length: int, file: int, check: Callable[[], object]) -> bytes:
    """Return a number of bytes from a pipe, none if it ends before."""
    data = bytearray()
    while len(data) < length:
        while not select.select([file], [], [], TICK)[0]:
            check()
        part = os.read(file, min(PIECE, length - len(data)))
        if not part:
            return b""
        data += part
    return bytes(data)


def be_child(answer: Callable[[Any], object], asked: int, answered: int) -> NoReturn:
    """Answer questions until no more can come."""
    try:
        control(PR_SET_PDEATHSIG, signal.SIGKILL)
        renew_locks()
        leave_terminal()
        while data := received(asked):
            try:
                found = (True, answer(pickle.loads(data)))
            except Exception as error:
                found = (False, error)
            send(answered, found)
    finally:
        os._exit(0)


def renew_locks() -> None:
    """Renew the locks of cached properties, one of which a thread that is not here may hold.

    Python has such a lock for each of them before 3.12.
    """
    for module in [one for one in sys.modules.values() if isinstance(one, ModuleType)]:
        for kind in [*vars(module).values()]:
            for one in [*vars(kind).values()] if isinstance(kind, type) else ():
                if isinstance(one, cached_property) and hasattr(one, "lock"):
                    one.lock = RLock()


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
    GraphPickler(found, pickle.HIGHEST_PROTOCOL).dump(answer)
    return found.getvalue()


class GraphPickler(pickle.Pickler):
    """Pickles graphs as their catalogs, and errors with all their attributes."""

    def persistent_id(self, value: object) -> Catalog | None:
        """Return the catalog that is written instead of a graph."""
        return value.catalog if isinstance(value, RelationshipGraph) else None

    def reducer_override(self, value: object) -> Any:
        """Return how to restore an error, or a statement with its relationships."""
        if isinstance(value, Statement):
            few = value.count <= LISTED
            made = value.relationships if few else (value.example,)
            return Statement, (value.example, value.count, value.cost, partial(tuple, made))
        if isinstance(value, InputError):
            return made_again, (type(value), vars(value))
        return NotImplemented


class GraphUnpickler(pickle.Unpickler):
    """Reads the output of a Writer; `graph` makes the graph of a catalog."""

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
    """Return a restored error."""
    error = kind.__new__(kind, values["message"])
    vars(error).update(values)
    return error
