"""Simulated outcomes as JSON, `{"status", "order", "resources": {ref: {"flags", ...}}}`."""

from __future__ import annotations

from typing import NoReturn, TypeGuard

from analyzer.apply.report.run import WORDS, ReportedRun, ResourceTurn
from analyzer.apply.report.values import REFRESH, RecordedEvent
from analyzer.diagnostics import InputError
from analyzer.model.documents import JsonObject
from analyzer.source import Span


def is_outcome(document: object) -> TypeGuard[JsonObject]:
    """Return whether a document is the output of a simulation."""
    return (
        isinstance(document, dict)
        and isinstance(document.get("resources"), dict)
        and "order" in document
    )


def from_document(document: JsonObject, path: str) -> ReportedRun:
    """Return the simulated run.

    Raises:
        InputError: it is not of that form.
    """
    table, order = document["resources"], document["order"]
    if not isinstance(order, list) or not all(isinstance(ref, str) for ref in order):
        reject("'order' is not a list of references", path)
    refs = [*dict.fromkeys(order), *(ref for ref in table if ref not in set(order))]
    turns = tuple(turn(ref, table.get(ref) or {}, path) for ref in refs)
    return ReportedRun(path, str(document.get("status") or ""), turns)


def turn(ref: str, row: JsonObject, path: str) -> ResourceTurn:
    """Return the status of one resource."""
    try:
        flags = row.get("flags") or ()
        held = {flag for flag in flags if not isinstance(flags, dict) or flags[flag]}
        events = tuple(event(one) for one in row.get("events") or ())
    except (AttributeError, TypeError):
        reject(f"the outcome of {ref} has an unknown form", path)
    if any(e.status == "noop" for e in events):
        held.add("noop")
    if events and not any(e.status == "success" and e.name != REFRESH for e in events):
        held.discard("changed")
    return ResourceTurn(
        ref=ref,
        words=tuple(word for word in WORDS if word in held),
        messages=tuple(e.message for e in events if e.status == "failure" and e.message),
        corrective="corrective_change" in held,
        events=events,
    )


def event(row: JsonObject) -> RecordedEvent:
    """Return one event."""
    name, kind, message, status = (row.get(k) for k in ("name", "property", "message", "status"))
    return RecordedEvent(name=name, property=kind, message=message, status=status)


def reject(message: str, path: str) -> NoReturn:
    """Raise the one error."""
    raise InputError(f"not a simulated outcome: {message}", Span(path), "bad-report")
