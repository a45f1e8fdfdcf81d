"""Divides long work among processes of this machine; short work stays in this process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import islice
from time import process_time
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from analyzer.reach import user_files
from analyzer.reading import most_bytes, set_most

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.context import BaseContext

# CPU seconds after which the work is measured, and the remaining CPU seconds at which processes are
# started: each takes half a second to start, a copy of this process a tenth of that.
SHORT, LONG = 0.5, 2.0
SHORT_OF_COPIES, LONG_OF_COPIES = 0.1, 0.4
# The weight of work at which they are started at once; a manifest has 1.
MANY = 600
# Parts that a process holds in advance: this process may be busy with a part of its own.
AHEAD = 8


class InAdvance(IntEnum):
    """The reasons to answer a part in advance or not: LATER is for want of anything else."""

    NO = 0
    LATER = 1
    YES = 2


class Weighted(Protocol):
    """A part of the work, with its relative time."""

    @property
    def weight(self) -> int:
        """Return the weight, above 0."""
        ...


Part = TypeVar("Part", bound=Weighted)
Answer = TypeVar("Answer")


def cores() -> int:
    """Return the number of cores for this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def may_fork() -> bool:
    """Return whether this process may be forked: another thread could hold a lock."""
    from threading import active_count

    return sys.platform == "linux" and active_count() == 1


def context_for(copies: bool) -> BaseContext:
    """Return the context of multiprocessing for copies of this process, or for new ones."""
    if copies:
        from multiprocessing import get_context

        return get_context("fork")
    from analyzer.processes import new_processes

    return new_processes()


def begin(most: int) -> None:
    """Prepare a worker: the driver handles Ctrl-C, and the modules are never collected."""
    import gc
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_driver, daemon=True).start()
    set_most(most)
    gc.freeze()


class Work:
    """The work of this process if it is a worker."""

    do: Callable[[Any], Any]


def end_with_driver() -> None:
    """End this process when the driver ends: a killed driver closes no queue."""
    from multiprocessing import parent_process

    if (driver := parent_process()) is not None:
        driver.join()
        os._exit(1)


def begin_work(most: int, made: Callable[[], Callable[[Any], Any]]) -> None:
    """Prepare a worker for one kind of work; the garbage collector is off, as in the driver."""
    import gc

    gc.disable()
    user_files().__enter__()
    Work.do = staticmethod(made())
    begin(most)


def work(part: object) -> object:
    """Return the answer of a part, None after an error: the driver repeats the part."""
    try:
        return Work.do(part)
    except Exception:
        return None


class Workers(Generic[Part, Answer]):
    """Processes that answer parts; `made` is pickled and makes the worker in each of them.

    `jobs` counts this process, which works while it waits.
    """

    def __init__(self, made: Callable[[], Callable[[Part], Answer]], jobs: int) -> None:
        self.made = made
        self.jobs = jobs
        self.executor: Executor | None = None

    def each(
        self,
        parts: Sequence[Part],
        here: Callable[[Part], Answer],
        given: Callable[[Part], Part] | None = None,
        wants: Callable[[Part], InAdvance] | None = None,
    ) -> Iterator[Answer]:
        """Yield the answers of all parts in order; `here` answers in this process.

        `given` returns a part with the results known when it is handed out, and `wants` whether it
        should be answered in advance.
        """
        given, wants = given or unchanged, wants or (lambda part: InAdvance.YES)
        begun, done, left = process_time(), 0, sum(part.weight for part in parts)
        for number, part in enumerate(parts):
            if self.is_worth_it(process_time() - begun, done, left, len(parts) - number):
                copies = self.executor is None and may_fork()
                try:
                    yield from self.shared(parts[number:], here, given, wants)
                except KeyboardInterrupt:
                    self.kill()
                    raise
                finally:
                    if copies:
                        # They have only the state of this process at their start.
                        self.close()
                return
            yield here(given(part))
            done += part.weight
            left -= part.weight

    def is_worth_it(self, seconds: float, done: int, left: int, count: int) -> bool:
        """Return whether the remaining work should be shared."""
        if self.jobs < 2 or count < 2:
            return False
        if self.executor is not None:
            return True
        if may_fork():
            # The copies contain the shared results of the first part.
            return seconds > SHORT_OF_COPIES and seconds * left > LONG_OF_COPIES * done
        return left >= MANY or (seconds > SHORT and seconds * left > LONG * done)

    def shared(
        self,
        parts: Sequence[Part],
        here: Callable[[Part], Answer],
        given: Callable[[Part], Part],
        wants: Callable[[Part], InAdvance],
    ) -> Iterator[Answer]:
        """Yield the answers of all processes; this one repeats the parts without an answer."""
        self.executor = self.executor or self.opened(here)
        waiting = dict.fromkeys(range(len(parts)))
        there: dict[int, Future[Any]] = {}
        mine: dict[int, Answer] = {}
        for number, part in enumerate(parts):
            while not (number in mine or (number in there and there[number].done())):
                # No process may be idle. The first part is this one's: others would start it later.
                ready = ready_of(waiting, number, lambda one: wants(parts[one]))
                own = next(ready, None)
                others = [*islice(ready, self.idle(there))]
                for one in others:
                    del waiting[one]
                    there[one] = self.submitted(given(parts[one]))
                if own is None:
                    own = taken_back(there)
                else:
                    del waiting[own]
                if own is None:
                    break
                mine[own] = here(given(parts[own]))
            answer = mine.pop(number) if number in mine else self.answer(there.pop(number))
            yield here(given(part)) if answer is None else answer

    def idle(self, there: Mapping[int, Future[Any]]) -> int:
        """Return the number of parts to hand out until no process can be idle."""
        under_way = sum(not future.done() for future in there.values())
        return 0 if self.executor is None else max(0, AHEAD * (self.jobs - 1) - under_way)

    def submitted(self, part: Part) -> Future[Any]:
        """Return the future answer of a part."""
        from concurrent.futures import BrokenExecutor, Future

        try:
            if self.executor is not None:
                return self.executor.submit(work, part)
        except BrokenExecutor:
            self.executor = None
        nobody: Future[Any] = Future()
        nobody.set_result(None)
        return nobody

    def answer(self, future: Future[Any]) -> Any:
        """Return the answer of a process, None if it died."""
        from concurrent.futures import BrokenExecutor

        try:
            return future.result()
        except BrokenExecutor:
            self.executor = None
            return None
        except Exception:
            # It cannot be pickled.
            return None

    def opened(self, here: Callable[[Part], Answer]) -> Executor:
        """Return new processes; forked ones answer with `here`."""
        from concurrent.futures import ProcessPoolExecutor

        copies = may_fork()
        given = (most_bytes(), (lambda: here) if copies else self.made)
        return ProcessPoolExecutor(self.jobs - 1, context_for(copies), begin_work, given)

    def kill(self) -> None:
        """End the processes at once, with the work that they do."""
        if self.executor is not None:
            from multiprocessing import active_children

            for process in active_children():
                process.terminate()
            self.close()

    def close(self) -> None:
        """End the processes; drop the work that they have not started."""
        if self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
            self.executor = None


def ready_of(
    waiting: Iterable[int], number: int, wants: Callable[[int], InAdvance]
) -> Iterator[int]:
    """Yield the waiting parts that should be answered, the best first; `number` is needed now."""
    later: list[int] = []
    for one in waiting:
        wanted = InAdvance.YES if one == number else wants(one)
        if wanted is InAdvance.YES:
            yield one
        elif wanted is InAdvance.LATER:
            later.append(one)
    yield from later


def taken_back(there: dict[int, Future[Any]]) -> int | None:
    """Take back a part that no process has started; return its number, None if there is none."""
    number = next((number for number in reversed(there) if there[number].cancel()), None)
    if number is not None:
        del there[number]
    return number


def unchanged(part: Part) -> Part:
    """Return a part unchanged."""
    return part
