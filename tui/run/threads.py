"""Long work beside the screens, in threads that nobody waits for once the screens are left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


async def beside(work: Callable[[], Result]) -> Result:
    """Do some work in a thread, and return what it returns or raise what it raises.

    Whoever no longer waits for it leaves it alone; it ends with the program at the latest.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def tell(report: Callable[[Any], None], value: object) -> None:
        def settle() -> None:
            if not done.done():
                report(value)

        # The loop is closed once the screens are left.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle)

    def run() -> None:
        try:
            result = work()
        except Exception as error:
            tell(done.set_exception, error)
        else:
            tell(done.set_result, result)

    Thread(target=run, daemon=True).start()
    return await done


def teller(show: Callable[[str], None]) -> Callable[[str], None]:
    """Return what lets a thread tell the screens how far it is."""
    loop = asyncio.get_running_loop()

    def tell(text: str) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(show, text)

    return tell
