"""Forwards keys one at a time: a key typed ahead goes to the dialog that the last key opened."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from textual import events
from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from textual.app import App
    from textual.screen import Screen
    from textual.worker import WorkType

    from tui.widgets.prompt import Prompt

    Typed = events.Key | events.Paste

# Keys after which a widget posts a message of its own.
POSTING = ("enter", "escape")
# Keys that move the cursor of a list.
MOVES = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "h", "j", "k", "l")
# How many rounds in a row must change nothing after such a key, or after a dialog has opened.
CALM = 2
# Seconds until a screen that never takes the focus still gets its keys.
PATIENCE = 2.0


class Keyboard:
    """A queue of typed keys that are not forwarded yet.

    Textual forwards each key at once to the focused widget, and opens dialogs in the messages
    that follow: keys typed ahead would be commands to the screen below. So a key waits until the
    previous one has reached the application, and its dialog has the focus. Only a key that is held
    down does not wait: MOVES, and the keys that `steady` returns, open no dialog. `prompt` returns
    the input line of the current screen, None under a dialog.
    """

    def __init__(
        self,
        app: App[int],
        forward: Callable[[Typed], Awaitable[None]],
        prompt: Callable[[], Prompt | None],
        steady: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self.app = app
        self.forward = forward
        self.prompt = prompt
        self.steady = steady
        self.waiting: deque[Typed] = deque()
        self.at_work = False

    def take(self, event: Typed) -> None:
        """Queue a key or a pasted text."""
        self.waiting.append(event)
        if not self.at_work:
            self.at_work = True
            work: WorkType[None] = self.forward_all
            self.app.run_worker(work, group="keys")

    async def forward_all(self) -> None:
        """Forward the queue, each key once the previous one has had its effect."""
        try:
            while self.waiting and self.app.return_code is None:
                event = self.waiting.popleft()
                key, before = key_of(event), self.where
                await self.forward(event)
                if not self.is_held(key):
                    await self.settle(before, posting=key in POSTING)
        finally:
            self.at_work = False

    def is_held(self, key: str) -> bool:
        """Return whether the same key follows and opens no dialog, so that it need not wait."""
        if not key or not self.waiting or key_of(self.waiting[0]) != key:
            return False
        prompt = self.prompt()
        below = prompt is not None and not prompt.display
        return below and (key in MOVES or key in self.steady())

    @property
    def where(self) -> tuple[object, ...]:
        """Return the open screens and the focused widget."""
        return (*self.app.screen_stack, self.app.focused)

    async def settle(self, where: tuple[object, ...], *, posting: bool) -> None:
        """Wait until a key can no longer change where the next one goes."""
        until = monotonic() + PATIENCE
        calm, wanted = 0, CALM if posting else 1
        # Once the application has exited, no key goes anywhere.
        while calm < wanted and self.app.return_code is None:
            await self.through()
            now = self.where
            ready = is_ready(self.app.screen, self.prompt()) or monotonic() > until
            if now != where or not ready:
                where, calm, wanted = now, 0, CALM
                if not ready:
                    await asyncio.sleep(0.001)
            else:
                calm += 1

    async def through(self) -> None:
        """Wait until all messages so far have passed from the focus up to the application."""
        focused = self.app.focused
        chain = focused.ancestors_with_self if focused else (self.app.screen, self.app)
        for pump in chain:
            await passed(pump)


def key_of(event: Typed) -> str:
    """Return the key that was pressed; empty for a pasted text."""
    return event.key if isinstance(event, events.Key) else ""


async def passed(pump: MessagePump) -> None:
    """Wait until a widget has handled all its messages, or is gone."""
    done = asyncio.Event()
    if pump.call_later(lambda: pump.call_next(done.set)):
        while pump.is_running and not done.is_set():
            try:
                await asyncio.wait_for(done.wait(), 0.1)
            except TimeoutError:
                continue


def is_ready(screen: Screen[object], prompt: Prompt | None) -> bool:
    """Return whether a screen accepts keys: the widget that requests the focus has it."""
    if not screen.is_mounted:
        return False
    if prompt is not None and prompt.display:
        return prompt.has(screen.focused)
    return screen.focused is not None or not screen.focus_chain
