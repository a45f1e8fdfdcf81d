"""The graph page of a large catalog: from opening it in Chromium to the first picture."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from analyzer.export.graph.view import build_view
from analyzer.export.page.html_page import render
from analyzer.session.inputs import graph_of, load_catalogs
from tests.browser.test_page import BROWSER

from . import inputs
from .measure import ENVIRONMENT, Absent, Row, cpu_of_children

RESOURCES = 20_000
SECONDS = 1.5
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--enable-logging=stderr", "--window-size=1400,900",
)  # fmt: skip

# Says when the frame after the first drawing is due, from the start of the navigation.
WATCH = """<script>const watch = () => document.body.dataset.state === "drawn"
? requestAnimationFrame(() => console.log("drawn", Math.round(performance.now())))
: setTimeout(watch, 1); watch();</script>"""
DRAWN = re.compile(r"drawn (\d+)")
TIMES = 3


def first_picture() -> Iterator[Row]:
    """Time to the first picture; CPU of the browser, against a page of as many bytes."""
    if BROWSER is None:
        raise Absent("no chromium; on Debian: apt-get install chromium")
    graph = graph_of(load_catalogs(str(inputs.mixed(RESOURCES)))[0])
    text = render(graph, build_view(graph, "relationships"))
    # The page's own policy would not let a foreign script in.
    text = re.sub(r"<meta http-equiv[^>]*>", "", text).replace("</body>", f"{WATCH}</body>")
    size = len(text.encode())
    plain = f"<body data-state=drawn><!--{'x' * size}-->{WATCH}</body>"
    with tempfile.TemporaryDirectory() as folder:
        found = [shown(Path(folder), page) for _ in range(TIMES) for page in (text, plain)]
    drawn, spent = (median(one) for one in zip(*found[::2], strict=True))
    name = f"page of {RESOURCES:,}, {size / 1e6:.1f} MB"
    yield Row(f"{name}: first picture", drawn, "aim", SECONDS * 1000, 1)
    floor = median(cpu for _, cpu in found[1::2])
    yield Row(f"{name}: CPU of Chromium", spent, "an empty page as large", floor, 2)


def shown(folder: Path, text: str) -> tuple[float, float]:
    """Return the milliseconds until a page is drawn, and the CPU milliseconds of the browser."""
    file = folder / "page.html"
    file.write_text(text, "utf-8")
    command = [str(BROWSER), *FLAGS, f"--user-data-dir={folder / 'profile'}"]
    command += [f"--screenshot={folder / 'page.png'}", file.as_uri()]
    said: list[str] = []

    def work() -> None:
        done = subprocess.run(
            command, env=ENVIRONMENT, check=True, capture_output=True, text=True, timeout=120
        )
        said.append(done.stderr)

    spent = cpu_of_children(work)
    drawn = DRAWN.search(said[0])
    assert drawn, said[0][-2000:]
    return float(drawn[1]), spent


ROWS = (first_picture,)
