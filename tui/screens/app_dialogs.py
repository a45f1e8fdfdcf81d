"""Open, export, copy, tour and theme: the actions that every screen has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tui.keys.tour import BROKEN, STOPS, Tour, TourStop
from tui.present import exports
from tui.present.pieces import DialogChoice, line
from tui.project.project import OpenRequest
from tui.project.samples import BROKEN_TOUR, TOUR, sample, samples
from tui.screens.dialogs import Ask, chooser

if TYPE_CHECKING:
    from tui.keys.context import KeyContext


def open_input(context: KeyContext) -> None:
    """Ask for a sample or a path, and open it."""
    if context.is_refused():
        return
    choices = [DialogChoice(line(("a path ...", "accent")), "")]
    choices += [
        DialogChoice(line((f"{one.name:<32}", "strong"), (one.shows, "dim")), one.path)
        for one in samples()
    ]

    def chosen(path: str | None) -> None:
        if path:
            context.open(OpenRequest(path, context.options))
        elif path == "":
            ask_path(context)

    context.app.push_screen(chooser("Open", choices, typing=True), chosen)


def ask_path(context: KeyContext) -> None:
    """Ask for a path, and open it."""

    def check(text: str) -> str:
        exists = os.path.exists(os.path.expanduser(text.strip()))
        return "" if text.strip() and exists else "no such file or folder"

    def go(text: str | None) -> None:
        if text:
            context.open(OpenRequest(os.path.expanduser(text.strip()), context.options))

    words = "Type the path of a catalog, manifests, a control repo, a report, a journal or a policy"
    context.app.push_screen(Ask("Open", f"{words} (.cf).", check=check), go)


def export(context: KeyContext) -> None:
    """Ask for a format and a file, and write it."""
    if context.is_refused():
        return
    choices = [
        DialogChoice(line((f".{ending:<6}", "strong"), (contents, "dim")), ending)
        for ending, (contents, _) in exports.FORMATS.items()
    ]

    def write(path: str | None) -> None:
        export_to(context, path or "")

    def chosen(ending: str | None) -> None:
        if ending:
            ask = Ask("Export", "Type the name of the file to write.", f"catgraph.{ending}")
            context.app.push_screen(ask, write)

    context.app.push_screen(chooser("Export", choices), chosen)


def export_to(context: KeyContext, path: str) -> None:
    """Write a file, if one is named."""
    if not path or context.is_refused():
        return
    try:
        exports.export(context.controller, path)
    except exports.ExportError as error:
        context.controller.notify(str(error), "error")
    else:
        context.controller.notify(f"wrote {path}")


def theme(context: KeyContext) -> None:
    """Switch between the light and the dark theme."""
    dark = context.app.theme == "catgraph-dark"
    context.app.theme = "catgraph-light" if dark else "catgraph-dark"


def tour(context: KeyContext) -> None:
    """Start the tour on its sample, or end it."""
    if context.tour is not None:
        context.tour = None
        context.refresh()
        return
    start_tour(context, TOUR, STOPS)


def tour_broken(context: KeyContext) -> None:
    """Start the tour of a catalog with a cycle on its sample."""
    start_tour(context, BROKEN_TOUR, BROKEN, manifests=True)


def start_tour(
    context: KeyContext, name: str, stops: tuple[TourStop, ...], *, manifests: bool = False
) -> None:
    """Start a tour on the catalog of a sample, or on its manifests, which the linter can fix."""
    found = sample(name)
    if found is None:
        context.controller.notify("the sample catalogs are not installed", "error")
        return
    context.tour = Tour(stops)
    path = os.path.join(os.path.dirname(found.path), "manifests") if manifests else found.path
    context.open(OpenRequest(path, context.options))
