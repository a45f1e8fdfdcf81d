"""Two branches of a run side by side: the resources with different outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analyzer.apply.timeline import Timeline
from analyzer.model.nouns import counted
from tui.present.glyphs import LOOKS
from tui.present.pieces import BLANK, Line, Piece, line, printable, ref_pieces
from tui.run.agent_timeline import WORDS, AgentTimeline
from tui.run.rollup import word_of

if TYPE_CHECKING:
    from tui.run.branch import Branch


def at_the_end(timeline: Timeline) -> Timeline:
    """Return a copy of a run at its end."""
    return timeline.fork().run()


def words(timeline: Timeline) -> dict[str, str]:
    """Return the outcome of each resource, by name: two runs may be of two graphs."""
    graph = timeline.graph
    statuses = enumerate(timeline.state.statuses)
    return {
        graph.names[node]: word_of(status)
        for node, status in statuses
        if status is not None and graph.resource(node) is not None
    }


def compare_lines(one: Branch, other: Branch) -> tuple[list[Line], list[str]]:
    """Return the differences at the ends of two branches, and the reference of each line."""
    first, second = at_the_end(one.timeline), at_the_end(other.timeline)
    here, there = words(first), words(second)
    called = {word: look.word for word, look in LOOKS.items()}
    if isinstance(first, AgentTimeline):
        called |= WORDS
    differing = [name for name in {**here, **there} if here.get(name) != there.get(name)]
    labels = (called[w] for n in differing for w in (here.get(n), there.get(n)) if w)
    width = max(map(len, labels), default=0) + 2
    lines: list[Line] = [
        line(
            ("ends: ", "dim"),
            (one.name, "strong"),
            f" {first.status}",
            ("   ", "dim"),
            (other.name, "strong"),
            f" {second.status}",
        ),
        BLANK,
    ]
    refs = ["", ""]
    for name in differing:
        cells = [cell(found.get(name), called, width) for found in (here, there)]
        lines.append((*cells[0], *cells[1], *ref_pieces(printable(name))))
        refs.append(name)
    if not differing:
        lines.append(line("every resource has the same outcome in both"))
        refs.append("")
    else:
        lines[1] = line((f"{counted(len(differing), 'resource')} with different outcomes", "title"))
    return lines, refs


def cell(word: str | None, called: Mapping[str, str], width: int) -> Line:
    """Return the outcome of a resource, as a column."""
    if word is None:
        return (Piece(f"{'not applied':<{width + 2}}", "dim"),)
    look = LOOKS[word]
    return (Piece(f"{look.glyph} {called[word]:<{width}}", look.style),)
