"""The tabs about a promise of CFEngine, and the answer to why it is not kept yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from analyzer.frontends.cfengine.agent.steps import bundle_name
from analyzer.frontends.cfengine.agent.why_not import why_not
from analyzer.frontends.cfengine.policy.evaluator import words
from analyzer.frontends.cfengine.policy.lookup import is_known
from analyzer.frontends.cfengine.syntax.ast import Scalar
from analyzer.frontends.cfengine.syntax.class_expressions import names, parsed
from tui.present import detail
from tui.present.detail import Shown, Subject
from tui.present.glyphs import LOOKS
from tui.present.pieces import BLANK, Line, Piece, line, printable, ref_pieces
from tui.run.agent_story import content, news
from tui.run.agent_timeline import NOT_DONE, NOT_KEPT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.steps import Step
    from analyzer.frontends.cfengine.agent.why_not import Obstacle
    from analyzer.frontends.cfengine.syntax.ast import Bundle, Value
    from tui.run.agent_timeline import AgentTimeline

# Attributes that are expressions of classes.
CONDITIONS = ("if", "ifvarclass", "unless")
# A part of a promise: its name and its lines.
Row = tuple[str, list[Line]]
NOTHING = line(("the agent has not evaluated it yet", "dim"))


def of(subject: Subject) -> AgentTimeline:
    """Return the timeline, which is an agent's."""
    return cast("AgentTimeline", subject.timeline)


def look_of(step: Step) -> str:
    """Return the name in LOOKS of an outcome."""
    if step.outcome in NOT_KEPT:
        return "failed"
    if step.outcome in NOT_DONE:
        return "skipped"
    return "changed" if step.outcome == "repaired" else "unchanged"


def head(subject: Subject) -> Line:
    """Return the promise with its outcome."""
    timeline = of(subject)
    name = ref_pieces(printable(str(subject.resource)), "strong")
    step = timeline.look_at(subject.node)
    if timeline.promise(subject.node) is None:
        return name
    if step is None:
        look = LOOKS[detail.state_of(timeline, subject.node)]
        return (Piece(f"{look.glyph} ", look.style), *name, Piece(f"  {look.word}", look.style))
    look = LOOKS[look_of(step)]
    text = f"  {step.outcome.replace('_', ' ') or 'running'} at step {step.number}"
    return (Piece(f"{look.glyph} ", look.style), *name, Piece(text, look.style))


def promise(subject: Subject) -> Shown:
    """Return the promise as written: guard, promiser, promisee, attributes."""
    timeline = of(subject)
    first = timeline.event(subject.node)
    if first is None:
        return bundle(subject)
    rows = list(written(timeline, first, timeline.look_at(subject.node)))
    width = min(max(len(name) for name, _ in rows), 18)
    lines = [
        line((f"{name if at == 0 else '':<{width}} ", "accent"), *row)
        for name, values in rows
        for at, row in enumerate(values)
    ]
    return Shown([*lines, *inside(subject)])


def written(timeline: AgentTimeline, first: Event, last: Step | None) -> Iterator[Row]:
    """Yield the parts of a promise; conditions show which of their classes are set."""
    found = first.promise
    if found.guard != "any":
        classes = class_lines(timeline, first.bundle, found.guard)
        yield "guard", [text_line(f"{found.guard}::"), *classes]
    yield "promiser", [text_line(found.promiser)]
    if last and last.event and last.event.promiser != found.promiser:
        yield "expanded", [text_line(last.event.promiser)]
    if found.promisee is not None:
        yield "promisee", value_lines(found.promisee)
    for one in found.attributes:
        is_condition = one.name in CONDITIONS and isinstance(one.value, Scalar)
        classes = class_lines(timeline, first.bundle, words(one.value) if is_condition else "")
        yield one.name, [*value_lines(one.value), *classes]


def class_lines(timeline: AgentTimeline, owner: Bundle, text: str) -> Iterator[Line]:
    """Yield which classes of an expression are set at this step, as far as that is known.

    The private classes of a bundle are known while the agent is in it.
    """
    expression, state = parsed(text), timeline.known
    at_hand = state.bundles[-1:] == (bundle_name(owner),)
    seen = state.classes | timeline.agent.hard | (state.private if at_hand else frozenset())
    space = "" if owner.namespace == "default" else f"{owner.namespace}:"
    for name in dict.fromkeys(name for name, _ in (names(expression) if expression else ())):
        if not seen.isdisjoint((name, name if ":" in name else f"{space}{name}")):
            yield line((f"{printable(name)} is set", "good"))
        elif at_hand and is_known(name):
            yield line((f"{printable(name)} is not set", "warning"))


def value_lines(value: Value) -> list[Line]:
    """Return an attribute's value, a list with an item in each line."""
    items = getattr(value, "items", None)
    values = items if isinstance(items, tuple) else (value,)
    return [text_line(words(one)) for one in values] or [line("{ }")]


def text_line(text: str) -> Line:
    """Return a text of the policy."""
    return line((printable(text), "string"))


def bundle(subject: Subject) -> Shown:
    """Return the declaration of a bundle."""
    span = subject.resource.span
    where = [line(("declared at ", "dim"), (str(span), "place"))] if span else []
    return Shown([*where, *inside(subject)])


def inside(subject: Subject) -> list[Line]:
    """Return the container of a promise or bundle."""
    container = subject.timeline.graph.parent(subject.node)
    if container is None:
        return []
    return [
        BLANK,
        line(("in ", "dim"), *ref_pieces(printable(subject.timeline.graph.names[container]))),
    ]


def looks(subject: Subject) -> Shown:
    """Return every evaluation of a promise so far: pass, outcome, log, new facts."""
    timeline = of(subject)
    lines: list[Line] = []
    for number in timeline.looks.get(subject.node, ()):
        if number <= timeline.position:
            lines += look_lines(timeline.agent.steps[number])
    return Shown(lines or [NOTHING])


def look_lines(step: Step) -> Iterator[Line]:
    """Yield one evaluation."""
    look = LOOKS[look_of(step)]
    outcome = step.outcome.replace("_", " ") or "called a bundle"
    where = f"  pass {step.pass_number}, step {step.number}"
    yield line((f"{look.glyph} {outcome}", look.style), (where, "dim"))
    for text in (step.log, *news(step)):
        if text:
            yield line("  ", printable(text))


def known(subject: Subject) -> Shown:
    """Return the classes, variables and handles that are defined at this step."""
    state = of(subject).known
    groups: tuple[tuple[str, list[str]], ...] = (
        ("classes", sorted(state.classes)),
        ("private classes of this bundle", sorted(state.private)),
        ("handles", sorted(state.handles)),
        ("variables", [f"{k} = {content(v)}" for k, v in sorted(state.variables.items())]),
    )
    opened = " > ".join(state.bundles)
    lines = [line(("in ", "dim"), opened)] if opened else []
    for title, rows in groups:
        if rows:
            lines += [BLANK] * bool(lines) + [line((title, "title"))]
            lines += [line("  ", printable(row)) for row in rows]
    return Shown(
        lines or [line(("only the host's classes are set, and no variable is defined", "dim"))]
    )


# id: (title, function that returns its lines); the ids are those of the tabs of a resource.
TABS: dict[str, tuple[str, Callable[[Subject], Shown]]] = {
    "parameters": ("Promise", promise),
    "edges": ("Edges", detail.edges),
    "events": ("Events", looks),
    "diff": ("State", known),
    "source": ("Source", detail.source),
}


# ---------------------------------------------------------------------- why


def why(timeline: AgentTimeline, node: int) -> list[Line]:
    """Return why a promise was begun at its step, or the obstacles that it waits for."""
    name = printable(timeline.graph.names[node])
    found = timeline.promise(node)
    if found is None:
        return [line((name, "strong"), " is a bundle: select one of its promises")]
    answer = why_not(timeline.agent, found, timeline.position + 1)
    if answer.step is not None:
        return was_begun(timeline.agent, name, answer.step)
    last = timeline.look_at(node)
    when = f"; last evaluated in pass {last.pass_number}, step {last.number}" if last else ""
    lines = [line((name, "strong"), f" has not begun yet{when}:"), BLANK]
    for obstacle in answer.obstacles:
        lines += obstacle_lines(obstacle)
    return lines


def was_begun(run: Run, name: str, number: int) -> list[Line]:
    """Return when a promise was begun, and the causes."""
    step = run.steps[number]
    lines = [line((name, "strong"), f" began in pass {step.pass_number}, step {number}.")]
    for cause in step.event.causes if step.event else ():
        other = run.events[cause.event]
        text = f"  {cause.kind} {cause.name}, from {other.type} '{other.promiser}'"
        lines += [
            BLANK,
            line((f"{printable(text)}", "accent"), (f"  {other.promise.span}", "place")),
        ]
    if len(lines) == 1:
        lines += [
            BLANK,
            line(("Nothing delayed it: it was evaluated in the normal order.", "dim")),
        ]
    return lines


def obstacle_lines(obstacle: Obstacle) -> Iterator[Line]:
    """Yield one obstacle."""
    look = LOOKS["next" if obstacle.kind == "turn" else "skipped"]
    yield line((f"{look.glyph} ", look.style), printable(obstacle.text))
    if obstacle.place is not None:
        yield line("    ", (str(obstacle.place), "place"))
