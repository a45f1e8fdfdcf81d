"""Which job is compiled when several files change; the process is a stand-in."""

import asyncio
import time
from multiprocessing import Pipe as new_pipe
from typing import Any

import pytest

from analyzer.lsp.checks import worker as module
from analyzer.lsp.checks.reach import CompiledPart, Job
from analyzer.lsp.checks.worker import BackgroundCompiles, CompilerProcess, outbox_of


class Pipe:
    """The other end of a process: it notes jobs, and answers when a test says so."""

    def __init__(self, sent: list[tuple[int, Job | None]]) -> None:
        self.sent = sent
        self.last = 0

    def put(self, job: tuple[int, Job | None]) -> None:
        self.sent.append(job)
        self.last = job[0]

    def recv(self) -> Any:
        return self.last, [], [], CompiledPart(), ""


class Process:
    """A stand-in for a process, `ended` when it is killed."""

    def __init__(self, sent: list[tuple[int, Job | None]]) -> None:
        self.outbox = self.pipe = Pipe(sent)
        self.ended = False

    def end(self) -> None:
        self.ended = True


class Fake(BackgroundCompiles):
    def __init__(self) -> None:
        self.done: list[str] = []
        self.sent: list[tuple[int, Job | None]] = []
        self.processes: list[Process] = []
        super().__init__(lambda job, *rest: self.done.append(job.path))

    def start(self) -> CompilerProcess:
        self.processes.append(Process(self.sent))
        return self.processes[-1]  # type: ignore[return-value]

    @property
    def compilers(self) -> list[CompilerProcess]:
        return self.processes  # type: ignore[return-value]

    @property
    def ended(self) -> int:
        return sum(one.ended for one in self.processes)

    def answer(self) -> None:
        assert self.compiler is not None
        self.receive(self.compiler)


def begun(worker: Fake) -> list[str]:
    return [job.path if job is not None else "none" for _, job in worker.sent]


def job(path: str, text: str = "", *, worlds: bool = False) -> Job:
    return Job(path, (), True, {path: text}, worlds=worlds)


@pytest.mark.asyncio
async def test_the_newest_of_a_file_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    worker = Fake()
    worker.submit(job("a"))
    worker.submit(job("b"))
    worker.submit(job("c"))
    assert (begun(worker), worker.ended) == (["a"], 0)
    worker.answer()
    assert begun(worker) == ["a", "c"]
    worker.submit(job("c"))
    assert (begun(worker), worker.ended) == (["a", "c"], 0)
    worker.submit(job("c", "#"))
    assert (begun(worker), worker.ended) == (["a", "c", "c"], 1)
    worker.answer()
    worker.answer()
    assert worker.done == ["a", "c", "b"]


@pytest.mark.asyncio
async def test_a_long_job_gives_way_and_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    worker = Fake()
    worker.submit(job("slow"))
    worker.submit(job("b"))
    await asyncio.sleep(0.05)
    assert begun(worker) == ["slow", "b"]
    worker.answer()
    assert begun(worker) == ["slow", "b", "slow"]
    worker.answer()
    assert worker.done == ["b", "slow"]


@pytest.mark.asyncio
async def test_a_job_that_began_late_is_not_ended_for_older_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    worker = Fake()
    worker.submit(job("a"))
    worker.submit(job("b"))
    worker.answer()
    worker.submit(job("a", worlds=True))
    await asyncio.sleep(0.05)
    assert (begun(worker), worker.ended) == (["a", "b"], 0)


@pytest.mark.asyncio
async def test_a_search_of_worlds_gives_way_to_any_compile() -> None:
    worker = Fake()
    worker.submit(job("a", worlds=True))
    worker.submit(job("b"))
    assert (begun(worker), worker.ended) == (["a", "none", "b"], 0)
    worker.submit(job("c"))
    worker.answer()
    worker.answer()
    assert begun(worker) == ["a", "none", "b", "c", "a"]
    worker.answer()
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
    worker.answer()
    assert worker.done == ["a"]
    assert begun(worker) == ["a", "none", "b", "none", "a", "b"]


@pytest.mark.asyncio
async def test_a_compile_ends_with_the_text_that_it_is_of() -> None:
    worker = Fake()
    worker.submit(job("a"))
    worker.submit(job("b"))
    assert worker.drop("a")
    assert (begun(worker), worker.ended) == (["a", "b"], 1)
    worker.answer()
    assert worker.done == ["b"]
    assert not worker.drop("b")


@pytest.mark.asyncio
async def test_a_second_process_compiles_while_an_idle_job_gives_way() -> None:
    worker = Fake()
    worker.submit(job("a"))
    worker.answer()
    worker.submit(job("a", worlds=True))
    first, second = worker.compilers
    worker.submit(job("b"))
    assert (worker.compiler, worker.spare) == (second, first)
    worker.receive(first)
    assert worker.done == ["a"]
    worker.answer()
    assert (worker.done, worker.ended) == (["a", "b"], 0)


@pytest.mark.asyncio
async def test_a_second_process_takes_the_place_of_one_that_is_ended() -> None:
    worker = Fake()
    worker.submit(job("a"))
    worker.answer()
    worker.submit(job("a"))
    _, second = worker.compilers
    worker.submit(job("a", "#"))
    assert (worker.ended, worker.compiler) == (1, second)
    assert worker.spare is worker.compilers[2]
    worker.stop()
    assert all(one.ended for one in worker.processes)


async def with_one_beside(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Return a worker with two processes, in which the job "slow" goes on beside the job "b"."""
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    worker = Fake()
    worker.submit(job("a"))
    worker.answer()
    worker.submit(job("slow"))
    worker.submit(job("b"))
    await asyncio.sleep(0.05)
    assert (begun(worker), worker.ended) == (["a", "slow", "b"], 0)
    return worker


@pytest.mark.asyncio
async def test_a_long_job_goes_on_beside_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = await with_one_beside(monkeypatch)
    first, second = worker.compilers
    worker.submit(job("slow"))
    worker.answer()
    worker.receive(first)
    assert worker.done == ["a", "b", "slow"]
    assert (worker.compiler, worker.spare, worker.ended) == (second, first, 0)
    assert begun(worker) == ["a", "slow", "b"]


@pytest.mark.asyncio
async def test_a_job_beside_another_ends_with_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = await with_one_beside(monkeypatch)
    worker.submit(job("slow", worlds=True))
    assert not worker.waiting
    assert worker.drop("slow")
    assert (worker.ended, worker.beside) == (1, None)
    worker.submit(job("slow", "#"))
    worker.answer()
    assert begun(worker) == ["a", "slow", "b", "slow"]
    worker.stop()
    assert all(one.ended for one in worker.processes)


@pytest.mark.asyncio
async def test_a_third_job_ends_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = await with_one_beside(monkeypatch)
    worker.submit(job("c"))
    await asyncio.sleep(0.05)
    assert (begun(worker), worker.ended) == (["a", "slow", "b", "c"], 1)
    worker.answer()
    worker.answer()
    worker.receive(worker.compilers[0])
    assert worker.done == ["a", "c", "b", "slow"]


@pytest.mark.asyncio
async def test_a_process_beside_another_that_dies_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = await with_one_beside(monkeypatch)
    monkeypatch.setattr(worker.processes[0].pipe, "recv", dead)
    worker.receive(worker.compilers[0])
    assert (worker.done, worker.beside, worker.ended) == (["a", "slow"], None, 1)
    worker.answer()
    assert worker.done == ["a", "slow", "b"]


@pytest.mark.asyncio
async def test_a_spare_process_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Fake()
    worker.submit(job("a"))
    worker.answer()
    worker.submit(job("a"))
    monkeypatch.setattr(worker.processes[1].pipe, "recv", dead)
    worker.receive(worker.compilers[1])
    assert (worker.spare, worker.done) == (None, ["a"])
    worker.answer()
    worker.submit(job("b"))
    assert (worker.done, worker.spare) == (["a", "a"], worker.compilers[2])


def dead() -> None:
    raise EOFError


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
