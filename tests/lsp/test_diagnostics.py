"""Diagnostics: of a text, and of the catalogs that it is part of; marked files as for features."""

from pathlib import Path

import pytest

from analyzer.lsp.checks.compiling import compile_job
from analyzer.lsp.checks.languages import diagnostics, is_compiled
from analyzer.lsp.checks.manifests import of_catalogs
from analyzer.lsp.checks.reach import job_for
from analyzer.lsp.checks.shown import diagnostics_of
from analyzer.lsp.checks.worlds import explore_job
from tests.lsp.marked import case_of, shown, snapshot_of

CASES = sorted((Path(__file__).parent / "diagnostics").glob("*.txt"))


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_case(file: Path, tmp_path: Path, update: bool) -> None:
    root = tmp_path.resolve()
    case = case_of(file)
    snapshot = snapshot_of(case.files, root)
    path = str(root / case.path)
    found = diagnostics(snapshot, path)
    job = job_for(snapshot, path)
    if job is not None and is_compiled(snapshot, path):
        wanted = explore_job(job, lambda: False) if "worlds" in case.params else compile_job(job)[0]
        found += diagnostics_of(snapshot, path, of_catalogs(wanted))
    text = shown(found, root) + "\n"
    if update:
        file.write_text(f"{case.head}\n----\n{text}")
    assert text == case.expected or update


def test_the_site_counts_as_it_is_typed(tmp_path: Path) -> None:
    """A class that its module lacks is no error if a manifest of the site has it, saved or not."""
    module, site = "modules/m/manifests/foo.pp", "manifests/site.pp"
    files = {"environment.conf": "", module: "class m::foo {\n  include m::bar\n}\n", site: ""}
    root = tmp_path.resolve()
    found = []
    has = "class m::bar { }\n"
    for typed, saved in (("", ""), (has, has), (has, ""), ("", has)):
        snapshot = snapshot_of({**files, site: typed}, root)
        (root / site).write_text(saved)
        job = job_for(snapshot, str(root / module))
        assert job is not None
        found.append([one.severity for one in compile_job(job).findings if one.code == "CG200"])
    assert found == [["error"], [], [], ["error"]]
