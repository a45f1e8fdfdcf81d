"""Stored results of some classes: those for which there was no time have none."""

from __future__ import annotations

from itertools import count

import pytest

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.frontends.puppet.node.exports import Exports
from tests.linter.test_kept import printed, repository, write


def test_classes_for_which_time_was_left_are_not_compiled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that were too late are compiled by the next check, and are not tried elsewhere."""
    with repository() as folder:
        write(folder, "manifests/site.pp", "node 'n' { }\n")
        for name in "uvwxyz":
            write(folder, f"modules/late/manifests/{name}.pp", f"class late::{name} {{ }}\n")
        made = [alone_compiled(monkeypatch) for _ in range(4)]
    assert made == [["u", "v", "w"], ["x", "y", "z"], [], []]


def alone_compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the classes of `late` that a lint compiles, with time for three of them."""
    found = []
    compiled = CompileRun.compile

    def noted(run: CompileRun, target: Target, exports: Exports) -> CompileResult:
        found.append(target.alone)
        return compiled(run, target, exports)

    clock = count(0, 10)
    with monkeypatch.context() as patch:
        patch.setattr(CompileRun, "compile", noted)
        patch.setattr("analyzer.compiles.compile.spent", lambda: next(clock))
        printed("--time-limit", "15", "--worlds", "1", "--jobs", "1")
    return [name.removeprefix("late::") for name in found if name.startswith("late")]
