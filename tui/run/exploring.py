"""Explores the nodes of a repository one after another, in a thread."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tui.project.project import Cancelled
from tui.project.repository import NodeResult, OpenRepository, explorer, result_of
from tui.run.messages import WorldsChanged
from tui.run.threads import in_thread

if TYPE_CHECKING:
    from textual.message import Message


class ExploringRun:
    """The results so far, in the order of the repository's names; `post` sends messages.

    `current` is the node that is being explored, empty if none is; `wanted` is the next one, if it
    is not explored yet. `version` counts the changes.
    """

    def __init__(self, repository: OpenRepository, post: Callable[[Message], object]) -> None:
        self.repository = repository
        self.post = post
        self.results: dict[str, NodeResult] = {}
        self.current = self.wanted = ""
        self.version = 0
        self.round = 0

    @property
    def missing(self) -> list[str]:
        """Return the nodes that are not explored yet."""
        return [name for name in self.repository.names if name not in self.results]

    async def explore(self) -> None:
        """Explore the nodes that are missing."""
        self.round += 1
        now = self.round
        child = explorer(self.repository)
        try:
            while (missing := self.missing) and now == self.round:
                name = self.wanted if self.wanted in missing else missing[0]
                self.current = name
                self.changed()
                child.start()
                result = await in_thread(partial(result_of, child, name, self.check(now)))
                if now == self.round:
                    self.results[name] = result
        except Cancelled:
            return
        except CancelledError:
            # The thread goes on until `check` raises Cancelled.
            self.round += 1
            raise
        child.end()
        if now == self.round:
            self.current = ""
            self.changed()

    def check(self, now: int) -> Callable[[], None]:
        """Return a function that raises Cancelled once the exploration was stopped."""

        def check() -> None:
            if now != self.round:
                raise Cancelled

        return check

    def stop(self) -> None:
        """Stop; the running compile ends in its thread, and its result is dropped."""
        self.round += 1
        self.current = ""
        self.changed()

    def changed(self) -> None:
        """Make the screens show the results."""
        self.version += 1
        self.post(WorldsChanged())
