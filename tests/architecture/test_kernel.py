"""The kernel of the graph is used by the graph's own package only."""

from __future__ import annotations

import re

from tests.conftest import ROOT


def test_nobody_else_uses_the_kernel() -> None:
    users = [
        str(path.relative_to(ROOT))
        for folder in ("analyzer", "tui")
        for path in (ROOT / folder).rglob("*.py")
        if not path.is_relative_to(ROOT / "analyzer" / "graph")
        and re.search(r"graph\.kernel\b", path.read_text())
    ]
    assert users == []
