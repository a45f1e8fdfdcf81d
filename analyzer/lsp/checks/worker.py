"""The processes that compile: one job at a time, and only the newest of each file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread

from analyzer.diagnostics import Finding
from analyzer.lsp.checks.reach import CompiledPart, Job
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.processes import new_processes

# Receives the answer to a job: the job, findings, catalogs, their nodes, and the error.
OnAnswer = Callable[[Job, list[Finding], list[CatalogPicture], CompiledPart, str], None]


# A job with its number; None cancels the running job, or ends the process.
Outbox = SimpleQueue[tuple[int, Job | None] | None]

# Seconds that a job may keep a job of another file waiting, and the most jobs that wait.
PATIENCE, MOST_WAITING = 0.3, 8

ENDED = "the compile ended unexpectedly"


class CompilerProcess:
    """A process that compiles, and the pipe to it; it ends with the server.

    `on_message` is called when an answer can be read, and when the process died.
    """

    def __init__(self, on_message: Callable[[CompilerProcess], None]) -> None:
        context = new_processes()
        from analyzer.lsp.checks.serving import serve

        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()
        self.outbox = outbox_of(self.pipe)
        self.loop = asyncio.get_running_loop()
        self.loop.add_reader(self.pipe.fileno(), on_message, self)

    def end(self) -> None:
        """End the process."""
        if not self.loop.is_closed():
            self.loop.remove_reader(self.pipe.fileno())
        self.outbox.put(None)
        self.process.kill()
        self.process.join(1)


class BackgroundCompiles:
    """Compiles in a separate process, so that the editor never waits.

    If the file of a running job changes, the job is stale, and its process is ended. Jobs of other
    files wait, and the newest is next. If the running job takes long, the newest runs in a second
    process, whose imports are done. If a third job comes, the second is ended, and waits again.
    An idle job (a search of worlds, further nodes) yields to any other job, and runs when there is
    none.
    """

    def __init__(self, on_answer: OnAnswer) -> None:
        self.on_answer = on_answer
        self.compiler: CompilerProcess | None = None
        self.spare: CompilerProcess | None = None
        self.number = 0
        self.running: Job | None = None
        # A job that takes long and runs beside the newer one, with its process and its number.
        self.beside: tuple[CompilerProcess, int, Job] | None = None
        # The waiting jobs by path, the newest last.
        self.waiting: dict[str, Job] = {}
        self.timer: asyncio.TimerHandle | None = None

    def submit(self, job: Job) -> None:
        """Start a job at once, or queue it; refuse an idle job of a stale compile."""
        if job == self.running or (self.beside is not None and job == self.beside[2]):
            return
        compiles = self.running is not None and not self.running.is_idle
        stale = self.is_beside(job.path) or (compiles and self.is_of(job.path))
        if job.is_idle and (job.path in self.waiting or stale):
            return
        self.end_beside(job.path)
        self.wait(job)
        if self.running is None:
            self.begin()
        elif self.running.is_idle and not job.is_idle:
            if self.running.path != job.path:
                self.wait(self.running)
            self.leave()
            self.begin()
        elif self.is_of(job.path):
            self.end()
            self.begin()
        elif self.timer is None and not job.is_idle:
            self.timer = asyncio.get_running_loop().call_later(PATIENCE, self.give_way)

    def is_of(self, path: str) -> bool:
        """Return whether the running job is for a file."""
        return self.running is not None and self.running.path == path

    def is_beside(self, path: str) -> bool:
        """Return whether the job that goes on beside another is of a file."""
        return self.beside is not None and self.beside[2].path == path

    def end_beside(self, path: str) -> bool:
        """End the job that goes on beside another if it is of a file; return whether it was."""
        if self.beside is None or not self.is_beside(path):
            return False
        self.beside[0].end()
        self.beside = None
        return True

    def drop(self, path: str) -> bool:
        """End the job of a changed file; return whether one was running.

        The process of the compile is ended with it, and another one starts before the next job.
        """
        if self.end_beside(path):
            return True
        known = self.waiting.get(path)
        if known is not None and known.is_idle:
            del self.waiting[path]
        if self.running is None or not self.is_of(path):
            return False
        if self.running.is_idle:
            self.leave()
        else:
            self.end()
        self.begin()
        return True

    def warm(self) -> None:
        """Start the process early, as its imports take long."""
        if self.compiler is None:
            self.compiler = self.start()

    def leave(self) -> None:
        """Interrupt the running idle job, and use the other process meanwhile."""
        assert self.compiler is not None
        self.number += 1
        self.compiler.outbox.put((self.number, None))
        if self.spare is not None:
            self.compiler, self.spare = self.spare, self.compiler
        self.running = None

    def wait(self, job: Job) -> None:
        """Queue a job as the newest; drop the oldest if there are too many."""
        self.waiting.pop(job.path, None)
        self.waiting[job.path] = job
        if len(self.waiting) > MOST_WAITING:
            del self.waiting[next(iter(self.waiting))]

    def begin(self) -> None:
        """Start the newest waiting job, an idle one if there is no other."""
        if not self.waiting:
            return
        self.warm()
        assert self.compiler is not None
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        self.number += 1
        path = next((p for p in reversed(self.waiting) if not self.waiting[p].is_idle), None)
        self.running = self.waiting.pop(path or next(reversed(self.waiting)))
        self.compiler.outbox.put((self.number, self.running))
        # The second process does not start while the first job runs.
        if self.spare is None and self.beside is None and self.number > 1:
            self.spare = self.start()

    def give_way(self) -> None:
        """Start a newer job, and keep the running one in its process, or queue it again."""
        self.timer = None
        if self.running is None or not self.waiting:
            return
        if self.beside is None and self.compiler is not None and self.spare is not None:
            self.beside = self.compiler, self.number, self.running
            self.compiler, self.spare, self.running = self.spare, None, None
            self.begin()
        else:
            newest = self.waiting.pop(next(reversed(self.waiting)))
            self.wait(self.running)
            self.wait(newest)
            self.end()
            self.begin()

    def start(self) -> CompilerProcess:
        """Start a process."""
        return CompilerProcess(self.receive)

    def receive(self, compiler: CompilerProcess) -> None:
        """Receive an answer; the death of a process counts as one."""
        try:
            number, findings, pictures, part, problem = compiler.pipe.recv()
        except (EOFError, OSError):
            if self.beside is not None and compiler is self.beside[0]:
                job, self.beside = self.beside[2], None
                compiler.end()
                self.on_answer(job, [], [], CompiledPart(), ENDED)
                return
            if compiler is self.spare:
                self.spare = None
                compiler.end()
                return
            number, findings, pictures, part = self.number, [], [], CompiledPart()
            problem = ENDED
            self.end(keep=True)
        if self.beside is not None and compiler is self.beside[0]:
            _, expected, job = self.beside
            if number == expected:
                self.beside, self.spare = None, compiler
                self.on_answer(job, findings, pictures, part, problem)
            return
        if number == self.number and self.running is not None:
            job, self.running = self.running, None
            self.on_answer(job, findings, pictures, part, problem)
            if self.running is None:
                self.begin()

    def stop(self) -> None:
        """End the processes, and drop all waiting jobs."""
        self.waiting.clear()
        if self.beside is not None:
            self.end_beside(self.beside[2].path)
        self.end()
        self.end()

    def end(self, *, keep: bool = False) -> None:
        """End the process, and use the other one; `keep` the job if it is still to be answered."""
        if self.compiler is not None:
            self.compiler.end()
        self.compiler, self.spare = self.spare, None
        if not keep:
            self.running = None


def outbox_of(pipe: Connection) -> Outbox:
    """Return a queue that a thread sends from: a starting process does not read for a while.

    The thread closes the pipe after the last message; messages that nobody reads are lost.
    """
    outbox: Outbox = SimpleQueue()

    def send() -> None:
        with pipe:
            while (message := outbox.get()) is not None:
                with suppress(OSError):
                    pipe.send(message)

    Thread(target=send, daemon=True).start()
    return outbox
