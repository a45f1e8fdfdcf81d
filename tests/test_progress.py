"""How far long work is, as a terminal shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.progress import FEW, followed
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import lint_inputs


def test_each_item_is_yielded_and_the_text_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.progress.PAUSE", 0)
    told: list[str] = []
    items = [f"n{number}" for number in range(FEW + 1)]
    assert list(followed(items, told.append, "nodes", str.upper)) == items
    assert told[0] == f"1 of {FEW + 1} nodes: N0"
    assert told[-1] == ""
    assert len(told) == FEW + 2


@pytest.mark.parametrize("count", [0, FEW])
def test_little_work_is_not_followed(count: int) -> None:
    told: list[str] = []
    assert list(followed(range(count), told.append, "nodes")) == list(range(count))
    assert told == []


def test_a_lint_tells_of_manifests_classes_and_worlds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.progress.PAUSE", 0)
    told: list[str] = []
    manifests = tmp_path / "app/manifests"
    manifests.mkdir(parents=True)
    for number in range(FEW + 1):
        text = f"class app::c{number} {{ if $facts['kernel'] == 'x' {{ notify {{ 'a': }} }} }}\n"
        (manifests / f"c{number}.pp").write_text(text)
    settings = Settings(progress=told.append)
    request = Request(
        (str(tmp_path / "app"),), settings_for=lambda path: settings, worlds=8, progress=told.append
    )
    lint_inputs(request)
    count = FEW + 1
    for noun in ("manifests", "classes: app::c0", "nodes and classes with other facts"):
        assert any(text.startswith(f"1 of {count} {noun}") for text in told), noun
    assert told[-1] == ""
