"""Statuses, events and log of recorded runs are Puppet's, line for line."""

from pathlib import Path

import pytest

import analyzer

from .cases import FOLDER, Case, own, read
from .runs import MODULES, answer_of, differences, run

CASES = [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.id))
def test_run(case: Case, tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text(case.code, encoding="utf-8")
    catalog = analyzer.compile(manifest, modulepath=[str(MODULES)])
    catalog.version = 1
    ours = own(answer_of(run(catalog, case.settings)))
    assert list(differences(ours, case.answer)) == []


def test_enough_is_recorded() -> None:
    assert len(CASES) >= 120
