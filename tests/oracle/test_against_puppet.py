"""The analyzer agrees with what real Puppet said about every recorded catalog."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .case import Case, read_case, read_graph, write_case
from .compare import differences
from .record import CASES, SAMPLES

FILES = sorted(CASES.glob("*.txt"))
FOLDERS = sorted(path.parent for path in SAMPLES.glob("*/expected"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_random_catalog(path: Path) -> None:
    case = read_case(path.read_text(encoding="utf-8"))
    assert [str(difference) for difference in differences(case)] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_sample(folder: Path) -> None:
    assert [str(difference) for difference in differences(sample_case(folder))] == []


def sample_case(folder: Path) -> Case:
    """A sample as a case."""

    def expected(name: str) -> str:
        return (folder / "expected" / f"{name}.txt").read_text(encoding="utf-8")

    catalog = json.loads((folder / "catalog.json").read_text(encoding="utf-8"))
    return Case("", catalog, read_graph(expected))


def test_enough_is_recorded() -> None:
    assert len(FILES) >= 70
    assert len(FOLDERS) >= 12


@pytest.mark.parametrize("path", FILES[::8], ids=lambda path: path.stem)
def test_reading_and_writing_a_case_is_identity(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert write_case(read_case(text)) == text
