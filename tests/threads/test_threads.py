"""The lint blames the right lines of each case, and nothing in what is mended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main
from tests.threads.case import SITE, Blame, Case, all_cases, blamed, write
from tests.threads.said import ours, recorded

CASES = all_cases()
MENDED = [case for case in CASES if case.mended]
# There is no Puppet of other versions to ask.
VERSIONS = [(c, v) for c in CASES for v in c.versions if "--puppet-version" not in c.options]


def lint(
    case: Case, manifests: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Blame], str, int]:
    """What is found in manifests, the report, and the exit code."""
    write(manifests, folder)
    monkeypatch.chdir(folder)
    (folder / "modules").mkdir(exist_ok=True)
    base = ["lint", ".", "--modulepath", "modules", *case.options]
    code = main([*base, "-f", "json", "-o", "found.json"])
    main([*base, "-o", "found.txt"])
    rows = json.loads(Path("found.json").read_text(encoding="utf-8"))["findings"]
    found = [
        (str(row["file"]).removeprefix("manifests/"), row["line"], row["code"], row["severity"])
        for row in rows
    ]
    return sorted(found), Path("found.txt").read_text(encoding="utf-8"), code


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_right_lines_are_blamed(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, report, code = lint(case, case.manifests, tmp_path, monkeypatch)
    assert found == blamed(case.manifests), report
    assert code == any(severity != "note" for *_, severity in found)
    for line in case.says:
        assert line in report, report


@pytest.mark.parametrize("case", MENDED, ids=lambda case: case.name)
def test_nothing_is_found_once_it_is_mended(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert case.mended is not None
    found, report, code = lint(case, case.mended, tmp_path, monkeypatch)
    assert found == blamed(case.mended), report
    assert code == any(severity != "note" for *_, severity in found)


@pytest.mark.parametrize(("case", "version"), VERSIONS, ids=lambda x: getattr(x, "name", x))
def test_cycles_are_those_of_puppet(case: Case, version: str, tmp_path: Path) -> None:
    assert ours(case, version, tmp_path) == recorded()[f"{case.name}, {version}"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_tells_its_lesson(case: Case) -> None:
    assert case.lesson.count("\n") >= 2
    assert SITE in case.manifests
    assert blamed(case.manifests)
