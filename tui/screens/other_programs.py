"""Passes the content of a screen to another program: copy, edit, open in a browser."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from textual.app import SuspendNotSupported

from analyzer.frontends.source_texts import SourceText, Texts
from tui.present import exports
from tui.present.commands import command_of
from tui.present.pieces import DialogChoice, line, printable
from tui.run.editor import edit
from tui.screens.dialogs import chooser

if TYPE_CHECKING:
    from typing import Any

    from analyzer.source import Span
    from tui.keys.context import KeyContext

LONGEST = 60


def asked(context: KeyContext, name: str) -> Any:
    """Return the first answer to a method, from the focused widget outwards to the screen."""
    at: Any = context.app.screen.focused or context.app.screen
    while at is not None:
        method = getattr(at, name, None)
        found = method() if method else None
        if found is not None:
            return found
        at = at.parent
    return None


def place_of(context: KeyContext) -> Span | None:
    """Return the place of the statement under the cursor, else of the selection."""
    found: Span | None = asked(context, "statement_place")
    node = context.controller.selected_node
    if found is not None or node is None:
        return found
    resource = context.controller.timeline.graph.resource(node)
    return resource.span if resource is not None else None


# ------------------------------------------------------------------ copying


def copies(context: KeyContext) -> Iterator[tuple[str, str]]:
    """Yield the texts that can be copied, each with its name."""
    controller = context.controller
    if controller.selection is not None:
        yield "reference", str(controller.selection)
    place = place_of(context)
    project = controller.project
    if place is not None:
        yield "place", f"{place.file}:{place.line}"
        text = Texts(project.path if project else "").line(place).strip()
        if text:
            yield "line", text
    view = asked(context, "command_name")
    command = command_of(view, controller, context.options)
    if command:
        yield "command", command
    special: tuple[str, str] | None = asked(context, "special_copy")
    if special is not None:
        yield special
    elif project is not None and controller.selection is not None:
        yield "Markdown", exports.cycles_markdown(controller)


def copy(context: KeyContext) -> None:
    """Ask for a text to copy to the clipboard (OSC 52)."""
    choices = [
        DialogChoice(
            line((f"{name:<18}", "strong"), (printable(text.strip()[:LONGEST]), "dim")),
            (name, text),
        )
        for name, text in copies(context)
    ]

    def chosen(choice: tuple[str, str] | None) -> None:
        if choice is not None:
            put(context, *choice)

    if choices:
        context.app.push_screen(chooser("Copy", choices), chosen)
    else:
        context.controller.notify("there is nothing to copy here", "warning")


def put(context: KeyContext, name: str, text: str) -> None:
    """Copy a text to the clipboard."""
    context.app.copy_to_clipboard(text)
    first = printable(text.strip().split("\n")[0].lstrip("# "))
    context.controller.notify(f"copied the {name}: {first}")


def copy_cycle(context: KeyContext, number: int = 1) -> None:
    """Copy a cycle, or else the selection, as Markdown."""
    try:
        put(context, "Markdown", exports.cycles_markdown(context.controller, number))
    except exports.ExportError as error:
        context.controller.notify(str(error), "warning")


# ------------------------------------------------------------------ editing


def open_editor(context: KeyContext) -> None:
    """Open $EDITOR at the statement; the screens come back when it ends."""
    controller, project = context.controller, context.controller.project
    place = place_of(context)
    if context.is_refused():
        return
    if context.runner.working:
        why = "the run is in progress: esc stops it"
    elif place is None or not place.line or project is None:
        why = f"the place of {controller.selection} is not known"
    else:
        found = Texts(project.path).get(place.file)
        if isinstance(found, SourceText):
            edit_at(context, found.path, place.line)
            return
        why = f"{place.file}: {found.why}"
    controller.notify(why, "warning")


def edit_at(context: KeyContext, path: str, row: int) -> None:
    """Open $EDITOR at a line of a file."""
    notify = context.controller.notify
    before = os.stat(path).st_mtime_ns
    try:
        with context.app.suspend():
            code = edit(path, row)
    except SuspendNotSupported:
        notify("an editor needs a terminal", "warning")
        return
    except (OSError, ValueError) as error:
        notify(f"cannot start the editor: {error}; set $EDITOR", "error")
        return
    project = context.controller.project
    if code:
        notify(f"the editor ended with exit code {code}", "warning")
    elif project is not None and os.path.exists(path) and os.stat(path).st_mtime_ns != before:
        notify(f"{path} was changed; ':open {project.path}' reads it again")


# ------------------------------------------------------------------ the graph page


def open_page(context: KeyContext) -> None:
    """Write the graph page of the selection to a temporary file, and open it in the browser."""
    controller = context.controller
    if context.is_refused():
        return
    try:
        data = exports.html(controller)
        with tempfile.NamedTemporaryFile(prefix="catgraph-", suffix=".html", delete=False) as file:
            file.write(data)
    except (exports.ExportError, OSError) as error:
        controller.notify(str(error), "error")
        return
    if has_browser():
        webbrowser.open(
            f"file://{quote(file.name)}#ref={quote(str(controller.selection), safe='')}"
        )
        controller.notify(f"opened {file.name} in the browser")
    else:
        controller.notify(f"there is no browser here; the page is {file.name}", "warning")


def has_browser() -> bool:
    """Return whether there is a browser that does not use this terminal."""
    try:
        found: Any = webbrowser.get()
    except webbrowser.Error:
        return False
    in_terminal = isinstance(found, webbrowser.GenericBrowser)
    return not in_terminal or isinstance(found, webbrowser.BackgroundBrowser)
