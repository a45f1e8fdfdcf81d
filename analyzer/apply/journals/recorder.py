"""Listens to a run as it goes on: when things happen, the journal, who else wants to know."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from analyzer.apply.engine.commands import Step, Stop
from analyzer.apply.engine.events import Event
from analyzer.apply.engine.transaction import Listen
from analyzer.apply.journals.journal import RunJournal
from analyzer.apply.timeline import Timeline


class EventRecorder:
    """Takes the time of each event, and hands it on.

    `start` is when the run began, in epoch seconds; `at` are the seconds since for each event.
    `broken` is why the journal could not be written any more, None as long as it can be: the run
    must end then, because its steps would not be recorded.
    """

    def __init__(self, journal: RunJournal | None = None, listeners: Sequence[Listen] = ()) -> None:
        self.start = time.time()
        self.at: list[float] = []
        self.broken: OSError | None = None
        self._journal = journal
        self._listeners = listeners
        self._began = time.monotonic()

    def listen(self, event: Event) -> None:
        """Record an event."""
        self.at.append(time.monotonic() - self._began)
        if self._journal and not self.broken:
            try:
                self._journal.listen(event)
            except OSError as error:
                self.broken = error
        for listener in self._listeners:
            listener(event)

    @property
    def seconds(self) -> float:
        """Return the seconds from the start of the run to the last event."""
        return self.at[-1] if self.at else 0.0


def run_unless(timeline: Timeline, stopped: Callable[[], bool]) -> bool:
    """Run to the end; after a stop, skip the remaining resources.

    Returns whether it was stopped before its end.
    """
    while not stopped():
        if not timeline.advance(Step()):
            return False
    return timeline.advance(Stop())
