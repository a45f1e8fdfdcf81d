"""`catgraph tui INPUT --plain`: each change is one line."""

import io

import pytest

from analyzer.cli import main
from tests.conftest import ROOT

SAMPLE = str(ROOT / "sample_catalogs" / "healthy_web_stack" / "catalog.json")


def test_a_line_for_each_change(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "s\nw Service[nginx]\nno such\nstep\nS\nf?\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["tui", SAMPLE, "--plain"]) == 0
    out = capsys.readouterr().out
    assert "> 1   Group[shop] ensure  created\nstep 1 of 45, next is Group[deploy]\n" in out
    assert "> 2   Group[deploy] ensure  created\n" in out
    assert "Service[nginx]" in out
    assert "warning: " in out
    assert "\x1b" not in out


def test_it_needs_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tui", "--plain"]) == 2
    assert "--plain needs an INPUT" in capsys.readouterr().err
