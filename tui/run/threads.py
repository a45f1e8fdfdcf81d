"""Runs long work in threads that end with the program and that nothing waits for on exit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from textual.worker import active_worker, get_current_worker

from analyzer.reach import in_this_context

Result = TypeVar("Result")
Reported = TypeVar("Reported")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Do some work in a thread, and return its result or raise its exception.

    When the waiting task is cancelled, the thread goes on; it ends with the program at the latest.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def pass_on(report: Callable[[Reported], None], value: Reported) -> None:
        def settle() -> None:
            if not done.done():
                report(value)

        # The loop is closed once the application has exited.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle)

    def run() -> None:
        try:
            result = work()
        except Exception as error:
            pass_on(done.set_exception, error)
        else:
            pass_on(done.set_result, result)

    Thread(target=in_this_context(run), daemon=True).start()
    return await done


def for_worker(work: Callable[[], Result]) -> Callable[[], Result]:
    """Return work for a worker of Textual in a thread, with the context of this thread."""
    context = copy_context()

    def run() -> Result:
        worker = get_current_worker()

        def begin() -> Result:
            active_worker.set(worker)
            return work()

        return context.run(begin)

    return run


def progress_reporter(show: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that a thread may call to show its progress on the screen."""
    loop = asyncio.get_running_loop()

    def report(text: str) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(show, text)

    return report
