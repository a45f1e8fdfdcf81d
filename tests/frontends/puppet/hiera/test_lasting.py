"""Answers that are kept for a run, and files that are not asked again, change no result."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.hiera.lookup import Lookup
from analyzer.frontends.puppet.hiera.scope import ScopeVariables
from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles, yaml_file
from analyzer.reach import Outside, kept, lasting, may_read, within
from analyzer.reading import noting, read_text, state_of

HIERA = """
version: 5
hierarchy:
  - {name: many, paths: [no.yaml, 'x/%{a}.yaml', 'y/%{a}.yaml', no.yaml, 'out/%{a}.yaml']}
  - {name: one, path: common.yaml}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    (place / "data" / "x").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "1.yaml").write_text("k: [9]\n")
    (place / "hiera.yaml").write_text(HIERA)
    (place / "data" / "x" / "1.yaml").write_text("k: [1, [2, [1]]]\nh: {a: 1}\n")
    (place / "data" / "common.yaml").write_text("k: [[3], 1]\nh: {b: 2}\nonly: [[1], 1]\n")
    (place / "data" / "out").symlink_to(tmp_path / "out")
    return place


@pytest.mark.parametrize("merge", [None, "unique", "hash", "deep"])
@pytest.mark.parametrize("key", ["k", "h", "only"])
def test_files_without_values_are_not_asked(folder: Path, key: str, merge: str | None) -> None:
    if (key, merge) in {("k", "hash"), ("only", "hash"), ("h", "unique")}:
        return
    found = Lookup(None, folder, [], ScopeVariables({"a": "1"}))
    with within([str(folder)]):
        # All locations are asked to explain.
        wanted = found.explain(key, merge).value
        for _ in range(3):
            assert found.find(key, found.invocation(), merge) == wanted
        assert list(found.files.outside) == [f"{folder}/data/out/1.yaml"]


def test_a_kept_answer_lets_nothing_be_read(folder: Path) -> None:
    path = folder / "data" / "common.yaml"
    with within([str(folder)]), lasting():
        assert kept(may_read, str(path))
        path.unlink()
        path.symlink_to(folder.parent / "out" / "1.yaml")
        with pytest.raises(Outside):
            read_text(str(path))
    with within([str(folder)]):
        assert not kept(may_read, str(path))


def test_answers_are_those_of_the_roots(folder: Path) -> None:
    path = str(folder / "data" / "out" / "1.yaml")
    with lasting():
        with within([str(folder.parent)]):
            assert kept(may_read, path)
        with within([str(folder)]):
            assert not kept(may_read, path)


def test_files_are_read_again_when_a_run_has_ended(folder: Path) -> None:
    path, files = folder / "data" / "common.yaml", ParsedFiles()
    with lasting():
        first = files.read(str(path), yaml_file)
        path.write_text("k: other\n")
        assert files.read(str(path), yaml_file) is first
    assert files.read(str(path), yaml_file) == {"k": "other"}


def test_known_data_are_noted(folder: Path) -> None:
    path, files = str(folder / "data" / "common.yaml"), ParsedFiles()
    state = state_of(path)
    files.read(path, yaml_file)
    for _ in range(2):
        with noting() as read:
            files.read(path, yaml_file)
        assert read == {path: state}
    with lasting(), noting() as read:
        files.read(path, yaml_file)
        Path(path).write_text("k: other\n")
        files.read(path, yaml_file)
    # The state is that of what was read.
    assert read == {path: state}
