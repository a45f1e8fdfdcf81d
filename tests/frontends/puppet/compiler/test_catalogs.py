"""The manifests that Puppet compiled for the records: we make the same catalogs of them.

What comes of our catalogs is what Puppet made of its own: graph, order and cycles.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.oracle.case import read_case
from tests.oracle.compare import differences
from tests.oracle.compiled import compile_question, difference

RECORDED = sorted((ROOT / "tests" / "oracle" / "cases").glob("*.txt"))
SAMPLES = sorted(path.parent for path in ROOT.glob("sample_catalogs/*/catalog.json"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_manifest(path: Path) -> None:
    case = read_case(path.read_text())
    ours = compile_question({"code": case.manifest, "file": "site.pp"})
    theirs = {"classes": ours["classes"], **case.catalog}
    assert difference(ours, theirs).kind == "equal"
    assert [str(one) for one in differences(replace(case, catalog=ours))] == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_sample(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample)
    theirs = json.loads(Path("catalog.json").read_text())
    question = {
        "code": Path("manifests/site.pp").read_text(),
        "file": "manifests/site.pp",
        "modulepath": ["modules"],
        "facts": json.loads(Path("facts.json").read_text()),
    }
    assert difference(compile_question(question), theirs).kind == "equal"
