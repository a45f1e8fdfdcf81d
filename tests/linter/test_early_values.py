"""A variable under `!class` keeps its value although the class is set later in the same bundle."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main

POLICY = """bundle agent main
{
  vars:
    !off::
      "mode" string => "on";
%s  classes:
    "off" expression => "any";
  reports:
    "mode $(mode)";
}
"""


def lint(tmp_path: Path, more: str, capsys: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "a.cf"
    path.write_text(POLICY % more, encoding="utf-8")
    main(["lint", str(path)])
    return capsys.readouterr().out


def test_a_value_that_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # cf-agent 3.21 prints "R: mode on".
    found = lint(tmp_path, "", capsys)
    assert "gets its value before 'off' is set, and keeps it (CG524)" in found


def test_a_value_that_is_set_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # cf-agent 3.21 prints "R: mode off".
    assert "CG524" not in lint(tmp_path, '    off::\n      "mode" string => "off";\n', capsys)
