"""The page of a fleet: its data, and what a browser makes of it."""

from __future__ import annotations

import json
import re
import subprocess
from base64 import b64decode
from pathlib import Path
from typing import Any
from zlib import decompress

import pytest

from analyzer.cli import main
from analyzer.fleet.formats import render
from tests.browser.test_page import BROWSER, FLAGS
from tests.fleet.generator import write
from tests.fleet.test_formats import EVIL, report


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found
    rows: dict[str, Any] = json.loads(found[1])
    return rows


def page(folder: Path, *words: str) -> Path:
    write(folder / "catalogs", 14)
    file = folder / "page.html"
    given = ["--no-store", "--workers", "1", "-f", "html", "-o", str(file), *words]
    assert main(["fleet", "cycles", str(folder / "catalogs"), *given]) == 1
    return file


def test_the_graphs_of_causes_come_first(tmp_path: Path) -> None:
    data = data_of(page(tmp_path, "--graphs", "12").read_text())
    assert len(data["nodes"]) == 14
    examples = {data["nodes"].index(cause["example"]) for cause in data["causes"]}
    assert {int(n) for n in data["graph_of"]} == examples
    number = data["graph_of"][str(data["nodes"].index("web0.example.com"))]
    graph = json.loads(decompress(b64decode(data["graphs"][number])))
    assert graph["name"] == "web0.example.com"


def test_no_text_of_a_catalog_ends_the_data() -> None:
    text = render("html", report(f"</script><script>{EVIL}"))
    assert text.count("</script>") == 2
    assert "\x1b" not in text
    assert data_of(text)["failed"]["2"].startswith("</script>")


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome is installed")
def test_a_browser_shows_causes_and_graphs(tmp_path: Path) -> None:
    file = page(tmp_path)
    assert BROWSER is not None
    for hash, words in (
        ("", ('data-rows="12"', "12 causes in ")),
        ("#node=web0.example.com", ('data-graph="web0.example.com"', 'srcdoc="')),
    ):
        done = subprocess.run(
            [BROWSER, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom",
             f"file://{file}{hash}"],
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert all(word in done.stdout for word in words)
        assert "CONSOLE" not in done.stderr
