"""Differences of edited samples are attributed to the lines that were edited, and to no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.amount import examples
from tests.conftest import ROOT
from tests.repos.attribute import Session, call, report
from tests.repos.attribute_fleet import FleetSession

SAMPLES = ROOT / "sample_catalogs"


@pytest.mark.parametrize("ask", [Session, FleetSession])
def test_edited_samples(
    ask: type[Session], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(SAMPLES / "branch" / "before", tmp_path / "all" / "branch")
    shutil.copytree(SAMPLES / "control_repos" / "roles_in_site", tmp_path / "all" / "roles")
    seen = report(str(tmp_path / "all"), call, examples(60), seed=3, ask=ask)
    assert seen["differences"] >= examples(60) // 2
    assert (seen["not attributed"], seen["wrong"]) == (0, 0), capsys.readouterr().out
