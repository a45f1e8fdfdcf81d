"""Makes the pictures of docs/ from the application itself: `python -m tests.tui.stills`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from analyzer.reach import user_files
from tests.conftest import ROOT

from .dsl import Session, script

DOCS = ROOT / "docs"
SIZE, SMALL = (120, 36), (100, 28)

# Fonts of another site, which a picture in a repository need not ask for.
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


class Still(NamedTuple):
    """A picture: its file, and the script that leads to it."""

    name: str
    text: str


STILLS = (
    Still(
        "run.svg",
        """
        open sample healthy_web_stack
        select Package[python3]
        do inject
        press enter
        select Service[shop]
        do break
        do continue
        select Package[nginx]
        do run-to
        select File[/etc/nginx/nginx.conf]
        do next-tab
        """,
    ),
    Still(
        "why.svg",
        """
        open sample healthy_web_stack
        do over
        select Service[nginx]
        do why
        """,
    ),
    Still(
        "what_if.svg",
        """
        : theme light
        open sample healthy_web_stack
        do continue
        do restart
        select Service[postgresql]
        do inject
        press enter
        do compare
        """,
    ),
    Still(
        "screens/nodes.svg",
        """
        open sample_catalogs/control_repos/roles_in_site
        press n down down
        """,
    ),
    Still(
        "screens/graph.svg",
        """
        open sample healthy_web_stack
        select Service[nginx]
        press 2
        """,
    ),
    Still(
        "screens/cycle.svg",
        """
        open sample layered_20x7
        press 2 c x
        """,
    ),
    Still(
        "screens/findings.svg",
        """
        open sample_catalogs/reversed_arrow_empty_collector/manifests
        press 3
        """,
    ),
    Still(
        "screens/source.svg",
        """
        open sample healthy_web_stack
        select Service[nginx]
        press 4
        """,
    ),
    Still(
        "screens/report.svg",
        """
        open tests/apply/report/recorded/second.yaml
        press 5
        """,
    ),
    Still(
        "screens/compare.svg",
        """
        option against sample_catalogs/stages/catalog.json
        open sample healthy_web_stack
        press 6
        """,
    ),
)


def picture(session: Session) -> str:
    """Return the screen as SVG."""
    return FONTS.sub("", session.app.export_screenshot(title="catgraph tui"))


def main() -> None:
    """Write all pictures."""
    (DOCS / "screens").mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    with TemporaryDirectory() as folder, user_files():
        for still in STILLS:
            size = SMALL if "/" in still.name else SIZE
            text = script(still.text, Path(folder), size, picture, messages=False, rests=True)
            (DOCS / still.name).write_text(text, encoding="utf-8")
            print(f"docs/{still.name}")


if __name__ == "__main__":
    main()
