"""The line at the top: the project, the screens, and the state of the run."""

from __future__ import annotations

from itertools import product
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from tui.present.fit import shorten
from tui.present.glyphs import ELLIPSIS, LOOKS, turning
from tui.present.pieces import Line, Piece, line, printable, wrapped
from tui.run.rollup import DONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tui.project.project import Project
    from tui.run.controller import Applying, Controller

# Seconds after which the current resource is shown, and the least width to show its name.
LONG, NAMED = 1.0, 100

Parts = list[tuple[int, int, str]]


# Characters of the names of screens that distinguish them.
SHORT = 3


class Width(NamedTuple):
    """The room at the left end: `title` is the most characters of the project's name.

    `brand` shows the name of the program, `wide` two blanks between screens, `words` is the most
    characters of their names.
    """

    title: int
    brand: bool = True
    wide: bool = True
    words: int = 99


# From the widest to the narrowest.
WIDTHS = (
    Width(32),
    Width(18),
    Width(12),
    Width(12, brand=False),
    Width(12, brand=False, wide=False),
    Width(0, brand=False, wide=False),
    Width(12, brand=False, wide=False, words=SHORT),
    Width(0, brand=False, wide=False, words=SHORT),
    Width(0, brand=False, wide=False, words=2),
    Width(0, brand=False, wide=False, words=0),
)


def top_line(
    controller: Controller, screens: Mapping[str, str], screen: str, width: int
) -> tuple[Line, Line, Parts]:
    """Return both ends of the line, and the columns of the names of screens.

    On a narrow line, the title is dropped first, then the blanks between the names of screens, then
    the name of a simulated run. The names of hidden screens are shortened, and dropped only if
    nothing else is left.
    """
    now = applying(controller.applying, width)
    shown = {
        name: f"{number} {word}"
        for number, (name, word) in enumerate(screens.items())
        if is_there(name, controller)
    }
    # The name of a simulated run is dropped before the names of screens.
    for is_named, look in [*product((True,), WIDTHS[:-2]), *product((False,), WIDTHS[-4:])]:
        right = (*now, *run_status(controller, is_named=is_named))
        left, parts = left_end(title_of(controller, screen), shown, screen, look)
        if sum(len(piece.text) for piece in (*left, *right)) <= width:
            break
    return left, right, parts


def is_there(screen: str, controller: Controller) -> bool:
    """Return whether a screen has anything to show."""
    if screen == "nodes":
        return controller.exploring is not None
    project = controller.project
    return screen != "against" or bool(project and project.other)


def title_of(controller: Controller, screen: str) -> str:
    """Return the name of the project, or of the repository whose nodes are shown."""
    project, exploring = controller.project, controller.exploring
    if exploring is not None and (project is None or screen == "nodes"):
        return printable(exploring.repository.title)
    return printable(project.title) if project else ""


def applying(now: Applying | None, width: int) -> Line:
    """Return the resource that is being applied with its seconds, once it takes long."""
    seconds = monotonic() - now.since if now else 0.0
    if now is None or seconds < LONG:
        return ()
    name = f"{shorten(now.ref, width // 4)} " if width >= NAMED else ""
    return line(" ", (f" {turning(seconds)} {name}{seconds:.0f} s ", "press"))


def left_end(
    title: str, screens: Mapping[str, str], screen: str, look: Width
) -> tuple[Line, Parts]:
    """Return the title of the project and the screens, each `KEY NAME`."""
    pieces = [Piece(" catgraph ", "title")] if look.brand else []
    if look.title and title:
        shown = title if len(title) <= look.title else title[: look.title - 1] + ELLIPSIS
        pieces.append(Piece(f"{shown}  " if look.brand else f" {shown} "))
    elif look.brand:
        pieces.append(Piece(" "))
    column = sum(len(piece.text) for piece in pieces)
    parts = []
    for name, word in screens.items():
        text = word if name == screen else word[: look.words + 2].rstrip()
        end = " " if look.wide or name == screen else ""
        text = f" {text}{end}"
        pieces.append(Piece(text, "here" if name == screen else "dim"))
        parts.append((column, column + len(text), f"{name}-screen"))
        column += len(text)
    return tuple(pieces), parts


def run_status(controller: Controller, *, is_named: bool = True) -> Line:
    """Return the kind of run, the branch, counts, and the step.

    A kind that changes something is always named.
    """
    if controller.project is None:
        return ()
    branch, timeline = controller.branch, controller.timeline
    pieces: list[Piece] = []
    counts = branch.rollup.counts[None]
    for word in DONE[:-2]:
        if counts.get(word):
            look = LOOKS[word]
            pieces.append(Piece(f"{look.glyph}{counts[word]} ", look.style))
    if len(controller.branches) > 1:
        pieces.append(Piece(f" {branch.name} ", "accent"))
    if timeline.settings.noop or (timeline.state.noops or {}).get(None):
        pieces.append(Piece(" noop ", "noop"))
    kind = controller.kind
    if kind.changes or (is_named and not timeline.error):
        pieces.append(Piece(f" {kind.banner} ", "banner" if kind.changes else "dim"))
    pieces += incomplete(controller.project)
    if timeline.error:
        pieces.append(Piece(" cannot start ", "failed"))
    else:
        pieces.append(Piece(f" step {timeline.position}/{branch.steps} ", "strong"))
    return (Piece(" "), *pieces)


def incomplete(project: Project) -> Line:
    """Return a badge for a catalog of which something is unknown, none for a complete one."""
    return () if project.graph.is_complete else line((" incomplete ", "warning"))


# The word and the style of each severity.
SEVERITIES = {"error": ("error", "failed"), "warning": ("warning", "warning")}


def notice_lines(text: str, severity: str, width: int) -> list[Line]:
    """Return a short text in as many lines as it needs; its severity is a word and a colour."""
    word, style = SEVERITIES.get(severity, ("", ""))
    head = (Piece(" "), Piece(f"{word}: ", style)) if word else (Piece(" "),)
    return wrapped((*head, Piece(printable(text))), max(20, width - 1))


def summary(controller: Controller) -> Line:
    """Return the counts of a run in words."""
    counts = controller.branch.rollup.counts[None]
    found: list[Piece] = []
    for word in DONE:
        if counts.get(word):
            look = LOOKS[word]
            found += [Piece(f"{look.glyph} {counts[word]} {look.word}", look.style), Piece("  ")]
    return tuple(found) or line(("nothing is done yet", "dim"))
