"""Starts a run of another kind, plans and confirms a real run, and leaves the application."""

from __future__ import annotations

import os
import socket
from functools import partial
from typing import TYPE_CHECKING

from analyzer.model.completeness import REFUSED_RUN
from tui.present.pieces import DialogChoice, line
from tui.present.plan import plan_lines
from tui.run.local import planned_run
from tui.run.run_kinds import RUN_KINDS, kinds_of
from tui.run.threads import in_thread
from tui.screens.dialogs import Agree, Ask, chooser
from tui.screens.loading import Loading

if TYPE_CHECKING:
    from textual.worker import WorkType

    from tui.keys.context import KeyContext
    from tui.project.project import Project


def choose_kind(context: KeyContext) -> None:
    """Ask for a kind of run, and start it."""
    if context.controller.project is None:
        return
    choices = [
        DialogChoice(line((f"{kind.title:<24}", "strong"), (kind.help, "dim")), kind.id)
        for kind in kinds_of(context.controller.project)
    ]
    context.app.push_screen(chooser("Start a run", choices), partial(start_kind, context))


def start_kind(context: KeyContext, kind: str | None) -> None:
    """Start a run of a kind; a real one shows its plan first, and needs a confirmation."""
    project = context.controller.project
    if not kind or project is None or context.runner.is_busy():
        return
    kinds = [one.id for one in kinds_of(project)]
    if kind not in kinds:
        message = f"you cannot start a run of kind '{kind}' here: use {' or '.join(kinds)}"
        context.controller.notify(message, "warning")
    elif RUN_KINDS[kind].looks and context.is_refused():
        return
    elif kind != "real":
        start(context, kind)
    elif is_refused(context, project):
        context.controller.notify(REFUSED_RUN, "error")
    else:
        loading = Loading("", f"Planning a real run on {socket.gethostname()}")
        loading.stage = "comparing this host with the catalog"
        context.app.push_screen(loading)
        work: WorkType[None] = partial(plan, context, project, loading)
        context.app.run_worker(work, group="run")


def is_refused(context: KeyContext, project: Project) -> bool:
    """Return whether too much of a catalog is unknown to apply it to a host."""
    hides = any(gap.hides for gap in project.graph.gaps)
    return hides and not context.options.get("allow_incomplete")


def start(context: KeyContext, kind: str) -> None:
    """Start a run, with a notice if it cannot start."""
    from analyzer.apply.journals.state_folder import BusyError

    controller = context.controller
    try:
        controller.start(kind)
    except (BusyError, OSError) as error:
        controller.notify(str(error), "error")
    if controller.real_run is not None:
        controller.notify(f"journal: {controller.real_run.journal}")


async def plan(context: KeyContext, project: Project, loading: Loading) -> None:
    """Plan a real run, show the plan, and ask for confirmation."""
    lines = await in_thread(lambda: plan_lines(planned_run(project)))
    if not loading.is_current:
        return
    loading.dismiss(None)
    title = f"Plan of a real run on {socket.gethostname()}"
    context.app.push_screen(Agree(title, lines), partial(confirm, context))


def confirm(context: KeyContext, agreed: str | None) -> None:
    """Start a real run once its plan is agreed to and the host's name is typed."""
    if not agreed:
        return
    name = socket.gethostname()

    def check(text: str) -> str:
        return "" if text.strip() == name else f"that is not '{name}': press esc to cancel"

    def go(text: str | None) -> None:
        if text is not None:
            start(context, "real")

    words = f"Each step changes this host. Type its name, {name}, to start the run."
    context.app.push_screen(Ask("Real run", words, check=check, danger=True), go)


# ------------------------------------------------------------------ leaving


def leave(context: KeyContext) -> None:
    """Exit; ask first in the middle of a real run."""
    controller = context.controller
    if controller.project is None or not controller.kind.changes:
        context.app.exit()
    elif context.runner.working:
        context.runner.stop_changing()
    elif len(controller.timeline) and controller.timeline.head.phase == "running":
        choices = [
            DialogChoice(line("stay"), False),
            DialogChoice(line("quit: the changes made so far stay"), True),
        ]

        def chosen(wanted: bool | None) -> None:
            if wanted:
                context.app.exit()

        context.app.push_screen(chooser("The real run has not ended", choices), chosen)
    else:
        context.app.exit()


def suspend(context: KeyContext) -> None:
    """Return to the shell until 'fg', but not in the middle of a change."""
    why = ""
    if context.runner.is_changing:
        why = "a real run is in progress: press ^c to stop it first"
    elif context.app.is_headless or context.app.is_web or not has_shell():
        why = "there is no shell to return to"
    if why:
        context.controller.notify(why, "warning")
    else:
        context.app.action_suspend_process()


def has_shell() -> bool:
    """Return whether a shell with job control started us, so that 'fg' can continue us."""
    return hasattr(os, "getsid") and os.getpgid(os.getsid(0)) != os.getpgrp()
