"""The table of versions in docs/manifests.md has the rows of the code."""

from __future__ import annotations

import re

from analyzer.model.releases import DIFFERENCES, Span
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "manifests.md"
PLACE = re.compile(r"(<!-- differences -->\n).*(<!-- end -->)", re.DOTALL)


def when(spans: tuple[Span, ...]) -> str:
    """The releases of spans in words."""
    return " and ".join(map(of_span, spans)) or "never"


def of_span(span: Span) -> str:
    """The releases of a span in words."""
    start, end = (bound and ".".join(str(part) for part in bound) for bound in span)
    if start and end:
        return f"{start} to before {end}"
    return f"from {start} on" if start else f"before {end}" if end else "always"


def table() -> str:
    """The rows as Markdown."""
    rows = [f"| {row.what} | {when(row.puppet)} | {when(row.openvox)} |\n" for row in DIFFERENCES]
    return "| what | Puppet | OpenVox |\n| --- | --- | --- |\n" + "".join(rows)


def test_page(update: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    wanted = PLACE.sub(lambda match: match[1] + table() + match[2], text)
    if update:
        PAGE.write_text(wanted, encoding="utf-8")
    assert PLACE.search(text)
    assert wanted == text or update
