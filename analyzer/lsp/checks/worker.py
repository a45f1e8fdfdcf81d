"""The process that compiles: one job at a time, and the newest counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from analyzer.diagnostics import Finding
from analyzer.lsp.checks.reach import Job
from analyzer.lsp.state.pictures import Picture

# Hears of the answer to a job: the job, findings, catalogs, and what went wrong.
OnAnswer = Callable[[Job, list[Finding], list[Picture], str], None]


class Worker:
    """Compiles in a process of its own, so that the editor never waits.

    A job that is running when another one comes is stale: its process is ended with it.
    """

    def __init__(self, on_answer: OnAnswer) -> None:
        self.on_answer = on_answer
        self.process: SpawnProcess | None = None
        self.pipe: Connection | None = None
        self.number = 0
        self.running: Job | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    def submit(self, job: Job) -> None:
        """Begin a job, and end the one that is running."""
        if self.running is not None or self.process is None or not self.process.is_alive():
            self.stop()
            self.start()
        assert self.pipe is not None
        self.number += 1
        self.running = job
        self.pipe.send((self.number, job))

    def start(self) -> None:
        """Start the process; it ends with this one."""
        context = get_context("spawn")
        from analyzer.lsp.checks.serving import serve

        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()
        self.loop = asyncio.get_running_loop()
        self.loop.add_reader(self.pipe.fileno(), self.receive)

    def receive(self) -> None:
        """Take an answer; a process that died is one, too."""
        assert self.pipe is not None
        try:
            number, findings, pictures, problem = self.pipe.recv()
        except (EOFError, OSError):
            number, findings, pictures = self.number, [], []
            problem = "the compile ended unexpectedly"
            self.stop(keep=True)
        if number == self.number and self.running is not None:
            job, self.running = self.running, None
            self.on_answer(job, findings, pictures, problem)

    def stop(self, *, keep: bool = False) -> None:
        """End the process; `keep` the job, to answer it."""
        if self.pipe is not None:
            if self.loop is not None and not self.loop.is_closed():
                self.loop.remove_reader(self.pipe.fileno())
            self.pipe.close()
        if self.process is not None:
            self.process.kill()
            self.process.join(1)
        self.pipe = self.process = None
        if not keep:
            self.running = None
