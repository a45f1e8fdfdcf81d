"""What is known of the selected resource, in tabs."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.apply.engine.changes import event_of
from analyzer.apply.engine.transaction import is_ready
from tui.present.edges import EdgeIndex, edge_lines
from tui.present.glyphs import LOOKS, word_of
from tui.present.pieces import BLANK, Line, Piece, line, printable, ref_pieces
from tui.present.text import code_lines

if TYPE_CHECKING:
    from analyzer.apply.engine.events import ResourceEvent
    from analyzer.apply.timeline import Timeline
    from analyzer.model.resource import Resource
    from tui.run.story import Story

METAPARAMETERS = ("require", "before", "notify", "subscribe")
STATUS_STYLE = {"success": "changed", "failure": "failed", "noop": "noop"}


class Subject(NamedTuple):
    """What a tab is about."""

    timeline: Timeline
    story: Story
    edges: EdgeIndex
    node: int

    @property
    def resource(self) -> Resource:
        """The resource or container."""
        graph = self.timeline.graph
        return graph.born.get(self.node) or graph.resources[self.node]


class Shown(NamedTuple):
    """The lines of a tab; `refs` the reference a line is about, `top` the line to begin at."""

    lines: list[Line]
    refs: list[str] = []  # noqa: RUF012 (a default that nobody changes)
    top: int = 0


def head(subject: Subject) -> Line:
    """Return the resource with its state."""
    status = subject.timeline.state.statuses[subject.node]
    name = ref_pieces(printable(str(subject.resource)), "strong")
    if subject.timeline.graph.resource(subject.node) is None:
        return name
    look = LOOKS[state_of(subject.timeline, subject.node)]
    turn = subject.story.turn.get(subject.node)
    when = f" at step {turn}" if turn is not None and status is not None else ""
    return (Piece(f"{look.glyph} ", look.style), *name, Piece(f"  {look.word}{when}", look.style))


def state_of(timeline: Timeline, node: int) -> str:
    """Return which of LOOKS a resource is."""
    state = timeline.state
    status = state.statuses[node] if node < len(state.statuses) else None
    if status is not None:
        return word_of(status)
    if state.phase == "running" and timeline.next == node:
        return "next"
    if state.phase == "running" and is_ready(state, timeline.graph, node):
        return "ready"
    return "put_off" if node in state.put_off else "waiting"


def parameters(subject: Subject) -> Shown:
    """Return the parameters, relationships last."""
    shown = subject.resource.shown_parameters()
    names = sorted(shown, key=lambda name: (name in METAPARAMETERS, name != "ensure"))
    width = min(max(map(len, names), default=0), 18)
    lines = [row for name in names for row in parameter_lines(name, shown[name], width)]
    container = subject.timeline.graph.parent(subject.node)
    if container is not None:
        inside = ref_pieces(printable(subject.timeline.graph.names[container]))
        lines += [BLANK, line(("in ", "dim"), *inside)]
    noop = noop_words(subject)
    if noop:
        lines.append(line((noop, "noop")))
    return Shown(lines or [line(("it has no parameters", "dim"))])


def noop_words(subject: Subject) -> str:
    """Return what is switched of a resource by hand."""
    state = subject.timeline.state
    words = []
    if subject.node in (state.noops or {}):
        words.append(f"noop is {'on' if (state.noops or {})[subject.node] else 'off'}, as you said")
    outcome = (state.outcomes or {}).get(subject.node)
    if outcome and outcome.apply:
        words.append(f"applying it is told to {outcome.apply}")
    if outcome and outcome.refresh:
        words.append(f"its refresh is told to {outcome.refresh}")
    return "; ".join(words)


def parameter_lines(name: str, value: Any, width: int) -> Iterator[Line]:
    """Yield a parameter; each line of a long text has its own."""
    rows = value_rows(value)
    yield line((f"{name:<{width}} ", "accent"), *rows[0])
    for row in rows[1:]:
        yield line(" " * (width + 1), *row)


def value_rows(value: Any) -> list[Line]:
    """Return a value in lines."""
    if isinstance(value, str):
        return [line((printable(row), "string")) for row in value.split("\n")]
    if isinstance(value, bool) or value is None:
        return [line(("undef" if value is None else str(value).lower(), "number"))]
    if isinstance(value, int | float):
        return [line((str(value), "number"))]
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return [line((printable(one), "string")) for one in value]
    text = json.dumps(value, indent=1, ensure_ascii=False, default=str)
    return [line(printable(row)) for row in text.split("\n")]


def edges(subject: Subject) -> Shown:
    """Return what comes before and after, with who said so."""
    if subject.node >= subject.timeline.graph.base:
        return Shown([line(("another resource brought it: it comes right after that", "dim"))])
    return Shown(*edge_lines(subject.edges, subject.node))


def events(subject: Subject) -> Shown:
    """Return what happened to the resource, and what its log says."""
    status = subject.timeline.state.statuses[subject.node]
    lines: list[Line] = []
    if status is not None:
        for word in status.flags:
            lines.append(line((word.replace("_", " "), "strong")))
        if status.failed_dependencies:
            names = [subject.timeline.graph.names[n] for n in status.failed_dependencies]
            lines += [line(("because of ", "dim"), *ref_pieces(printable(n))) for n in names]
        for event in status.events:
            lines += [BLANK, *event_lines(event)]
    if not lines:
        lines = [line(("nothing has happened to it yet", "dim"))]
    return Shown([*lines, *noted(subject)])


def event_lines(event: ResourceEvent) -> Iterator[Line]:
    """Yield one event: its name, what is said, and both values."""
    style = STATUS_STYLE.get(event.status, "")
    where = f"{event.property} " if event.property else ""
    yield line((f"{event.status} ", style), (where, "accent"), (event.name, "dim"))
    for row in event.message.split("\n"):
        yield line("  ", printable(row))


def noted(subject: Subject) -> Iterator[Line]:
    """Yield the lines of the log that are the resource's."""
    story, node = subject.story, subject.node
    count = story.ends[subject.timeline.position]
    turn = story.turn.get(node)
    if turn is None or turn > subject.timeline.position:
        return
    first = story.ends[turn - 1] if turn else 0
    rows = [e for e in story.entries[first : min(count, story.ends[turn])] if e.node == node]
    if rows:
        yield BLANK
        yield line(("log", "title"))
    for entry in rows:
        yield line((f"{entry.level:<8}", "dim"), printable(entry.message))


def diff(subject: Subject) -> Shown:
    """Return what is or would be changed, line by line."""
    status = subject.timeline.state.statuses[subject.node]
    lines: list[Line] = []
    for event in status.events if status else ():
        lines += event_diff(subject, event)
    if lines:
        return Shown(lines)
    return Shown(planned(subject) or [line(("nothing is changed", "dim"))])


def event_diff(subject: Subject, event: ResourceEvent) -> list[Line]:
    """Return what one event changed."""
    if event.property is None or event.name == "resource_error":
        return []
    title = line(
        (event.property, "accent"), (f"  {event.status}", STATUS_STYLE.get(event.status, ""))
    )
    if event.sensitive:
        return [title, line(("  the values are secret", "dim"))]
    rows = event.diff or tuple(text_diff(event.old, event.new))
    content = content_of(subject.resource)
    if content is not None and event.property in ("ensure", "content") and not event.diff:
        rows = tuple(f"+{row}" for row in content.split("\n"))
    return [title, *map(diff_line, rows), BLANK]


def content_of(resource: Resource) -> str | None:
    """Return the content that a file is to have, None if it says none or it is secret."""
    content = resource.shown_parameters().get("content")
    return content if isinstance(content, str) and resource.type == "File" else None


def text_diff(old: Any, new: Any) -> Iterator[str]:
    """Yield the lines of a difference of two values."""
    one, other = (str(value) if value is not None else "" for value in (old, new))
    if "\n" not in one and "\n" not in other:
        yield f"-{one}"
        yield f"+{other}"
        return
    found = difflib.unified_diff(one.split("\n"), other.split("\n"), lineterm="", n=2)
    yield from (row for row in found if not row.startswith(("---", "+++")))


def diff_line(row: str) -> Line:
    """Return a line of a difference in its colour."""
    style = {"+": "added", "-": "removed", "@": "place"}.get(row[:1], "")
    return line(("  " + printable(row), style))


def planned(subject: Subject) -> list[Line]:
    """Return what would be changed if its turn came now, as far as the world can say."""
    from analyzer.apply.provider import ProviderError, UnsuitableError

    timeline = subject.timeline
    resource = timeline.graph.resource(subject.node)
    if resource is None or timeline.state.statuses[subject.node] is not None:
        return []
    try:
        state = timeline.world.retrieve(resource, timeline.state.values[subject.node])
        plan = timeline.world.plan(resource, state)
    except (ProviderError, UnsuitableError, OSError) as error:
        return [line(("cannot be found out: ", "dim"), printable(str(error)))]

    rows = [
        row
        for change in plan.changes
        for row in event_diff(subject, event_of(change, "noop", change.message))
    ]
    return [line(("if its turn came now", "title")), *rows] if rows else []


def source(subject: Subject) -> Shown:
    """Return the manifest around the line where it is declared."""
    span = subject.resource.span
    if span is None:
        return Shown([line(("the catalog does not say where it is declared", "dim"))])
    found, top = code_lines(span.file, span.line)
    return Shown([line((str(span), "place")), BLANK, *found], top=top + 2)


# id: (title, what it shows)
TABS: dict[str, tuple[str, Callable[[Subject], Shown]]] = {
    "parameters": ("Parameters", parameters),
    "edges": ("Edges", edges),
    "events": ("Events", events),
    "diff": ("Diff", diff),
    "source": ("Source", source),
}
