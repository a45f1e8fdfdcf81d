"""Repositories that hold modules and no manifests of a site, in the shapes that there are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main

CYCLE = (
    "class app($x = lookup('x', String, 'first', 'b')) {\n"
    "  notify { 'a': require => Notify[$x] }\n"
    "  notify { 'b': require => Notify['a'] }\n"
    "}\n"
)


@pytest.mark.parametrize(
    ("module", "files"),
    [
        pytest.param("modules/app", {}, id="modules"),
        pytest.param("modules/app", {"manifests/.keep": ""}, id="no manifest in manifests"),
        pytest.param("site/app", {"environment.conf": "modulepath = site\n"}, id="modulepath"),
        pytest.param("deployment/puppet/app", {}, id="folders in folders"),
        pytest.param(
            "modules/app",
            {
                "hiera.yaml": "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n",
                "data/common.yaml": "x: b\n",
            },
            id="data",
        ),
    ],
)
@pytest.mark.parametrize("command", ["cycles", "lint", "explore"])
def test_classes_of_modules_are_compiled(
    command: str,
    module: str,
    files: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in {**files, f"{module}/manifests/init.pp": CYCLE}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main([command, str(tmp_path), "--format", "json"]) == 1
    assert "Notify[b]" in json.dumps(json.loads(capsys.readouterr().out))


def test_nothing_at_all_is_still_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "modules").mkdir()
    assert main(["cycles", str(tmp_path)]) == 2
    assert "no manifests (.pp) in this folder" in capsys.readouterr().err
