"""The names in docs/architecture.md and the paths in CONTRIBUTING.md are those that there are."""

from __future__ import annotations

import importlib
import re

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "architecture.md"
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PATHS = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|txt|toml|json|rb))`", GUIDE))
# A folder that is made, and a file of Puppet's.
ELSEWHERE = {"build/", "type/file.rb"}
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


def test_the_paths_of_the_guide_are_real() -> None:
    """A path may begin at any folder; the guide shortens those that it has just named."""
    tops = (".ci", "analyzer", "docs", "grammars", "sample_catalogs", "tests", "tui")
    files = [f"/{p.relative_to(ROOT)}" for top in tops for p in (ROOT / top).rglob("*")]
    files += [f"/{path.name}" for path in ROOT.iterdir()]
    text = "\n".join(f"{path}/" for path in files)
    missing = {path for path in PATHS if f"/{path.rstrip('/')}/" not in text}
    # `make demo` makes this one.
    assert missing | {"build/"} == ELSEWHERE


def test_the_guide_names_every_stage() -> None:
    rooms = {path.parent.name for path in (ROOT / "analyzer").glob("*/__init__.py")}
    assert {room for room in rooms if f"| `analyzer/{room}/` |" not in GUIDE} == set()
