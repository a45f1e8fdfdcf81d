"""Draws the picture of the graph page in docs/: `python -m tests.browser.picture`."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from analyzer.cli import main as catgraph
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_catalogs" / "collector_chain_cycle" / "catalog.json"
PICTURE = ROOT / "docs" / "graph.png"


def main() -> None:
    """Write the picture."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        catgraph(["graph", str(SAMPLE), "--format", "html", "-o", str(page)])
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--window-size=1200,640", f"--screenshot={PICTURE}", page.as_uri()],
            check=True, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    print("docs/graph.png")


if __name__ == "__main__":
    main()
