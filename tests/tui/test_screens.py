"""Each screen as it is seen: small files with a size, what to open, keys, `---`, the picture.

The lines at the top and at the bottom are left out: they tell the keys and where the run stands.
"""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tui.dsl import snapshot

CASES = sorted((Path(__file__).parent / "screens").glob("*.txt"))


BARS = str.maketrans(dict.fromkeys("▁▂▃▄▅▆▇", " "))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_screen(case: Path, update: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    head, _, expected = case.read_text(encoding="utf-8").partition("---\n")
    size, *steps = head.splitlines()
    columns, _, rows = size.removeprefix("size ").partition("x")
    shown = snapshot("\n".join(steps), ROOT, (int(columns), int(rows))).split("\n")
    found = "\n".join(row.rstrip() for row in shown[1:-1]).rstrip() + "\n"
    if update and without_bars(found) != without_bars(expected):
        case.write_text(f"{head}---\n{found}", encoding="utf-8")
    assert without_bars(found) == without_bars(expected)


def without_bars(text: str) -> str:
    """Return a screen without the ends of scrollbars, which are drawn a frame after the rest."""
    return "\n".join(row.translate(BARS).rstrip() for row in text.split("\n"))
