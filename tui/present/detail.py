"""The tabs about the selected resource: parameters, edges, events, diff, source."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from analyzer.apply.engine.changes import event_of
from analyzer.apply.engine.transaction import is_ready
from analyzer.frontends.source_texts import NoSource, SourceText, Texts
from tui.present.edges import GENERATED, edge_lines
from tui.present.glyphs import LOOKS
from tui.present.missing_manifest import missing_lines
from tui.present.pieces import BLANK, Line, Piece, line, printable, ref_pieces
from tui.project.neighbours import Surroundings
from tui.run.rollup import word_of

if TYPE_CHECKING:
    from analyzer.apply.engine.events import ResourceEvent
    from analyzer.apply.timeline import Timeline
    from analyzer.frontends.puppet.origins.telling import OriginRow
    from analyzer.model.resource import Resource
    from analyzer.source import Span
    from tui.project.origins import ResourceOrigins
    from tui.run.story import Story

METAPARAMETERS = ("require", "before", "notify", "subscribe")
# The most lines of a file that are shown; the marked one is always included.
MOST = 20_000
STATUS_STYLE = {"success": "changed", "failure": "failed", "noop": "noop"}


class DetailSubject(NamedTuple):
    """The resource that the tabs are about, in its run; `origin` is not known at once."""

    timeline: Timeline
    story: Story
    edges: Surroundings
    node: int
    texts: Texts
    origin: ResourceOrigins | None = None

    @property
    def resource(self) -> Resource:
        """Return the resource or container."""
        graph = self.timeline.graph
        return graph.born.get(self.node) or graph.resources[self.node]


class Shown(NamedTuple):
    """The lines of a tab; `refs` are the references of lines, `top` is the first line in view.

    `places` are those that lines are about, by the numbers of the lines.
    """

    lines: list[Line]
    refs: list[str] = []  # noqa: RUF012 (a default that is never changed)
    top: int = 0
    places: Mapping[int, Span] = MappingProxyType({})


def head(subject: DetailSubject) -> Line:
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
    """Return the name in LOOKS of a resource's state."""
    state = timeline.state
    status = state.statuses[node] if node < len(state.statuses) else None
    if status is not None:
        return word_of(status)
    if state.phase == "running" and timeline.next == node:
        return "next"
    if state.phase == "running" and is_ready(state, timeline.graph, node):
        return "ready"
    return "put_off" if node in state.put_off else "waiting"


def parameters(subject: DetailSubject) -> Shown:
    """Return the parameters, relationships last."""
    shown = subject.resource.shown_parameters()
    names = sorted(shown, key=lambda name: (name in METAPARAMETERS, name != "ensure"))
    width = min(max(map(len, names), default=0), 18)
    lines: list[Line] = []
    places: dict[int, Span] = {}
    for name in names:
        first = len(lines)
        lines += parameter_lines(name, shown[name], width)
        cause = subject.origin.values.get(name) if subject.origin is not None else None
        if cause is not None:
            lines.append(cause_line(cause, width, subject.texts))
            if cause.span is not None:
                places.update(dict.fromkeys(range(first, len(lines)), cause.span))
    container = subject.timeline.graph.parent(subject.node)
    if container is not None:
        inside = ref_pieces(printable(subject.timeline.graph.names[container]))
        lines += [BLANK, line(("in ", "dim"), *inside)]
    noop = noop_words(subject)
    if noop:
        lines.append(line((noop, "noop")))
    return Shown(lines or [line(("no parameters", "dim"))], places=places)


def cause_line(cause: OriginRow, width: int, texts: Texts) -> Line:
    """Return the nearest cause of a value, with its place."""
    place = f"  {place_text(cause.span, texts)}" if cause.span is not None else ""
    return line(" " * (width + 1), (printable(cause.text), "dim"), (place, "place"))


def place_text(span: Span, texts: Texts) -> str:
    """Return a place as the screens name it."""
    return f"{texts.short(span.file)}:{span.line}"


def presence_lines(origin: ResourceOrigins, texts: Texts) -> Iterator[Line]:
    """Yield why a resource is in the catalog: its statement, and what is around it."""
    yield line(("In the catalog because of", "title"))
    for row in origin.presence:
        place = f"  {place_text(row.span, texts)}" if row.span is not None else ""
        yield line("  " * (row.depth + 1), printable(row.text), (place, "place"))


def noop_words(subject: DetailSubject) -> str:
    """Return the noop switch and the injected outcome of a resource."""
    state = subject.timeline.state
    words = []
    if subject.node in (state.noops or {}):
        words.append(f"you switched noop {'on' if (state.noops or {})[subject.node] else 'off'}")
    outcome = (state.outcomes or {}).get(subject.node)
    if outcome and outcome.apply:
        words.append(f"injected: apply will {outcome.apply}")
    if outcome and outcome.refresh:
        words.append(f"injected: refresh will {outcome.refresh}")
    return "; ".join(words)


def parameter_lines(name: str, value: object, width: int) -> Iterator[Line]:
    """Yield a parameter; each line of a long text has its own."""
    rows = value_rows(value)
    yield line((f"{name:<{width}} ", "accent"), *rows[0])
    for row in rows[1:]:
        yield line(" " * (width + 1), *row)


def value_rows(value: object) -> list[Line]:
    """Return a value as lines."""
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


def edges(subject: DetailSubject) -> Shown:
    """Return the relationships before and after, with their origins."""
    if subject.node >= subject.timeline.graph.base:
        return Shown([line((GENERATED, "dim"))])
    return Shown(*edge_lines(subject.edges, subject.node))


def events(subject: DetailSubject) -> Shown:
    """Return the events of the resource, and its lines of the log."""
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
        lines = [line(("no events yet", "dim"))]
    return Shown([*lines, *noted(subject)])


def event_lines(event: ResourceEvent) -> Iterator[Line]:
    """Yield one event: its status, property, name, and message."""
    style = STATUS_STYLE.get(event.status, "")
    where = f"{event.property} " if event.property else ""
    yield line((f"{event.status} ", style), (where, "accent"), (event.name, "dim"))
    for row in event.message.split("\n"):
        yield line("  ", printable(row))


def noted(subject: DetailSubject) -> Iterator[Line]:
    """Yield the lines of the log about the resource."""
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


def diff(subject: DetailSubject) -> Shown:
    """Return the changes that were or would be made, as a diff."""
    status = subject.timeline.state.statuses[subject.node]
    lines: list[Line] = []
    for event in status.events if status else ():
        lines += event_diff(subject, event)
    if lines:
        return Shown(lines)
    return Shown(planned(subject) or [line(("no change", "dim"))])


def event_diff(subject: DetailSubject, event: ResourceEvent) -> list[Line]:
    """Return the diff of one event."""
    if event.property is None or event.name == "resource_error":
        return []
    title = line(
        (event.property, "accent"), (f"  {event.status}", STATUS_STYLE.get(event.status, ""))
    )
    if event.sensitive:
        return [title, line(("  the values are sensitive", "dim"))]
    rows = event.diff or tuple(text_diff(event.old, event.new))
    content = content_of(subject.resource)
    if content is not None and event.property in ("ensure", "content") and not event.diff:
        rows = tuple(f"+{row}" for row in content.split("\n"))
    return [title, *map(diff_line, rows), BLANK]


def content_of(resource: Resource) -> str | None:
    """Return the content parameter of a file, None if it has none or it is sensitive."""
    content = resource.shown_parameters().get("content")
    return content if isinstance(content, str) and resource.type == "File" else None


def text_diff(old: object, new: object) -> Iterator[str]:
    """Yield the diff of two values."""
    one, other = (str(value) if value is not None else "" for value in (old, new))
    if "\n" not in one and "\n" not in other:
        yield f"-{one}"
        yield f"+{other}"
        return
    found = difflib.unified_diff(one.split("\n"), other.split("\n"), lineterm="", n=2)
    yield from (row for row in found if not row.startswith(("---", "+++")))


def diff_line(row: str) -> Line:
    """Return a line of a diff in its colour."""
    style = {"+": "added", "-": "removed", "@": "place"}.get(row[:1], "")
    return line(("  " + printable(row), style))


def planned(subject: DetailSubject) -> list[Line]:
    """Return the changes that a step would make now, as far as the kind of run knows them."""
    from analyzer.apply.provider import ProviderError, UnsuitableError

    timeline = subject.timeline
    resource = timeline.graph.resource(subject.node)
    if resource is None or timeline.state.statuses[subject.node] is not None:
        return []
    try:
        state = timeline.world.retrieve(resource, timeline.state.values[subject.node])
        plan = timeline.world.plan(resource, state)
    except (ProviderError, UnsuitableError, OSError) as error:
        return [line(("unknown: ", "dim"), printable(str(error)))]

    rows = [
        row
        for change in plan.changes
        for row in event_diff(subject, event_of(change, "noop", change.message))
    ]
    return [line(("if its turn came now", "title")), *rows] if rows else []


def source(subject: DetailSubject) -> Shown:
    """Return the manifest at the line of its declaration."""
    span = subject.resource.span
    if span is None:
        return Shown([line(("the catalog has no source position for it", "dim"))])
    place = line((f"{subject.texts.short(span.file)}:{span.line}", "place"))
    found = subject.texts.get(span.file)
    if isinstance(found, NoSource):
        return Shown([place, *(line((text, "dim")) for text in missing_lines(found))])
    rows, top = code_lines(found, span.line)
    return Shown([place, BLANK, *rows], top=top + 2)


def code_lines(source: SourceText, marked: int) -> tuple[list[Line], int]:
    """Return the numbered lines of a file around a marked one, and the index of that one."""
    first = max(0, marked - MOST // 2)
    rows = source.text.split("\n")[first : first + MOST]
    lines = [code_line(n, row, n == marked) for n, row in enumerate(rows, first + 1)]
    return lines, max(0, marked - 1 - first)


def code_line(number: int, text: str, is_marked: bool) -> Line:
    """Return one line with its number."""
    sign, style = (LOOKS["next"].glyph, "strong") if is_marked else (" ", "")
    head = Piece(f"{sign}{number:>5} ", "next" if is_marked else "faint")
    return (head, Piece(printable(text), style))


# id: (title, function that returns its lines)
TABS: dict[str, tuple[str, Callable[[DetailSubject], Shown]]] = {
    "parameters": ("Parameters", parameters),
    "edges": ("Edges", edges),
    "events": ("Events", events),
    "diff": ("Diff", diff),
    "source": ("Source", source),
}
