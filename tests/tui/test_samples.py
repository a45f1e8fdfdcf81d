"""The samples of the first screen, and the project around a folder."""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tui.project.samples import project_here, sample, samples


def test_every_sample_is_offered_with_what_it_shows() -> None:
    folders = {path.parent.name for path in (ROOT / "sample_catalogs").glob("*/catalog.json")}
    assert {one.name for one in samples()} == folders
    assert all(one.shows and "`" not in one.shows for one in samples())


def test_a_sample_that_there_is_not() -> None:
    assert sample("nowhere") is None


@pytest.mark.parametrize(
    ("file", "at"),
    [
        ("catgraph.toml", ""),
        ("environment.conf", ""),
        ("Puppetfile", ""),
        ("promises.cf", ""),
        ("manifests/site.pp", ""),
        ("notes.txt", None),
    ],
)
def test_the_project_around_a_folder(tmp_path: Path, file: str, at: str | None) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("")
    inner = tmp_path / "modules" / "a"
    inner.mkdir(parents=True)
    found = project_here(str(inner))
    assert (None if found is None else (inner / found).resolve()) == (
        None if at is None else tmp_path
    )
