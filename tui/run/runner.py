"""Carries out commands without blocking the screens, and stops them: keys, signals, exit."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import Callable, Generator
from functools import partial
from inspect import GEN_RUNNING, getgeneratorstate
from time import monotonic
from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import Command, GoTo, Pick, Restart, StepBack, Walk
from tui.run.controller import BUSY, Applying, Controller
from tui.run.threads import in_thread

if TYPE_CHECKING:
    from textual.app import App
    from textual.worker import WorkType

# Seconds of a continuous run between two drawings, without the time to draw; the pause after a
# drawing; and the seconds after which keys are handled, as a key passes several tasks.
FRAME, REST, SLICE = 0.03, 0.005, 0.005
# Seconds between two drawings of a resource's elapsed time.
TICK = 0.15
# The most parts of the output of a running command that are kept.
MOST_PARTS = 64
# The exit code after a signal is this number plus the number of the signal.
BY_SIGNAL = 128

STOPS_AFTER = "the run stops after the current resource"


class Runner:
    """Carries out commands of one controller; `draw_progress` draws a resource's elapsed time."""

    def __init__(
        self, app: App[int], controller: Controller, draw_progress: Callable[[], None]
    ) -> None:
        self.app = app
        self.controller = controller
        self.draw_progress = draw_progress
        self.working = False
        self.stop_wanted = False
        # Interrupts since the command began, and the exit code to leave with once it has ended.
        self.interrupts = 0
        self.exit_code: int | None = None

    # ------------------------------------------------------------------ carrying out

    def carry_out(self, command: Command) -> None:
        """Carry out a command: now, or in the background if it takes time."""
        if self.is_busy():
            return
        steps = self.controller.steps(command)
        looks = self.controller.kind.looks and not isinstance(command, StepBack | GoTo | Restart)
        if looks or isinstance(command, Walk):
            self.working, self.stop_wanted, self.interrupts = True, False, 0
            ref = command.ref if isinstance(command, Pick) else ""
            work: WorkType[None] = partial(self.drive, steps, self.controller.kind.looks, ref)
            self.app.run_worker(work, group="run")
        else:
            for _ in steps:
                pass

    async def drive(self, steps: Generator[int, None, None], looks: bool, ref: str) -> None:
        """Carry out the steps of a command, and draw the screen now and then.

        The steps of a run that `looks` at the host are made in a thread.
        """
        following = partial(next, steps, None)
        stepped, looked = 0.0, monotonic()
        try:
            while not self.stop_wanted:
                at = await self.timed(following, ref) if looks else following()
                if at is None:
                    return
                seconds = monotonic() - looked
                if not looks and seconds < SLICE:
                    continue
                stepped += seconds
                if looks or stepped > FRAME:
                    self.controller.run_changed()
                    stepped = 0.0
                await asyncio.sleep(0 if stepped else REST)
                looked = monotonic()
        finally:
            # If the application exits at once, a thread may still be in the middle of a step.
            if getgeneratorstate(steps) != GEN_RUNNING:
                steps.close()
            self.working = False
            if self.exit_code is not None:
                self.app.exit(return_code=self.exit_code)

    async def timed(self, work: Callable[[], int | None], ref: str) -> int | None:
        """Make a step in a thread, and draw the elapsed time of its resource."""
        controller = self.controller
        output: deque[bytes] = deque(maxlen=MOST_PARTS)
        controller.applying = Applying(ref or str(controller.next_ref or ""), monotonic(), output)
        listen(output.append if controller.kind.changes else None)
        tick = self.app.set_interval(TICK, self.draw_progress)
        try:
            return await in_thread(work)
        finally:
            tick.stop()
            listen(None)
            controller.applying = None

    def is_busy(self) -> bool:
        """Return whether a command is running, with a notice if one is."""
        if self.working:
            self.controller.notify(BUSY, "warning")
        return self.working

    @property
    def is_changing(self) -> bool:
        """Return whether a real run is in progress."""
        return self.working and self.controller.kind.changes

    # ------------------------------------------------------------------ stopping

    def stop(self) -> None:
        """Stop the current run."""
        self.stop_wanted = True
        applying = self.controller.applying
        if applying is not None and self.controller.kind.changes:
            self.controller.notify(
                f"the run stops after {applying.ref}; press ^c twice to stop it at once", "warning"
            )

    def interrupt(self) -> None:
        """Stop a run; the second time, end the current command of a real run, and exit."""
        if not self.working:
            self.controller.notify("no run is in progress: press 'q' to quit")
            return
        self.interrupts += 1
        if self.interrupts > 1 and self.controller.kind.changes:
            self.exit_at_once(BY_SIGNAL + signal.SIGINT)
            return
        self.stop_wanted = True
        if self.controller.kind.changes:
            self.controller.notify(f"{STOPS_AFTER}; press ^c again to stop it at once", "warning")

    def stop_changing(self) -> None:
        """Stop a real run after the current resource, instead of leaving it."""
        self.stop_wanted = True
        self.controller.notify(f"a real run is in progress: {STOPS_AFTER}", "warning")

    def exit_at_once(self, code: int) -> None:
        """End the running command of a resource, and exit."""
        from analyzer.apply.providers.machine.commands import end_running

        end_running()
        self.app.exit(return_code=code)

    def on_signal(self, number: int) -> None:
        """Exit; a real run ends after the current resource, or at once on the second signal."""
        if self.exit_code is not None:
            self.exit_at_once(self.exit_code)
        elif self.is_changing:
            self.exit_code, self.stop_wanted = BY_SIGNAL + number, True
        else:
            self.app.exit(return_code=BY_SIGNAL + number)


def listen(listener: Callable[[bytes], object] | None) -> None:
    """Pass the output of running commands to a listener, if there is one."""
    from analyzer.apply.providers.machine.commands import listen_to_output

    listen_to_output(listener)
