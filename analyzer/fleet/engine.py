"""Runs tasks on an Executor: a bounded number at once, and none is lost when a worker dies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import replace

from analyzer.fleet.values import ResultOfNode
from analyzer.fleet.work import Task, work

# Tasks that wait for each worker, so that none is idle.
AHEAD = 3

# What Dask raises when the workers that a task was given to were all killed.
DEATHS = ("KilledWorker",)
DEATHS_ALLOWED = 2

Outcome = tuple[Task, list[ResultOfNode]]


class Engine:
    """Runs tasks; `opened` makes the executor, and another one when it is broken."""

    def __init__(self, opened: Callable[[], Executor], workers: int) -> None:
        self.opened = opened
        self.window = workers * AHEAD
        self.executor: Executor | None = None

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield each task with its results, as they end.

        When a worker dies, any of the tasks that were running may be the cause. Their nodes are
        tried again, one at a time: what then kills its worker twice is a finding.
        """
        waiting = iter(tasks)
        flying: dict[Future[list[ResultOfNode]], Task] = {}
        try:
            while True:
                for task in waiting:
                    flying[self.submit(task)] = task
                    if len(flying) >= self.window:
                        break
                if not flying:
                    return
                done, _ = wait(flying, return_when=FIRST_COMPLETED)
                suspects: deque[Task] = deque()
                for future in sorted(done, key=list(flying).index):
                    yield from self.ended(future, flying.pop(future), suspects)
                if suspects and isinstance(self.executor, Executor) and is_broken(self.executor):
                    # Whatever else was running is lost with the pool.
                    for future, task in flying.items():
                        yield from self.ended(future, task, suspects)
                    flying.clear()
                yield from self.alone(suspects)
        finally:
            self.close()

    def submit(self, task: Task) -> Future[list[ResultOfNode]]:
        """Hand a task to the executor."""
        try:
            return self.running().submit(work, task)
        except BrokenExecutor:
            self.close()
            return self.running().submit(work, task)

    def running(self) -> Executor:
        """Return the executor."""
        if self.executor is None:
            self.executor = self.opened()
        return self.executor

    def ended(
        self, future: Future[list[ResultOfNode]], task: Task, suspects: deque[Task]
    ) -> Iterator[Outcome]:
        """Yield the outcome of a task, or note that it has none."""
        error = future.exception()
        if error is None:
            yield task, future.result()
        elif isinstance(error, Exception):
            # Not only of deaths: a result may be lost with the worker that had it.
            suspects.append(task)
        else:
            raise error

    def alone(self, suspects: deque[Task]) -> Iterator[Outcome]:
        """Try the nodes of tasks again, one at a time."""
        for task in suspects:
            for node in task.nodes:
                one = replace(task, nodes=(node,))
                yield one, self.tried(one)

    def tried(self, task: Task) -> list[ResultOfNode]:
        """Return the results of a task that runs alone; its worker may die once."""
        words = ""
        for _ in range(DEATHS_ALLOWED):
            future = self.submit(task)
            error = future.exception()
            if error is None:
                return future.result()
            words = f"internal error: {type(error).__name__}: {error}"
            if is_death(error):
                words = "the worker that examined it was killed twice"
        return failed(task, words)

    def close(self) -> None:
        """Leave the executor; what waits is not begun, and no worker is left behind."""
        if self.executor is not None:
            self.executor.shutdown(wait=True, cancel_futures=True)
            self.executor = None


def is_death(error: BaseException) -> bool:
    """Return whether a worker died."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ in DEATHS


def is_broken(executor: Executor) -> bool:
    """Return whether an executor is of no more use; one of Dask replaces its workers itself."""
    return bool(getattr(executor, "_broken", False))


def failed(task: Task, words: str) -> list[ResultOfNode]:
    """Return the results of nodes that there is no answer for."""
    return [ResultOfNode(node.key, failed=words) for node in task.nodes]
