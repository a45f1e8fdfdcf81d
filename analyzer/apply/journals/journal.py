"""The journal of a run: a line of JSON for the run, then one for each event as it happens.

It is readable however the run ended; a last line that is torn is left out. The first line has the
catalog as it was applied, secrets redacted, and what the run was told.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import NoReturn

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.events import Event
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.journals.event_rows import RowError, event_of_row, row_of
from analyzer.apply.timeline import Timeline
from analyzer.diagnostics import InputError
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.documents import JsonObject
from analyzer.reading import read_bytes
from analyzer.source import Span

FORMAT = 1
# Events after which the disk has to have the journal: what was changed must not be forgotten.
WEIGHTY = (happened.Changed, happened.Refreshed, happened.RefreshFailed, happened.Ended)


class RunJournal:
    """A journal that is being written. Each event is a line, and each line one write.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: str, header: Mapping[str, object], graph: RunGraph) -> None:
        self.path = path
        self.graph = graph
        self.step = 0
        self._weighty = self._stopping = False
        self._started = time.monotonic()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        self._file = os.open(path, flags, 0o600)
        self._size = 0
        try:
            self._write({"catgraph_journal": FORMAT, "time": iso(time.time()), **header})
            os.fsync(self._file)
        except OSError:
            os.unlink(path)
            raise

    def listen(self, event: Event) -> None:
        """Write an event."""
        if isinstance(event, happened.ValuesKept):
            return
        self.step += self._begins_step(event)
        row = row_of(event)
        node = getattr(event, "node", None)
        if node is not None:
            row["ref"] = self.graph.names[node]
        at = round(time.monotonic() - self._started, 6)
        self._write({"step": self.step, "at": at, **row})
        self._weighty = self._weighty or isinstance(event, WEIGHTY)
        if self._weighty and isinstance(event, happened.Finished | happened.Ended):
            os.fsync(self._file)
            self._weighty = False

    def _begins_step(self, event: Event) -> bool:
        """Return whether a step of a time line begins: a resource's turn, or the end by a stop."""
        if isinstance(event, happened.Stopped) and not self._stopping:
            self._stopping = True
            return True
        return isinstance(event, happened.Evaluating) and bool(self.graph.resource(event.node))

    def _write(self, row: Mapping[str, object]) -> None:
        """Write a line whole, or nothing of it."""
        data = json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        rest = data
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            os.ftruncate(self._file, self._size)
            raise OSError(error.errno, error.strerror, self.path) from None
        self._size += len(data)

    def close(self) -> None:
        """Write nothing more."""
        os.close(self._file)


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """An event of a journal: the step it is of, and when it was, in seconds since the start."""

    step: int
    at: float
    event: Event


@dataclass(frozen=True, slots=True)
class ReadJournal:
    """A journal that was read.

    `header` is its first line, `catalog` the document of the catalog in it, `time` when the run
    began, in epoch seconds. `torn` says that the last line is not whole, `complete` that the run
    came to its end.
    """

    path: str
    header: JsonObject
    happenings: tuple[TimedEvent, ...]
    torn: bool = False

    @property
    def catalog(self) -> JsonObject:
        """Return the applied catalog."""
        found: dict[str, object] = self.header["catalog"]
        return found

    @property
    def time(self) -> float:
        """Return when the run began."""
        return datetime.fromisoformat(str(self.header["time"])).timestamp()

    @property
    def complete(self) -> bool:
        """Return whether the run came to its end."""
        ends = (happened.Ended, happened.Aborted, happened.CycleFound)
        return any(isinstance(one.event, ends) for one in self.happenings)

    @property
    def settings(self) -> RunSettings:
        """Return the options of the run."""
        given = self.header.get("settings", {})
        known = {field.name for field in fields(RunSettings)}
        values = {key: value for key, value in given.items() if key in known}
        for name in ("tags", "skip_tags"):
            values[name] = tuple(values.get(name, ()))
        values["now"] = datetime.fromisoformat(values["now"])
        return RunSettings(**values)

    def steps(self) -> list[list[Event]]:
        """Return the events of each step; the first are those before the first step."""
        found: list[list[Event]] = [[]]
        for one in self.happenings:
            while len(found) <= one.step:
                found.append([])
            found[one.step].append(one.event)
        return found

    def timeline(self, graph: RelationshipGraph) -> Timeline:
        """Return the run as a time line, given the graph of its catalog.

        Raises:
            InputError: the events belong to another graph.
        """
        run_graph = RunGraph(graph)
        if run_graph.base != self.header.get("base"):
            reject("its events do not belong to its catalog", self.path)
        try:
            return Timeline(run_graph, settings=self.settings, recorded=self.steps()).run()
        except (IndexError, KeyError, AttributeError):
            reject("its events name resources that its catalog does not have", self.path)


def settings_row(settings: RunSettings) -> dict[str, object]:
    """Return settings as data; checks made before the run no longer matter."""
    found = {f.name: getattr(settings, f.name) for f in fields(settings) if f.name != "checked"}
    return {**found, "now": settings.now.isoformat()}


def iso(moment: float) -> str:
    """Return a time in epoch seconds as a text, in UTC."""
    return datetime.fromtimestamp(moment, UTC).isoformat()


def read_journal(path: str, data: bytes | None = None) -> ReadJournal:
    """Read a journal.

    Raises:
        InputError: it cannot be read, or is damaged elsewhere than at its end.
    """
    if data is None:
        try:
            data = read_bytes(path)
        except OSError as error:
            reject(f"cannot be read: {error.strerror}", path)
    lines = data.split(b"\n")
    torn = lines.pop() != b""
    header = row(lines[0], path, 1) if lines else None
    if header is None or header.get("catgraph_journal") != FORMAT or "catalog" not in header:
        reject("not a journal of a run, or of another version of catgraph", path)
    happenings = tuple(events(lines[1:], path))
    found = ReadJournal(path, header, happenings, torn)
    try:
        _ = found.settings, found.time
    except (KeyError, TypeError, ValueError):
        reject("the first line lacks the settings of the run", path, 1)
    return found


def events(lines: list[bytes], path: str) -> Iterator[TimedEvent]:
    """Yield the events of lines."""
    for number, line in enumerate(lines, 2):
        found = row(line, path, number)
        try:
            step, at = int(found["step"]), float(found["at"])
            # Each step has an event, which is a line.
            if not 0 <= step < number:
                raise ValueError
            yield TimedEvent(step, at, event_of_row(found))
        except RowError as error:
            reject(str(error), path, number)
        except (KeyError, TypeError, ValueError, OverflowError):
            reject("a step and a time are missing, or no numbers", path, number)


def row(line: bytes, path: str, number: int) -> JsonObject:
    """Return the object in a line."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        reject("a line of the journal is damaged", path, number)
    return found


def reject(message: str, path: str, line: int = 0) -> NoReturn:
    """Raise the one error."""
    raise InputError(message, Span(path, line), "bad-journal")
