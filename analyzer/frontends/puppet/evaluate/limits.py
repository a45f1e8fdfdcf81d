"""Limits of a compile: where the code was when it reached one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any

from analyzer import limits
from analyzer.frontends.puppet.evaluate.errors import Unit

# The nodes of the lines of a generated function, in its namespace.
PLACES = "places of lines"


def limited(seconds: float, memory: int) -> AbstractContextManager[None]:
    """End a compile that takes more CPU time or bytes of memory; 0 is without limit."""
    return limits.limited(seconds, memory, place_in)


def place_in(frames: Iterable[FrameType]) -> tuple[Unit, Any] | None:
    """Return the innermost node that was being evaluated in frames, with its text."""
    return next((found for frame in frames if (found := node_in(frame))), None)


def place_of_trace(trace: TracebackType | None) -> tuple[Unit, Any] | None:
    """Return the innermost node that was being evaluated where an error arose."""
    return place_in(limits.frames_of_trace(trace))


def node_in(frame: FrameType) -> tuple[Unit, Any] | None:
    """Return the node that a frame evaluates, with its text; None if it evaluates no node."""
    places = frame.f_globals.get(PLACES)
    if places is not None:
        # What Python does between two statements has no line.
        line: int | None = frame.f_lineno
        return None if line is None else (frame.f_globals["unit"], places[line - 1])
    code = frame.f_code
    if "unit" not in (*code.co_varnames, *code.co_freevars, *code.co_cellvars):
        # A frame keeps the variables that are asked for, even those that are deleted later.
        return None
    names = frame.f_locals
    unit, node = names.get("unit"), names.get("node") or names.get("statement")
    return (unit, node) if isinstance(unit, Unit) and hasattr(node, "offset") else None
