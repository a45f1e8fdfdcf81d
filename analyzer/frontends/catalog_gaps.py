"""What a catalog in JSON says that its compile did not know, as `catgraph compile` writes it."""

from __future__ import annotations

from typing import Any

from analyzer.model.completeness import Gap
from analyzer.source import Span


def gaps_of(rows: Any) -> list[Gap]:
    """Return the gaps that the key `incomplete` of a catalog lists."""
    return [gap_of(row) for row in rows] if isinstance(rows, list) else []


def gap_of(row: Any) -> Gap:
    """Return one gap; what is odd about it takes nothing away: something is not known."""
    given = row if isinstance(row, dict) else {}
    kind, name, reason, hint, file = (
        given[key] if isinstance(given.get(key), str) else ""
        for key in ("kind", "name", "reason", "hint", "file")
    )
    line, column = (given[key] if type(given.get(key)) is int else 0 for key in ("line", "column"))
    span = Span(file, line, column) if file else None
    hides = given.get("hides") is not False
    made: Any = kind or "undecided"
    return Gap(made, name or "something", reason or "it is not said why", span, hint, hides)
