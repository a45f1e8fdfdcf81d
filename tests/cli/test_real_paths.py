"""The real paths of many files, where each folder is looked at once, are those of the system."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from analyzer.reach import RealPaths


def test_real_paths_of_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/x").touch()
    for link, target in (("c", "a"), ("a/b/y", "x"), ("a/loop", "loop"), ("a/up", "..")):
        (tmp_path / link).symlink_to(target)
    parts = ["a", "b", "c", "x", "y", "loop", "up", "..", ".", "none", ""]
    drawn, real = Random(1), RealPaths()
    for _ in range(500):
        path = "/".join(drawn.choices(parts, k=drawn.randrange(1, 6)))
        for one in (path, str(tmp_path / path)):
            assert real.of(one) == os.path.realpath(one), one
