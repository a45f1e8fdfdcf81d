"""The functions of the actions and typed commands that no screen carries out by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.keys.typed_commands import TYPED_COMMANDS, TypedCommand
from tui.present.exports import FORMATS
from tui.project.project import OpenRequest
from tui.screens import app_dialogs, other_programs, run_dialogs, start_dialogs

if TYPE_CHECKING:
    from tui.keys.context import KeyContext


def select_container(context: KeyContext) -> None:
    """Select the container of the selection."""
    controller = context.controller
    node = controller.selected_node
    parent = None if node is None else controller.timeline.graph.parent(node)
    if parent is None:
        controller.notify(f"{controller.selection} has no container")
    else:
        controller.select_node(parent, "container")


def select_last(context: KeyContext) -> None:
    """Select the resource of the last step."""
    controller = context.controller
    controller.select_node(controller.story.nodes[controller.timeline.position], "last")


HANDLERS: dict[str, Callable[[KeyContext], None]] = {
    "next-mark": lambda context: run_dialogs.go_to_mark(context, back=False),
    "previous-mark": lambda context: run_dialogs.go_to_mark(context, back=True),
    "go-to": run_dialogs.go_to,
    "stop": lambda context: context.runner.stop(),
    "break": run_dialogs.toggle_break,
    "breakpoints": run_dialogs.breakpoints,
    "inject": run_dialogs.inject,
    "kind": start_dialogs.choose_kind,
    "branches": run_dialogs.switch_branch,
    "compare": run_dialogs.compare,
    "why": run_dialogs.why,
    "select-next": lambda context: context.controller.select(context.controller.next_ref, "next"),
    "select-last": select_last,
    "select-container": select_container,
    "earlier": lambda context: context.controller.revisit(back=True),
    "later": lambda context: context.controller.revisit(back=False),
    "export": app_dialogs.export,
    "copy": other_programs.copy,
    "edit": other_programs.open_editor,
    "page": other_programs.open_page,
    "open": app_dialogs.open_input,
    "theme": app_dialogs.theme,
    "tour": app_dialogs.tour,
    "tour-broken": app_dialogs.tour_broken,
    "interrupt": lambda context: context.runner.interrupt(),
    "suspend": start_dialogs.suspend,
    "quit": start_dialogs.leave,
}


def open_path(context: KeyContext, path: str) -> None:
    """Open an input."""
    if path and not context.is_refused():
        context.open(OpenRequest(path, context.options))
    elif not path:
        app_dialogs.open_input(context)


def copy_cycle(context: KeyContext, number: str) -> None:
    """Copy a cycle as Markdown."""
    other_programs.copy_cycle(context, int(number) if number.isdigit() else 1)


def set_theme(context: KeyContext, name: str) -> None:
    """Choose the theme."""
    if name in ("light", "dark"):
        context.app.theme = f"catgraph-{name}"
    else:
        app_dialogs.theme(context)


def start_kind(context: KeyContext, kind: str) -> None:
    """Start a run of a kind."""
    if kind:
        start_dialogs.start_kind(context, kind)
    else:
        start_dialogs.choose_kind(context)


COMMANDS: dict[str, TypedCommand] = TYPED_COMMANDS | {
    "open": TypedCommand("PATH", "open a catalog, manifests, a report, a journal", open_path),
    "export": TypedCommand("FILE", f"export as {', '.join(FORMATS)}", app_dialogs.export_to),
    "copy": TypedCommand("[N]", "copy the n-th cycle as Markdown", copy_cycle),
    "kind": TypedCommand("simulated|host|real", "start a run of another kind", start_kind),
    "theme": TypedCommand("light|dark", "choose the theme", set_theme),
}
