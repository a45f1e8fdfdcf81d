"""The gate on the sample control repos: green as they are, red for a cycle in any of their code."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from analyzer.reach import user_files
from tests.cli.conftest import Run
from tests.control_repos.cases import SAMPLES
from tests.repos.gate import CYCLE, Place, places_in

# The first line of the summary of `check`, without accepted gaps and findings.
SUMMARIES = {
    # With the answers of the classifier, which `init` finds.
    "classifier": "3 nodes: 3 complete; 2 of 2 classes of this code compiled",
    "private_level": "1 node: 1 complete; 1 of 1 classes of this code compiled",
    "puppet_3": "3 nodes: 3 not compiled; 2 of 2 classes of this code compiled, 1 of them by "
    "themselves",
    "puppetdb_query": "3 nodes: 3 partly known; 2 of 2 classes of this code compiled",
    "regex_nodes": "4 nodes: 4 complete; 3 of 3 classes of this code compiled",
    "roles_in_hiera": "2 nodes: 2 complete; 3 of 3 classes of this code compiled, 1 of them by "
    "themselves",
    "roles_in_site": "4 nodes: 2 complete, 2 partly known; 6 of 6 classes of this code compiled",
    "single_module": "3 of 3 classes of this code compiled",
}

LARGE = {"roles_in_hiera", "roles_in_site"}


@pytest.fixture
def repo(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a sample, which is the working folder."""
    folder = tmp_path / str(request.param)
    shutil.copytree(SAMPLES / folder.name, folder)
    monkeypatch.chdir(folder)
    return folder


def shape(name: str) -> object:
    """Return a parameter of the test; larger samples have many places."""
    return pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name


@pytest.mark.parametrize("repo", [*map(shape, SUMMARIES)], indirect=True)
def test_the_gate_is_red_for_each_cycle(repo: Path, run: Run) -> None:
    if (repo / "nodes").is_dir():
        run("init")
    done = run("check")
    assert SUMMARIES[repo.name] in done.out.splitlines()
    run("check", "--write-baseline")
    assert run("check").code == 0
    with user_files():
        places = places_in(str(repo))
    assert places
    assert [place for place in places if not is_red(place, repo, run)] == []


def is_red(place: Place, repo: Path, run: Run) -> bool:
    """Return whether the gate fails for a cycle at a place, and names the file."""
    file = Path(place.file)
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: place.offset] + CYCLE + text[place.offset :], encoding="utf-8")
    done = run("check")
    file.write_text(text, encoding="utf-8")
    return done.code == 1 and "planted one" in done.out and os.path.relpath(file, repo) in done.out
