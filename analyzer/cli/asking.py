"""Runs commands for others than a terminal: captured, in a process that can be ended."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from tempfile import TemporaryDirectory
from threading import Lock

from analyzer.cli.entry import main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

# Answers a text with a text; the second value is a folder of its own.
Answer = Callable[[str, str], str]


class CommandAnswer:
    """The words of a command, its output and errors, and its exit code."""

    __slots__ = ("code", "errors", "out", "words")

    def __init__(self, words: list[str], out: str, errors: str, code: int) -> None:
        self.words = words
        self.out = out
        self.errors = errors
        self.code = code


def ask(words: list[str]) -> CommandAnswer:
    """Run a command, and return what it printed."""
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(errors):
        code = main(words)
    for stream in (out, errors):
        stream.seek(0)
    return CommandAnswer(words, out.read(), errors.read(), code)


class CommandProcess:
    """A process that answers one request at a time; it is ended if that takes too long."""

    def __init__(self, answer: Answer, patience: float) -> None:
        self.answer = answer
        self.patience = patience
        self.process: SpawnProcess | None = None
        self.pipe: Connection | None = None
        self.turn = Lock()

    def ask(self, request: str) -> str:
        """Return the answer to a request.

        Raises:
            ValueError: the request is not valid. TimeoutError: it was stopped.
        """
        with self.turn:
            if self.process is None or not self.process.is_alive():
                self.start()
            assert self.pipe is not None
            try:
                self.pipe.send(request)
                if not self.pipe.poll(self.patience):
                    self.stop()
                valid, answer = self.pipe.recv()
            except (EOFError, OSError):
                self.process = None
                raise TimeoutError("stopped: it took too long, or needed too much memory") from None
        if not valid:
            raise ValueError(answer)
        return str(answer)

    def start(self) -> None:
        """Start the process."""
        # Not at the top: a browser answers without one, and has no modules for it.
        from analyzer.processes import new_processes

        context = new_processes()
        self.pipe, theirs = context.Pipe()
        work = partial(answer_all, self.answer)
        self.process = context.Process(target=work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self) -> None:
        """End the process; the next request starts another one."""
        if self.process is not None:
            self.process.kill()


def answer_all(answer: Answer, pipe: Connection) -> None:
    """Answer requests until their other end is closed, in a process."""
    import signal

    # Ctrl-C ends the front door, which ends this process. Its output may be a protocol.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    with TemporaryDirectory(prefix="catgraph-") as folder, suppress(EOFError):
        while True:
            request = pipe.recv()
            try:
                pipe.send((True, answer(request, folder)))
            except ValueError as error:
                pipe.send((False, str(error)))
