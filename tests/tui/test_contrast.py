"""Text can be read: each colour pair on the screens has a contrast of 4.5:1 (WCAG 2.1, 1.4.3)."""

from __future__ import annotations

import asyncio

import pytest
from rich.color import Color
from textual.theme import Theme

from tests.conftest import ROOT
from tests.tui.dsl import VERBS, Session, lines_of
from tui.app import CatgraphApp
from tui.theme import THEMES

LEAST = 4.5
FRONTS = ("primary", "secondary", "accent", "foreground", "success", "warning", "error")
BACKS = ("background", "surface", "panel")
# What is seen on each screen, at the end of these.
SCREENS = """
open sample healthy_web_stack
select Package[postgresql]
do inject
press enter
do continue
look
press d
look
press 2
look
press 3
look
press 4
look
press 5
look
press ?
look
press escape y
look
"""


def luminance(color: Color) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [part / 255 for part in color.get_truecolor()]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def weak(app: CatgraphApp) -> dict[tuple[str, str], str]:
    """Return the pairs of colours of text that are too near, each with a text in them."""
    found: dict[tuple[str, str], str] = {}
    # Behind a dialog all is dimmed: it is inactive.
    dialogs = app.screen.query("#dialog")
    seen = dialogs.first().region if dialogs else app.screen.region
    for row in app.screen._compositor.render_strips()[seen.y : seen.bottom]:
        strip = row.crop(seen.x, seen.right)
        for text, style, _ in strip:
            pair = (style.color, style.bgcolor) if style else (None, None)
            if not any(c.isalnum() for c in text) or None in pair:
                continue
            front, back = (pair[1], pair[0]) if style and style.reverse else pair
            assert front is not None
            assert back is not None
            if contrast(front, back) < LEAST:
                found.setdefault((front.name, back.name), text.strip())
    return found


def test_contrast_is_that_of_the_standard() -> None:
    black, white, grey = map(Color.parse, ("#000000", "#ffffff", "#767676"))
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(grey, white) == pytest.approx(4.54, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_text_can_be_read(theme: str) -> None:
    async def run() -> dict[tuple[str, str], str]:
        found: dict[tuple[str, str], str] = {}
        app = CatgraphApp(None, {"theme": theme})
        async with app.run_test(size=(120, 40)) as pilot:
            session = Session(app, pilot, ROOT)
            await session.settle()
            for verb, words in lines_of(SCREENS):
                if verb == "look":
                    found |= weak(app)
                else:
                    await VERBS[verb](session, words)
                    await session.settle()
        return found

    assert asyncio.run(run()) == {}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme.name))
def test_every_colour_can_be_read_on_every_background(theme: Theme) -> None:
    named = {name: getattr(theme, name) for name in (*FRONTS, *BACKS)} | theme.variables
    fronts = {*FRONTS, *(n for n in named if n.startswith("state-")), "muted", "faint"}
    found = [
        (front, back)
        for front in fronts
        for back in (*BACKS, "cursor", "cursor-idle")
        if contrast(Color.parse(named[front]), Color.parse(named[back])) < LEAST
    ]
    assert found == []
