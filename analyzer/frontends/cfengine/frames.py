"""One call of a bundle: whose promises are evaluated, and what only they see."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.frontends.cfengine.ast import Bundle


@dataclass(slots=True)
class Frame:
    """One call of a bundle: its private classes first, then those it inherits.

    `within` is the calling promise's event, `file` what an edit bundle edits.
    """

    bundle: Bundle
    private: list[set[str]]
    within: int | None = None
    file: str = ""
    depth: int = 1
