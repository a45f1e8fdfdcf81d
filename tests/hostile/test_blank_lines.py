"""Blank lines cost what other lines do: with the square of them, each of these takes minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main

BLANK = "\n" * 400_000


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("m/manifests/init.pp", "class m { }\n" + BLANK),
        ("environment.conf", BLANK + "manifest = site.pp" + " " * 100_000 + "x\n"),
        ("Puppetfile", BLANK),
        ("m/facts.d/a.sh", BLANK),
        ("data/common.yaml", BLANK),
    ],
)
def test_blank_lines(file: str, text: str, tmp_path: Path) -> None:
    for name in ("m/manifests/init.pp", "manifests/site.pp", file):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name == file else "notify { 'a': }\n")
    for command in ("lint", "modules"):
        main([command, str(tmp_path)])
