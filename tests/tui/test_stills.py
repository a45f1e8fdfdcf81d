"""The pictures of docs/ show the screens, not an error."""

from __future__ import annotations

import html
import re

import pytest

from tests.tui.stills import DOCS, STILLS


@pytest.mark.parametrize("name", [still.name for still in STILLS])
def test_a_picture_shows_no_error(name: str) -> None:
    found = re.findall(r">([^<>]+)</text>", (DOCS / name).read_text(encoding="utf-8"))
    text = html.unescape("".join(found)).replace("\xa0", " ")
    assert "? help" in text.replace("  ", " ")
    assert "Cannot open" not in text
    assert "error:" not in text
