"""The line at the top: the project, the screens, and the state of the run."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from tui.present.fit import shorten
from tui.present.glyphs import ELLIPSIS, LOOKS, turning
from tui.present.pieces import Line, Piece, line, printable
from tui.run.rollup import DONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tui.run.controller import Applying, Controller

# Seconds after which the current resource is shown, and the width from which on by its name.
LONG, NAMED = 1.0, 100

Parts = list[tuple[int, int, str]]


def top_line(
    controller: Controller, screens: Mapping[str, str], screen: str, width: int
) -> tuple[Line, Line, Parts]:
    """Return both ends of the line, and the columns of the names of screens.

    Where it is narrow, the names of the hidden screens are shortened to their keys.
    """
    right = (*applying(controller.applying, width), *run_status(controller))
    room = width - sum(len(piece.text) for piece in right)
    title = printable(controller.project.title) if controller.project else ""
    for names, most in ((True, 32), (True, 18), (False, 24), (False, 12), (False, 0)):
        left, parts = left_end(title, screens, screen, names, most)
        if sum(len(piece.text) for piece in left) <= room:
            break
    return left, right, parts


def applying(now: Applying | None, width: int) -> Line:
    """Return the resource that is being applied and its seconds, once that takes a while."""
    seconds = monotonic() - now.since if now else 0.0
    if now is None or seconds < LONG:
        return ()
    name = f"{shorten(now.ref, width // 4)} " if width >= NAMED else ""
    return line(" ", (f" {turning(seconds)} {name}{seconds:.0f} s ", "press"))


def left_end(
    title: str, screens: Mapping[str, str], screen: str, names: bool, most: int
) -> tuple[Line, Parts]:
    """Return the title of the project and the screens."""
    shown = title if len(title) <= most else title[: most - 1] + ELLIPSIS
    pieces = [Piece(" catgraph ", "title"), Piece(f"{shown}  " if most and shown else " ")]
    column = sum(len(piece.text) for piece in pieces)
    parts = []
    for number, (name, word) in enumerate(screens.items(), 1):
        text = f" {number} {word} " if names or name == screen else f" {number} "
        pieces.append(Piece(text, "here" if name == screen else "dim"))
        parts.append((column, column + len(text), f"{name}-screen"))
        column += len(text)
    return tuple(pieces), parts


def run_status(controller: Controller) -> Line:
    """Return the kind of run, the branch, counts, and the step."""
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
    pieces.append(Piece(f" {kind.banner} ", "banner" if kind.changes else "dim"))
    if timeline.error:
        pieces.append(Piece(" cannot start ", "failed"))
    else:
        pieces.append(Piece(f" {timeline.position}/{branch.steps} ", "strong"))
    return (Piece(" "), *pieces)


def summary(controller: Controller) -> Line:
    """Return the counts of a run in words."""
    counts = controller.branch.rollup.counts[None]
    found: list[Piece] = []
    for word in DONE:
        if counts.get(word):
            look = LOOKS[word]
            found += [Piece(f"{look.glyph} {counts[word]} {look.word}", look.style), Piece("  ")]
    return tuple(found) or line(("nothing is done yet", "dim"))
