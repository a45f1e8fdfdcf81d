"""The methods of the actions that are about the run as a whole: going on, stopping, leaving."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from functools import partial
from inspect import GEN_RUNNING, getgeneratorstate
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from textual.app import App

from analyzer.apply.engine.commands import Command, GoTo, Pick, Restart, StepBack, Walk
from tui.present.pieces import line, printable
from tui.present.plan import plan_lines
from tui.run.controller import InHand
from tui.run.kinds import kinds_of
from tui.run.local import planned
from tui.run.messages import Told
from tui.run.threads import beside
from tui.screens.dialogs import Agree, Ask, Choice, chooser
from tui.screens.loading import Loading

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.worker import WorkType

    from tui.project.project import Project
    from tui.run.controller import Controller
    from tui.screens.base import View

Result = TypeVar("Result")

# Seconds that a run goes on by itself before the screen is drawn, and that it rests then; drawing
# takes at most one part in so many of the time.
SLICE, REST, SHARE = 0.05, 0.01, 4
# How often it is shown for how long a resource takes.
TICK = 0.25
# A process that a signal ended has this and the signal's number as its code.
BY_SIGNAL = 128


class Running(App[int]):
    """What the application does with a run."""

    controller: Controller
    # A run goes on, or a step is made, and when it is to end.
    working = False
    stop_wanted = False
    # How often it was interrupted since it began, and with which code to leave once it has ended.
    interrupts = 0
    ending: int | None = None

    if TYPE_CHECKING:

        @property
        def view(self) -> View | None:
            """The view that is up."""

    # ------------------------------------------------------------------ going on

    def carry(self, command: Command) -> None:
        """Carry out a command; in a thread where the run looks at a host and goes on."""
        if self.is_going_on():
            return
        if self.controller.kind.looks and not isinstance(command, StepBack | GoTo | Restart):
            self.begin_work(partial(self.carrying, command))
        else:
            self.controller.do(command)

    async def carrying(self, command: Command) -> None:
        """Carry out a command in a thread."""
        ref = command.ref if isinstance(command, Pick) else None
        try:
            await self.in_thread(partial(self.controller.do, command), ref)
        finally:
            self.end_work()

    def walk(self, command: Walk) -> None:
        """Let the run go on by itself; `stop` ends it."""
        if not self.is_going_on():
            self.begin_work(partial(self.walking, command))

    async def walking(self, command: Walk) -> None:
        """Go on step by step, and let the screen be drawn now and then."""
        steps = self.controller.walk(command)
        looks = self.controller.kind.looks
        on = partial(next, steps, None)
        until = monotonic() + SLICE
        try:
            while not self.stop_wanted:
                at = await self.in_thread(on) if looks else on()
                if at is None:
                    return
                if looks or monotonic() > until:
                    drawn = monotonic()
                    self.controller.run_changed()
                    await asyncio.sleep(REST)
                    seconds = monotonic() - drawn
                    until = monotonic() + max(SLICE, SHARE * seconds)
        finally:
            # Whoever leaves at once leaves the thread in the midst of a step.
            if getgeneratorstate(steps) != GEN_RUNNING:
                steps.close()
            self.end_work()

    def begin_work(self, work: WorkType[None]) -> None:
        """Begin what goes on by itself."""
        self.working, self.stop_wanted, self.interrupts = True, False, 0
        self.run_worker(work, group="run")

    def end_work(self) -> None:
        """End what went on by itself, and leave if that was wished for meanwhile."""
        self.working = False
        if self.ending is not None:
            self.exit(return_code=self.ending)

    async def in_thread(self, work: Callable[[], Result], ref: str | None = None) -> Result:
        """Do some work on a resource in a thread, and show for how long; None: the next one."""
        controller = self.controller
        controller.in_hand = InHand(ref or str(controller.next_ref or ""), monotonic())
        tick = self.set_interval(TICK, self.show_in_hand)
        try:
            return await beside(work)
        finally:
            tick.stop()
            controller.in_hand = None

    def show_in_hand(self) -> None:
        """Show which resource is in hand."""
        if self.view is not None:
            self.view.show_bars()

    def is_going_on(self) -> bool:
        """Tell whether a run goes on by itself, and say so."""
        if self.working:
            self.controller.tell(Told("the run is going on: esc stops it", "warning"))
        return self.working

    # ------------------------------------------------------------------ stopping

    def do_stop(self) -> None:
        """Stop a run that goes on by itself."""
        self.stop_wanted = True
        hand = self.controller.in_hand
        if hand is not None and self.controller.kind.changes:
            words = f"the run stops after {printable(hand.ref)}; ^c twice ends it at once"
            self.controller.tell(Told(words, "warning"))

    def do_interrupt(self) -> None:
        """Stop a run; once more ends what is in hand, and leaves."""
        if not self.working:
            self.controller.tell(Told("nothing is going on: 'q' leaves"))
            return
        self.interrupts += 1
        if self.interrupts > 1 and self.controller.kind.changes:
            self.leave_at_once(BY_SIGNAL + signal.SIGINT)
            return
        self.stop_wanted = True
        if self.controller.kind.changes:
            words = "the run stops after the resource in hand; once more ends it at once"
            self.controller.tell(Told(words, "warning"))

    def leave_at_once(self, code: int) -> None:
        """End the command that a resource runs, and leave."""
        from analyzer.apply.providers.machine.commands import end_running

        end_running()
        self.exit(return_code=code)

    def on_signal(self, number: int) -> None:
        """Do as a signal says: a real run ends after the resource in hand, the second time now."""
        if self.ending is not None:
            self.leave_at_once(self.ending)
        elif self.working and self.controller.kind.changes:
            self.ending, self.stop_wanted = BY_SIGNAL + number, True
        else:
            self.exit(return_code=BY_SIGNAL + number)

    # ------------------------------------------------------------------ kinds of run

    def do_kind(self) -> None:
        """Choose another kind of run."""
        if self.controller.project is None:
            return
        choices = [
            Choice(line((f"{kind.title:<24}", "strong"), (kind.help, "dim")), kind.id)
            for kind in kinds_of(self.controller.project)
        ]
        self.push_screen(chooser("Begin a run", choices), self.begin)

    def begin(self, kind: str | None) -> None:
        """Begin a run of a kind; a real one is planned and confirmed before."""
        project = self.controller.project
        if not kind or project is None or self.is_going_on():
            return
        if kind not in {one.id for one in kinds_of(project)}:
            known = ", ".join(one.id for one in kinds_of(project))
            self.controller.tell(Told(f"a run of this is {known}: not {kind}", "warning"))
        elif kind == "real":
            loading = Loading("", f"Looking at {socket.gethostname()}")
            loading.doing = "what a real run would change"
            self.push_screen(loading)
            work: WorkType[None] = partial(self.planning, project, loading)
            self.run_worker(work, group="run")
        else:
            self.start(kind)

    def start(self, kind: str) -> None:
        """Begin a run; what hinders it is told."""
        from analyzer.apply.journals.state_folder import BusyError

        try:
            self.controller.start(kind)
        except (BusyError, OSError) as error:
            self.controller.tell(Told(str(error), "error"))
        if self.controller.held is not None:
            self.controller.tell(Told(f"journal: {self.controller.held.journal}"))

    async def planning(self, project: Project, loading: Loading) -> None:
        """Look at this machine, show what a real run would do, and ask for the word."""
        lines = await beside(lambda: plan_lines(planned(project)))
        if not loading.is_current:
            return
        loading.dismiss(None)
        title = f"What a real run would do to {socket.gethostname()}"
        self.push_screen(Agree(title, lines), self.confirm)

    def confirm(self, agreed: str | None) -> None:
        """Let a real run begin only when its plan is agreed to and the machine's name typed."""
        if not agreed:
            return
        name = socket.gethostname()

        def check(text: str) -> str:
            return "" if text.strip() == name else f"that is not '{name}': esc cancels"

        def go(text: str | None) -> None:
            if text is not None:
                self.start("real")

        words = f"Each step will change this machine. Type its name, {name}, to begin."
        self.push_screen(Ask("A real run", words, check=check, danger=True), go)

    # ------------------------------------------------------------------ leaving

    def do_quit(self) -> None:
        """Leave; a real run that is not at its end is not left by one key."""
        controller = self.controller
        if controller.project is None or not controller.kind.changes:
            self.exit()
        elif self.working:
            self.stop_wanted = True
            words = "this machine is being changed: the run stops after the resource in hand"
            controller.tell(Told(words, "warning"))
        elif len(controller.timeline) and controller.timeline.head.phase == "running":
            choices = [Choice(line("stay"), False), Choice(line("leave: what is done stays"), True)]
            self.push_screen(chooser("The real run is not at its end", choices), self.leave)
        else:
            self.exit()

    def leave(self, wanted: bool | None) -> None:
        """Leave if that is wanted."""
        if wanted:
            self.exit()

    def do_suspend(self) -> None:
        """Go back to the shell for a while; not in the midst of a change."""
        why = ""
        if self.working and self.controller.kind.changes:
            why = "this machine is being changed: ^c stops the run first"
        elif self.is_headless or self.is_web or not has_shell():
            why = "there is no shell to go back to"
        if why:
            self.controller.tell(Told(why, "warning"))
        else:
            self.action_suspend_process()


def has_shell() -> bool:
    """Tell whether we were started by a shell with job control, which lets us go on later."""
    return hasattr(os, "getsid") and os.getpgid(os.getsid(0)) != os.getpgrp()
