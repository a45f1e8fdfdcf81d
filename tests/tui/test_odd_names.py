"""Titles of every kind go through all screens as they are: no markup, no control characters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tui.dsl import script

pytestmark = pytest.mark.slow

ODD = {
    "markup": "[bold]x[/bold] a]b[c [/]",
    "control": "a\nb\tc\x1b[2J",
    "unsafe": "/x\n::error::pwn\x1b]0;P\x07\x9b2J\u202e\u2066\u2028\r\x00[bold]",
    "wide": "雪" * 60 + "e\u0301" * 30 + "👩‍👩‍👧",
    "long": "x" * 5000,
    "half of a pair": "\ud800",
}


def catalog(title: str) -> str:
    """The odd resource amid others, one of which it refreshes; on a cycle with another."""
    rows: list[dict[str, Any]] = [
        {"type": "Class", "title": "main", "kind": "class", "parameters": {}},
        {"type": "Notify", "title": "first", "parameters": {"before": [f"File[{title}]"]}},
        {
            "type": "File",
            "title": title,
            "file": "/no/[where]/site.pp",
            "line": 3,
            "parameters": {"notify": ["Exec[last]"]},
        },
        {"type": "Exec", "title": "last", "parameters": {"before": [f"File[{title}]"]}},
    ]
    inside = [{"source": "Class[main]", "target": f"{r['type']}[{r['title']}]"} for r in rows[1:]]
    return json.dumps({"name": "n[b]ode", "resources": rows, "edges": inside})


@pytest.mark.parametrize("title", ODD.values(), ids=list(ODD))
def test_odd_titles_are_shown_as_they_are(title: str, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text(catalog(title), encoding="utf-8")
    shown = script(
        """
        open odd.json
        select Notify[first]
        do graph-screen
        press right
        do graph-centre
        press left right right
        do graph-cycles
        do cycle-cut
        do copy
        press end enter
        do findings-screen
        press down up
        do source-screen
        press right left
        do report-screen
        press down
        do run-screen
        do graph-screen
        do graph-cycles
        """,
        tmp_path,
        (100, 30),
        lambda session: session.text(),
    )
    assert all(char.isprintable() or char == "\n" for char in shown)
    if title == ODD["markup"]:
        assert f"File[{title}]" in shown
