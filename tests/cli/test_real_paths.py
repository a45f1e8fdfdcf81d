"""The real paths of many files, where each folder is looked at once, are those of the system."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from analyzer.folders import exists, listing, names_in
from analyzer.frontends.puppet.node.modules import manifests_below
from analyzer.reach import RealPaths, may_read


def test_real_paths_of_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/x").touch()
    for link, target in (("c", "a"), ("a/b/y", "x"), ("a/loop", "loop"), ("a/up", "..")):
        (tmp_path / link).symlink_to(target)
    with listing():
        compare(tmp_path)
        for folder, _, _ in os.walk(tmp_path):
            names_in(folder, os.path.realpath(folder))
        compare(tmp_path)


def compare(tmp_path: Path) -> None:
    """Compare the real paths of random paths with those of the system."""
    parts = ["a", "b", "c", "x", "y", "loop", "up", "..", ".", "none", ""]
    drawn, real = Random(1), RealPaths()
    for _ in range(500):
        path = "/".join(drawn.choices(parts, k=drawn.randrange(1, 6)))
        for one in (path, str(tmp_path / path)):
            assert real.of(one) == os.path.realpath(one), one
            roots = frozenset({str(tmp_path / "a/b")})
            assert real.is_below(one, roots) == may_read(one, roots), one


def test_names_that_exist(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "good").symlink_to("file")
    (tmp_path / "bad").symlink_to("none")
    names = ["file", "folder", "good", "bad", "none"]
    found = [name for name in names if exists(str(tmp_path), name)]
    with listing():
        names_in(str(tmp_path), str(tmp_path))
        assert [name for name in names if exists(str(tmp_path), name)] == found
    assert found == ["file", "folder", "good"]


def test_each_folder_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.pp").touch()
    with listing():
        assert manifests_below(str(tmp_path)) == [str(tmp_path / "a.pp")]
        (tmp_path / "b.pp").touch()
        assert manifests_below(str(tmp_path)) == [str(tmp_path / "a.pp")]
    assert len(manifests_below(str(tmp_path))) == 2
