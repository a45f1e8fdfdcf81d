"""The dialogs about a run: go to a step, inject an outcome, breakpoints, why, branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import GoTo, Inject
from analyzer.apply.engine.events import Outcome
from analyzer.frontends.source_texts import Texts
from analyzer.model.nouns import counted
from tui.present.compare import compare_lines
from tui.present.detail import presence_lines
from tui.present.glyphs import BREAK, LOOKS
from tui.present.pieces import BLANK, DialogChoice, line, printable
from tui.present.waiting import why as why_lines
from tui.run.agent_timeline import AgentTimeline
from tui.screens.dialogs import Ask, Reader, chooser

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.keys.context import KeyContext
    from tui.run.branch import Branch

INJECTIONS: tuple[tuple[str, Outcome], ...] = (
    ("applying it fails", Outcome("fail")),
    ("its refresh fails", Outcome("", "fail")),
    ("it changes", Outcome("change")),
    ("it is in sync: nothing to change", Outcome("ok")),
    ("its provider does not work on this host", Outcome("unsuitable")),
    ("no injected outcome", Outcome()),
)
AGENT_INJECTIONS: tuple[tuple[str, Outcome], ...] = (
    ("it is not kept", Outcome("fail")),
    ("it is repaired", Outcome("change")),
    ("it is kept", Outcome("ok")),
)
BREAK_HELP = """Type[title]      before a resource; of a class, before its first resource
type Service     before every resource of a type
tag web          before every resource with a tag
site.pp:12       before the resources declared there
failure, first failure, refresh, change, noop, skip
with a condition: if failed > 2   (changed, events, failed, ready, restarted, skipped, step)"""


# ------------------------------------------------------------------ going to a step


def go_to(context: KeyContext, suggested: str = "") -> None:
    """Ask for a step, and go there."""
    timeline = context.controller.timeline

    def check(text: str) -> str:
        known = text.strip().isdigit() and int(text) <= len(timeline)
        return "" if known else f"type a number from 0 to {len(timeline):,}"

    def go(text: str | None) -> None:
        if text is not None:
            go_to_step(context, int(text))

    text = f"The run has {counted(len(timeline), 'step')} so far."
    context.app.push_screen(Ask("Go to step", text, suggested, check), go)


def go_to_step(context: KeyContext, step: int) -> None:
    """Go to a step that was made, and select its resource."""
    controller = context.controller
    if context.runner.working:
        context.runner.is_busy()
        return
    context.runner.carry_out(GoTo(step))
    if controller.timeline.position == step:
        controller.select_node(controller.story.nodes[step], "run")


def go_to_mark(context: KeyContext, *, back: bool) -> None:
    """Go to the nearest step with a failure, refresh or skip."""
    controller = context.controller
    step = controller.story.marks(controller.timeline.position, back=back)
    if step is None:
        where = "before" if back else "after"
        controller.notify(f"no {controller.story.MARKS} {where} this step")
    else:
        go_to_step(context, step)


# ------------------------------------------------------------------ steering


def inject(context: KeyContext) -> None:
    """Ask for an outcome of the selection, and inject it."""
    is_policy = isinstance(context.controller.timeline, AgentTimeline)
    rows = AGENT_INJECTIONS if is_policy else INJECTIONS
    choices = [DialogChoice(line(text), outcome) for text, outcome in rows]
    ref = str(context.controller.selection)

    def chosen(outcome: Outcome | None) -> None:
        if outcome is not None:
            context.runner.carry_out(Inject(ref, outcome))

    context.app.push_screen(chooser(f"Inject an outcome of {printable(ref)}", choices), chosen)


def toggle_break(context: KeyContext) -> None:
    """Set or remove a breakpoint on the selection."""
    ref = str(context.controller.selection)
    is_set = context.controller.toggle_stop(ref)
    context.controller.notify(f"{'set' if is_set else 'removed'} the breakpoint on {ref}")


def breakpoints(context: KeyContext) -> None:
    """Show the breakpoints: enter removes one, the first line adds one."""
    controller = context.controller
    choices = [DialogChoice(line(("add a breakpoint ...", "accent")), "")]
    for row in controller.stops:
        choices.append(
            DialogChoice(line((f"{BREAK} ", "breakpoint"), printable(row.text)), row.text)
        )

    def chosen(text: str | None) -> None:
        if text:
            controller.toggle_stop(text)
        elif text == "":
            ask_breakpoint(context)

    context.app.push_screen(chooser("Breakpoints (enter removes one)", choices), chosen)


def ask_breakpoint(context: KeyContext) -> None:
    """Ask for a breakpoint, and add it."""
    from analyzer.apply.breakpoints import parse
    from analyzer.apply.engine.commands import CommandError

    controller = context.controller

    def check(text: str) -> str:
        try:
            parse(text, controller.timeline.graph)
        except CommandError as error:
            return str(error)
        return ""

    def add(text: str | None) -> None:
        if text:
            controller.toggle_stop(text.strip())

    ask = Ask("Add a breakpoint", BREAK_HELP, str(controller.selection), check)
    context.app.push_screen(ask, add)


# ------------------------------------------------------------------ asking


def why(context: KeyContext) -> None:
    """Show the outcome of the selection, and the reason for its place in the order."""
    controller = context.controller
    node = controller.selected_node
    if node is None:
        return
    timeline = controller.timeline
    if isinstance(timeline, AgentTimeline):
        from tui.present import policy_detail

        lines = policy_detail.why(timeline, node)
    else:
        lines = why_lines(timeline, controller.story, controller.edges, node)
        origin = controller.origins.get(str(controller.selection))
        if origin is not None and controller.project is not None:
            lines = [*lines, BLANK, *presence_lines(origin, Texts(controller.project.path))]
    context.app.push_screen(Reader(f"Why {printable(str(controller.selection))}", lines))


# ------------------------------------------------------------------ branches


def switch_branch(context: KeyContext) -> None:
    """Choose the branch of the run to show."""
    choose_branch(context, "Branches", context.controller.branches, context.controller.switch)


def choose_branch(
    context: KeyContext, title: str, branches: list[Branch], then: Callable[[Branch], None]
) -> None:
    """Ask for one of some branches."""
    choices = []
    for branch in branches:
        sign = LOOKS["next"].glyph if branch is context.controller.branch else " "
        since = f"from step {branch.since}: {branch.reason}" if branch.reason else ""
        text = f"  {counted(len(branch.timeline), 'step')}, {branch.timeline.status}  "
        row = line(f"{sign} ", (branch.name, "strong"), text, (printable(since), "dim"))
        choices.append(DialogChoice(row, branch))

    def chosen(branch: Branch | None) -> None:
        if branch is not None and not context.runner.is_busy():
            then(branch)

    context.app.push_screen(chooser(title, choices), chosen)


def compare(context: KeyContext) -> None:
    """Compare this branch with another one, both at their ends."""
    controller = context.controller

    def show(other: Branch) -> None:
        lines, refs = compare_lines(other, controller.branch)

        def follow(ref: str | None) -> None:
            if ref:
                controller.select(ref, "compare")

        title = f"{other.name} and {controller.branch.name}"
        context.app.push_screen(Reader(title, lines, refs), follow)

    others = [one for one in controller.branches if one is not controller.branch]
    if len(others) == 1:
        show(others[0])
    else:
        choose_branch(context, "Compare with", others, show)
