"""What a person does to a run: going through it, steering it, asking about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from analyzer.apply.engine.commands import (
    Back,
    Command,
    Continue,
    FinishContainer,
    GoTo,
    Inject,
    Pick,
    Restart,
    RunTo,
    SetNoop,
    Step,
    StepBack,
    Walk,
)
from analyzer.apply.engine.events import Outcome
from tui.present import policy_detail
from tui.present.glyphs import BREAK, LOOKS
from tui.present.pieces import line, printable
from tui.present.waiting import why
from tui.run.agent_timeline import AgentTimeline
from tui.run.messages import Told
from tui.screens.dialogs import Ask, Choice, Reader, chooser

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.app import CatgraphApp
    from tui.run.controller import Controller

INJECTIONS: tuple[tuple[str, Outcome], ...] = (
    ("applying it fails", Outcome("fail")),
    ("its refresh fails", Outcome("", "fail")),
    ("it changes in any case", Outcome("change")),
    ("it has nothing to change", Outcome("ok")),
    ("its provider does not work here", Outcome("unsuitable")),
    ("as it would by itself", Outcome()),
)
OUTCOMES: tuple[tuple[str, Outcome], ...] = (
    ("it is not kept", Outcome("fail")),
    ("it is repaired", Outcome("change")),
    ("it is kept", Outcome("ok")),
)
BREAK_HELP = """Type[title]      before a resource; of a class, as the run comes into it
type Service     before all of a type
tag web          before all with a tag
site.pp:12       before what is declared there
failure, first failure, refresh, change, noop, skip
and behind it:   if failed > 2   (changed, events, failed, ready, restarted, skipped, step)"""


class Stepping:
    """The methods of the actions that are about the run."""

    if TYPE_CHECKING:

        @property
        def controller(self) -> Controller:
            """What is open and selected."""

        @property
        def catgraph(self) -> CatgraphApp:
            """The application."""

    @property
    def selected(self) -> str:
        """The selected resource."""
        return str(self.controller.selection)

    def walk(self, command: Walk) -> None:
        """Go on by itself."""
        self.catgraph.walk(command)

    def carry(self, command: Command) -> None:
        """Carry out a command at once, or in a thread where the run looks at a host."""
        self.catgraph.carry(command)

    # ------------------------------------------------------------------ going through

    def do_step(self) -> None:
        """Apply the next resource."""
        self.carry(Step())

    def do_back(self) -> None:
        """Go back a step."""
        self.carry(StepBack())

    def do_over(self) -> None:
        """Go to the end of the container that the next resource is in."""
        self.walk(FinishContainer())

    def do_over_back(self) -> None:
        """Go back to where that container begins."""
        self.walk(Back(FinishContainer()))

    def do_finish(self) -> None:
        """Go to the end of the selected container."""
        self.walk(FinishContainer(self.container()))

    def do_finish_back(self) -> None:
        """Go back to where it begins."""
        self.walk(Back(FinishContainer(self.container())))

    def container(self) -> str:
        """Return the selected container, or what contains the selected resource."""
        controller = self.controller
        node = controller.selected_node
        graph = controller.timeline.graph
        if node is None or graph.resource(node) is None:
            return self.selected
        parent = graph.parent(node)
        return self.selected if parent is None else graph.names[parent]

    def do_continue(self) -> None:
        """Go on to the next breakpoint, or to the end."""
        self.walk(Continue())

    def do_continue_back(self) -> None:
        """Go back to the breakpoint before, or to the beginning."""
        self.walk(Back(Continue()))

    def do_run_to(self) -> None:
        """Go on until the selection is next."""
        self.walk(RunTo(self.selected))

    def do_run_back_to(self) -> None:
        """Go back until the selection is next."""
        self.walk(Back(RunTo(self.selected)))

    def do_head(self) -> None:
        """Go to the last step that is known."""
        self.carry(GoTo(len(self.controller.timeline)))

    def do_restart(self) -> None:
        """Go to the beginning."""
        self.carry(Restart())

    def do_next_mark(self) -> None:
        """Go to the next failure, refresh or skip that is known."""
        self.go_to_mark(back=False)

    def do_previous_mark(self) -> None:
        """Go to the one before."""
        self.go_to_mark(back=True)

    def go_to_mark(self, *, back: bool) -> None:
        """Go to the nearest mark in a direction."""
        controller = self.controller
        step = controller.story.marks(controller.timeline.position, back=back)
        if step is None:
            where = "before" if back else "after"
            controller.tell(Told(f"there is no {controller.story.MARKS} {where} this step"))
        else:
            self.go_to_step(step)

    def go_to_step(self, step: int) -> None:
        """Go to a step that is known; what it did is selected."""
        controller = self.controller
        if not self.catgraph.is_going_on() and controller.do(GoTo(step)):
            node = controller.story.nodes[controller.timeline.position]
            if node is not None:
                controller.select(controller.timeline.graph.refs[node], "run")

    def do_go_to(self) -> None:
        """Ask for a step."""
        timeline = self.controller.timeline

        def check(text: str) -> str:
            known = text.strip().isdigit() and int(text) <= len(timeline)
            return "" if known else f"a number from 0 to {len(timeline):,} is wanted"

        def go(text: str | None) -> None:
            if text is not None:
                self.go_to_step(int(text))

        text = f"The run is known up to step {len(timeline):,}."
        self.catgraph.push_screen(Ask("Go to a step", text, self.step_here, check), go)

    @property
    def step_here(self) -> str:
        """The step that the line under the cursor is about, empty if it is about none."""
        return ""

    # ------------------------------------------------------------------ choosing

    def do_select_next(self) -> None:
        """Select what is next."""
        self.controller.select(self.controller.next_ref, "next")

    def do_select_last(self) -> None:
        """Select what was done last."""
        controller = self.controller
        node = controller.story.nodes[controller.timeline.position]
        if node is not None:
            controller.select(controller.timeline.graph.refs[node], "last")

    # ------------------------------------------------------------------ steering

    def do_pick(self) -> None:
        """Apply the selection next, if it is ready."""
        self.carry(Pick(self.selected))

    def do_inject(self) -> None:
        """Let something else become of the selection than would."""
        is_policy = isinstance(self.controller.timeline, AgentTimeline)
        rows = OUTCOMES if is_policy else INJECTIONS
        choices = [Choice(line(text), outcome) for text, outcome in rows]
        ref = self.selected

        def inject(outcome: Outcome | None) -> None:
            if outcome is not None:
                self.carry(Inject(ref, outcome))

        title = f"What becomes of {printable(ref)}"
        self.catgraph.push_screen(chooser(title, choices), inject)

    def do_noop(self) -> None:
        """Switch noop of the selection."""
        controller = self.controller
        node = controller.selected_node
        if node is not None:
            self.carry(SetNoop(not self.is_noop(node), self.selected))

    def is_noop(self, node: int) -> bool:
        """Tell whether a resource changes nothing."""
        timeline = self.controller.timeline
        switched = timeline.state.noops or {}
        if node in switched:
            return switched[node]
        own = timeline.graph.own_noop(node)
        return switched.get(None, timeline.settings.noop) if own is None else own

    def do_noop_all(self) -> None:
        """Switch noop of the whole run."""
        timeline = self.controller.timeline
        now = (timeline.state.noops or {}).get(None, timeline.settings.noop)
        self.carry(SetNoop(not now))

    def do_break(self) -> None:
        """Set a breakpoint on the selection, or take it away."""
        ref = self.selected
        there = self.controller.toggle_stop(ref)
        self.controller.tell(Told(f"{'breakpoint on' if there else 'no breakpoint on'} {ref}"))

    def do_breakpoints(self) -> None:
        """Show the breakpoints: enter takes one away, the first line adds one."""
        controller = self.controller
        choices = [Choice(line(("add one", "accent")), "")]
        for row in controller.stops:
            choices.append(Choice(line((f"{BREAK} ", "breakpoint"), printable(row.text)), row.text))

        def chosen(text: str | None) -> None:
            if text:
                controller.toggle_stop(text)
            elif text == "":
                self.ask_breakpoint()

        title = "Breakpoints (enter takes one away)"
        self.catgraph.push_screen(chooser(title, choices), chosen)

    def ask_breakpoint(self) -> None:
        """Ask for a breakpoint as a person writes it."""
        from analyzer.apply.breakpoints import parse
        from analyzer.apply.engine.commands import CommandError

        controller = self.controller

        def check(text: str) -> str:
            try:
                parse(text, controller.timeline.graph)
            except CommandError as error:
                return str(error)
            return ""

        def add(text: str | None) -> None:
            if text:
                controller.toggle_stop(text.strip())

        self.catgraph.push_screen(Ask("Where to stop", BREAK_HELP, self.selected, check), add)

    # ------------------------------------------------------------------ asking

    def do_why(self) -> None:
        """Say why the selection is here, or not yet."""
        controller = self.controller
        node = controller.selected_node
        if node is None:
            return
        timeline = controller.timeline
        if isinstance(timeline, AgentTimeline):
            lines = policy_detail.why(timeline, node)
        else:
            lines = why(timeline, controller.story, controller.edges, node)
        self.catgraph.push_screen(Reader("Why here, why not yet", lines))

    # ------------------------------------------------------------------ branches

    def do_branches(self) -> None:
        """Choose which way of the run to go through."""
        self.choose_branch("Branches", self.controller.switch)

    def choose_branch(self, title: str, then: Callable[..., None]) -> None:
        """Let a branch be chosen."""
        controller = self.controller
        choices = []
        for branch in controller.branches:
            sign = LOOKS["next"].glyph if branch is controller.branch else " "
            since = f"since step {branch.since}: {branch.reason}" if branch.reason else ""
            text = f"  {len(branch.timeline)} steps, {branch.timeline.status}  "
            row = line(f"{sign} ", (branch.name, "strong"), text, (printable(since), "dim"))
            choices.append(Choice(row, branch))

        def chosen(branch: object) -> None:
            if branch is not None and not self.catgraph.is_going_on():
                then(branch)

        self.catgraph.push_screen(chooser(title, choices), chosen)

    def do_compare(self) -> None:
        """Compare this branch with another one, both at their ends."""
        from tui.present.compare import compare_lines
        from tui.run.branch import Branch

        controller = self.controller

        def show(other: Branch) -> None:
            lines, refs = compare_lines(other, controller.branch)

            def follow(ref: str | None) -> None:
                if ref:
                    controller.select(ref, "compare")

            title = f"{other.name} and {controller.branch.name}"
            self.catgraph.push_screen(Reader(title, lines, refs), follow)

        others = [one for one in controller.branches if one is not controller.branch]
        if len(others) == 1:
            show(others[0])
        else:
            self.choose_branch("Compare with", cast("Callable[..., None]", show))
