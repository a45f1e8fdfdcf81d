"""Repositories with environments of other names than `production`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main

pytestmark = pytest.mark.usefixtures("one_world")


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["development", "staging"], "staging"),
        (["customer_a", "customer_b"], "customer_a"),
        (["customer_a", "production"], "production"),
        (["main", "empty", "feature"], "main"),
    ],
)
@pytest.mark.parametrize("above", ["", "puppet/"])
def test_without_production_another_environment_is_checked(
    above: str,
    names: list[str],
    chosen: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in names:
        place = tmp_path / f"{above}environments/{name}/manifests"
        place.mkdir(parents=True)
        if name != "empty":
            (place / "site.pp").write_text("notify { $environment: require => Notify['x'] }\n")
    assert main(["lint", str(tmp_path), "--format", "json"]) == 1
    (first, *_) = json.loads(capsys.readouterr().out)["findings"]
    assert f"{above}environments/{chosen}/manifests/site.pp" in first["file"]
    assert main(["lint", str(tmp_path), "--environment", "nope"]) == 2
