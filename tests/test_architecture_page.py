"""The names in docs/architecture.md are those of modules, classes and functions that there are."""

from __future__ import annotations

import importlib
import re

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "architecture.md"
NAMES = sorted(set(re.findall(r"`((?:analyzer|tui)(?:\.\w+)+)`", PAGE.read_text(encoding="utf-8"))))


def missing_part(name: str) -> str:
    """Return the shortest beginning of a name that nothing has, the empty text if all exists."""
    parts = name.split(".")
    found: object = importlib.import_module(parts[0])
    for number, part in enumerate(parts[1:], 2):
        so_far = ".".join(parts[:number])
        if not hasattr(found, part):
            try:
                importlib.import_module(so_far)
            except ModuleNotFoundError:
                return so_far
        found = getattr(found, part)
    return ""


@pytest.mark.parametrize("name", NAMES)
def test_names_are_real(name: str) -> None:
    stale = missing_part(name)
    assert not stale, f"docs/architecture.md names {name}, but there is no {stale}"


def test_a_stale_name_is_noticed() -> None:
    assert (
        missing_part("analyzer.graph.cycles.search.find_knots")
        == "analyzer.graph.cycles.search.find_knots"
    )
    assert missing_part("analyzer.graf.cycles.find_cycles") == "analyzer.graf"
    assert len(NAMES) > 30
