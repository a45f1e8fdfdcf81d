"""The parts of a repository that nothing uses, as rules see them."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.source import Span


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The parts of a repository that no node can reach: what each is, why, and its place."""

    path: str
    parts: tuple[tuple[str, str, Span], ...]
