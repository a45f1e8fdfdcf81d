"""Differences of edited samples are attributed to the lines that were edited, and to no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.amount import examples
from tests.conftest import ROOT
from tests.repos.attribute import call, report

SAMPLES = ROOT / "sample_catalogs"


def test_edited_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(SAMPLES / "branch" / "before", tmp_path / "all" / "branch")
    shutil.copytree(SAMPLES / "control_repos" / "roles_in_site", tmp_path / "all" / "roles")
    seen = report(str(tmp_path / "all"), call, examples(60), seed=3)
    assert seen["differences"] > examples(60)
    assert (seen["not attributed"], seen["wrong"]) == (0, 0), capsys.readouterr().out
