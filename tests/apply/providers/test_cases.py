"""What Puppet logs and leaves, recorded, and what we do with the same catalogs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .case import FOLDER, Case, read
from .harness import ours
from .scratch import CHROOT

CASES = [
    pytest.param(case, id=f"{path.stem}: {case.name}")
    for path in sorted(FOLDER.glob("*.txt"))
    for case in read(path)
]


@pytest.mark.skipif(os.geteuid() != 0 or CHROOT is None, reason="chroot and owners need root")
@pytest.mark.parametrize("case", CASES)
def test_as_puppet(case: Case, tmp_path: Path) -> None:
    seen = ours(case, tmp_path)
    for (log, tree), wanted_log, wanted_tree in zip(seen, case.logs, case.trees, strict=True):
        assert log == wanted_log
        assert tree == wanted_tree
