"""Shares long work among processes of this machine; short work stays in this process."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from time import process_time
from typing import Any, Generic, Protocol, TypeVar

from analyzer.reading import Bound, set_most

# Seconds of CPU after which the work is measured, and those left for which processes are started:
# each of them loads for half a second, and a copy of this one begins in a tenth of that.
SHORT, LONG = 0.5, 2.0
SHORT_OF_COPIES, LONG_OF_COPIES = 0.1, 0.4
# The weight of work for which they are started at once: a manifest counts 1.
MANY = 600
# Parts that a process has to do before it is given others: this one may be long at its own.
AHEAD = 8


class Weighted(Protocol):
    """A part of the work, with the time that it takes in comparison with others."""

    @property
    def weight(self) -> int:
        """Return the weight, above 0."""
        ...


Part = TypeVar("Part", bound=Weighted)
Answer = TypeVar("Answer")


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def may_fork() -> bool:
    """Return whether a process may begin as a copy of this one: a thread could hold a lock."""
    from threading import active_count

    return sys.platform == "linux" and active_count() == 1


def begin(most: int) -> None:
    """Prepare a worker: Ctrl-C is for the driver, and the modules stay for good."""
    import gc
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_driver, daemon=True).start()
    set_most(most)
    gc.freeze()


class Work:
    """The work of this process, where it is a worker."""

    do: Callable[[Any], Any]


def end_with_driver() -> None:
    """End this process when the driver ends: one that is killed closes no queue."""
    from multiprocessing import parent_process

    if (driver := parent_process()) is not None:
        driver.join()
        os._exit(1)


def begin_work(most: int, made: Callable[[], Callable[[Any], Any]]) -> None:
    """Prepare a worker for one kind of work; the garbage collector rests, as in the driver."""
    import gc

    gc.disable()
    Work.do = staticmethod(made())
    begin(most)


def work(part: object) -> object:
    """Return the answer of a part, None if an error ends it: whoever asks meets that as well."""
    try:
        return Work.do(part)
    except Exception:
        return None


class Workers(Generic[Part, Answer]):
    """Processes that answer parts; `made` makes in each of them what does it, and is pickled.

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
    ) -> Iterator[Answer]:
        """Yield the answers of all parts in their order; `here` answers in this process.

        `given` returns a part with what is known when it is given to somebody.
        """
        given = given or unchanged
        begun, done, left = process_time(), 0, sum(part.weight for part in parts)
        for number, part in enumerate(parts):
            if self.is_worth_it(process_time() - begun, done, left, len(parts) - number):
                copies = self.executor is None and may_fork()
                try:
                    yield from self.shared(parts[number:], here, given)
                finally:
                    if copies:
                        # They know only what was known when they began.
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
            # What the first part makes for all is in the copies.
            return seconds > SHORT_OF_COPIES and seconds * left > LONG_OF_COPIES * done
        return left >= MANY or (seconds > SHORT and seconds * left > LONG * done)

    def shared(
        self,
        parts: Sequence[Part],
        here: Callable[[Part], Answer],
        given: Callable[[Part], Part],
    ) -> Iterator[Answer]:
        """Yield the answers of all processes, this one among them; it does what another left."""
        self.executor = self.executor or self.opened(here)
        waiting = deque(range(len(parts)))
        there: dict[int, Future[Any]] = {}
        mine: dict[int, Answer] = {}
        for number, part in enumerate(parts):
            while not (number in mine or (number in there and there[number].done())):
                self.give(parts, waiting, there, given)
                own = waiting.popleft() if waiting else taken_back(there)
                if own is None:
                    break
                mine[own] = here(given(parts[own]))
            answer = mine.pop(number) if number in mine else self.answer(there.pop(number))
            yield here(given(part)) if answer is None else answer

    def give(
        self,
        parts: Sequence[Part],
        waiting: deque[int],
        there: dict[int, Future[Any]],
        given: Callable[[Part], Part],
    ) -> None:
        """Give parts that wait to the processes, as long as one may have nothing to do."""
        room = AHEAD * (self.jobs - 1) - sum(not future.done() for future in there.values())
        # The first one is for this process: the others take longer to begin with it.
        for _ in range(min(room, len(waiting) - 1)):
            if self.executor is None:
                return
            number = waiting[1]
            del waiting[1]
            there[number] = self.submitted(given(parts[number]))

    def submitted(self, part: Part) -> Future[Any]:
        """Return the answer to come of a part."""
        assert self.executor is not None
        try:
            return self.executor.submit(work, part)
        except BrokenExecutor as error:
            self.executor = None
            broken: Future[Any] = Future()
            broken.set_exception(error)
            return broken

    def answer(self, future: Future[Any]) -> Any:
        """Return the answer of a process, None if it died."""
        try:
            return future.result()
        except BrokenExecutor:
            self.executor = None
            return None
        except Exception:
            # It does not go from one process to another.
            return None

    def opened(self, here: Callable[[Part], Answer]) -> Executor:
        """Return new processes; those that have all that this one has answer with `here`."""
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        made, method = (lambda: here, "fork") if may_fork() else (self.made, "spawn")
        given = (Bound.most, made)
        return ProcessPoolExecutor(self.jobs - 1, get_context(method), begin_work, given)

    def close(self) -> None:
        """End the processes; work that they have not begun is dropped."""
        if self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
            self.executor = None


def taken_back(there: dict[int, Future[Any]]) -> int | None:
    """Return the number of a part that no process has begun and that none will, None without."""
    number = next((number for number in reversed(there) if there[number].cancel()), None)
    if number is not None:
        del there[number]
    return number


def unchanged(part: Part) -> Part:
    """Return a part that nothing needs to be known of."""
    return part
