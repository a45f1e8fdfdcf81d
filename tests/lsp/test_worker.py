"""Which job is compiled when several files change; the process is a stand-in."""

import asyncio
import time
from multiprocessing import Pipe as new_pipe
from typing import Any

import pytest

from analyzer.lsp.checks import worker as module
from analyzer.lsp.checks.reach import Job
from analyzer.lsp.checks.site_nodes import Part
from analyzer.lsp.checks.worker import Worker, outbox_of


class Pipe:
    """The other end of the process: it notes jobs, and answers when a test says so."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, Job | None]] = []

    def put(self, job: tuple[int, Job | None]) -> None:
        self.sent.append(job)

    def recv(self) -> Any:
        return self.sent[-1][0], [], [], Part(), ""


class Process:
    def is_alive(self) -> bool:
        return True


class Fake(Worker):
    def __init__(self) -> None:
        self.done: list[str] = []
        self.there = Pipe()
        self.ended = 0
        super().__init__(lambda job, *rest: self.done.append(job.path))

    def start(self) -> None:
        self.process, self.pipe = Process(), self.there  # type: ignore[assignment]
        self.outbox = self.there  # type: ignore[assignment]

    def end(self, *, keep: bool = False) -> None:
        self.ended += self.process is not None
        self.running = None


def begun(worker: Fake) -> list[str]:
    return [job.path if job is not None else "none" for _, job in worker.there.sent]


def job(path: str, *, worlds: bool = False) -> Job:
    return Job(path, (), True, {}, worlds=worlds)


@pytest.mark.asyncio
async def test_the_newest_of_a_file_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    worker = Fake()
    worker.submit(job("a"))
    worker.submit(job("b"))
    worker.submit(job("c"))
    assert (begun(worker), worker.ended) == (["a"], 0)
    worker.receive()
    assert begun(worker) == ["a", "c"]
    worker.submit(job("c"))
    assert (begun(worker), worker.ended) == (["a", "c", "c"], 1)
    worker.receive()
    worker.receive()
    assert worker.done == ["a", "c", "b"]


@pytest.mark.asyncio
async def test_a_long_job_gives_way_and_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    worker = Fake()
    worker.submit(job("slow"))
    worker.submit(job("b"))
    await asyncio.sleep(0.05)
    assert begun(worker) == ["slow", "b"]
    worker.receive()
    assert begun(worker) == ["slow", "b", "slow"]
    worker.receive()
    assert worker.done == ["b", "slow"]


@pytest.mark.asyncio
async def test_a_search_of_worlds_gives_way_to_any_compile() -> None:
    worker = Fake()
    worker.submit(job("a", worlds=True))
    worker.submit(job("b"))
    assert (begun(worker), worker.ended) == (["a", "b"], 0)
    worker.submit(job("c"))
    worker.receive()
    worker.receive()
    assert begun(worker) == ["a", "b", "c", "a"]
    worker.receive()
    assert worker.done == ["b", "c", "a"]


@pytest.mark.asyncio
async def test_a_search_of_worlds_ends_with_the_text_that_it_is_of() -> None:
    worker = Fake()
    worker.submit(job("a", worlds=True))
    worker.submit(job("b", worlds=True))
    assert worker.drop("a")
    assert begun(worker) == ["a", "none", "b"]
    assert not worker.drop("a")
    worker.submit(job("a"))
    worker.submit(job("a", worlds=True))
    worker.receive()
    assert worker.done == ["a"]
    assert begun(worker) == ["a", "none", "b", "a", "b"]


@pytest.mark.asyncio
async def test_a_compile_ends_with_the_text_that_it_is_of() -> None:
    worker = Fake()
    worker.submit(job("a"))
    worker.submit(job("b"))
    assert worker.drop("a")
    assert (begun(worker), worker.ended) == (["a", "b"], 1)
    worker.receive()
    assert worker.done == ["b"]
    assert not worker.drop("b")


def test_a_process_that_reads_nothing_yet_keeps_nobody_waiting() -> None:
    near, far = new_pipe()
    outbox = outbox_of(near)
    whole = Job("a", (), True, {"a": "x" * 5_000_000})
    outbox.put((1, whole))
    outbox.put((2, None))
    assert (far.recv(), far.recv()) == ((1, whole), (2, None))
    outbox.put(None)
    with pytest.raises(EOFError):
        far.recv()


def test_what_nobody_reads_any_more_is_lost() -> None:
    near, far = new_pipe()
    outbox = outbox_of(near)
    outbox.put((1, Job("a", (), True, {"a": "x" * 5_000_000})))
    far.close()
    outbox.put((2, None))
    outbox.put(None)
    for _ in range(100):
        if near.closed:
            break
        time.sleep(0.05)
    assert near.closed
