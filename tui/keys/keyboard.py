"""Hands keys on one at a time: what is typed ahead goes to what the keys before it opened."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from textual import events
from textual.message_pump import MessagePump

from tui.screens.base import View

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from textual.app import App
    from textual.screen import Screen
    from textual.worker import WorkType

    Typed = events.Key | events.Paste

# Keys after which a widget has its say in a message of its own.
TELLING = ("enter", "escape")
# Keys that move the cursor of a list.
MOVES = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "h", "j", "k", "l")
# How many rounds in a row have to bring nothing new after such a key, or after something opened.
CALM = 2
# Seconds until a screen that never takes the focus gets its keys nevertheless.
PATIENCE = 2.0


class Keyboard:
    """What was typed and has not been handed on yet.

    Textual forwards each key at once to what has the focus, and opens dialogs in the messages
    that follow: keys typed ahead would be commands to what is below. So a key waits until the one
    before has been all the way up to the application, and what it opened has the focus. Only a
    key that is held down does not: MOVES, and those that `steady` returns, open nothing.
    """

    def __init__(
        self,
        app: App[int],
        forward: Callable[[Typed], Awaitable[None]],
        steady: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self.app = app
        self.forward = forward
        self.steady = steady
        self.waiting: deque[Typed] = deque()
        self.at_work = False

    def take(self, event: Typed) -> None:
        """Take what was typed, to be handed on in its turn."""
        self.waiting.append(event)
        if not self.at_work:
            self.at_work = True
            work: WorkType[None] = self.hand_on
            self.app.run_worker(work, group="keys")

    async def hand_on(self) -> None:
        """Hand on what waits, each when all is calm."""
        try:
            while self.waiting and self.app.return_code is None:
                event = self.waiting.popleft()
                key, before = key_of(event), self.where
                await self.forward(event)
                if not self.is_held(key):
                    await self.settle(before, telling=key in TELLING)
        finally:
            self.at_work = False

    def is_held(self, key: str) -> bool:
        """Tell whether a key that opens nothing comes again: it need not wait for the screen."""
        if not key or not self.waiting or key_of(self.waiting[0]) != key:
            return False
        screen = self.app.screen
        below = isinstance(screen, View) and screen.is_there and not screen.prompt.display
        return below and (key in MOVES or key in self.steady())

    @property
    def where(self) -> tuple[object, ...]:
        """The screens that are up, and what has the focus."""
        return (*self.app.screen_stack, self.app.focused)

    async def settle(self, where: tuple[object, ...], *, telling: bool) -> None:
        """Wait until a key has had all its consequences for where the next one goes."""
        until = monotonic() + PATIENCE
        calm, wanted = 0, CALM if telling else 1
        # Once the application is left, nothing goes anywhere any more.
        while calm < wanted and self.app.return_code is None:
            await self.through()
            now = self.where
            ready = is_ready(self.app.screen) or monotonic() > until
            if now != where or not ready:
                where, calm, wanted = now, 0, CALM
                if not ready:
                    await asyncio.sleep(0.001)
            else:
                calm += 1

    async def through(self) -> None:
        """Wait until all that was told so far has gone from the focus up to the application."""
        focused = self.app.focused
        chain = focused.ancestors_with_self if focused else (self.app.screen, self.app)
        for pump in chain:
            await passed(pump)


def key_of(event: Typed) -> str:
    """Return the key that was pressed; empty for what was pasted."""
    return event.key if isinstance(event, events.Key) else ""


async def passed(pump: MessagePump) -> None:
    """Wait until all messages that wait for a widget are dealt with, or it is gone."""
    done = asyncio.Event()
    if pump.call_later(lambda: pump.call_next(done.set)):
        while pump.is_running and not done.is_set():
            try:
                await asyncio.wait_for(done.wait(), 0.1)
            except TimeoutError:
                continue


def is_ready(screen: Screen[object]) -> bool:
    """Tell whether a screen takes keys: what it wants to have the focus has it."""
    if not screen.is_mounted:
        return False
    if isinstance(screen, View) and screen.is_there and screen.prompt.display:
        return screen.prompt.has(screen.focused)
    return screen.focused is not None or not screen.focus_chain
