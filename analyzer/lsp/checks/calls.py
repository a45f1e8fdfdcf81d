"""Calls slow functions in a separate process, which ends when nobody waits for the answer."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock
from typing import Any

from analyzer.diagnostics import InputError, words_of
from analyzer.lsp.state.snapshot import RequestCancelled
from analyzer.processes import new_processes
from analyzer.reach import user_files

# Seconds between two checks whether the request was cancelled.
LOOK = 0.05


class CallFailed(Exception):
    """Raised if a call ended with an error, which is the message."""


class Calls:
    """One process for all calls, started by the first call; threads take turns.

    Cancelling a call ends the process: a compile cannot be stopped otherwise.
    """

    def __init__(self) -> None:
        self.turn = Lock()
        self.process: SpawnProcess | None = None
        self.pipe: Connection | None = None

    def call(self, stopped: Callable[[], bool], function: Callable[..., Any], *given: Any) -> Any:
        """Return the result of a function of a module.

        Raises:
            Stopped: the request was cancelled.
            CallFailed: the call failed.
        """
        with self.turn:
            if self.process is None or not self.process.is_alive():
                self.start()
            pipe = self.pipe
            assert pipe is not None
            try:
                pipe.send((function, given))
                while not pipe.poll(LOOK):
                    if stopped():
                        self.stop()
                        raise RequestCancelled
                result, problem = pipe.recv()
            except (EOFError, OSError):
                self.stop()
                raise CallFailed("the process ended unexpectedly") from None
        if problem:
            raise CallFailed(problem)
        return result

    def start(self) -> None:
        """Start the process; it ends with this one."""
        context = new_processes()
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve_calls, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join(1)
        if self.pipe is not None:
            self.pipe.close()
        self.process = self.pipe = None


def serve_calls(pipe: Connection) -> None:
    """Answer calls until the other end is closed; discard printed output."""
    from analyzer.lsp.checks.serving import be_quiet

    be_quiet()
    user_files().__enter__()
    while True:
        try:
            function, given = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = function(*given), ""
        except InputError as error:
            answer = None, str(error)
        except Exception as error:
            answer = None, words_of(error)
        try:
            pipe.send(answer)
        except OSError:
            return
