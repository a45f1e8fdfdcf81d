"""`catgraph parse` of CFEngine's policies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main

POLICY = 'bundle agent main\n{\n  vars:\n    "a" sting => "x";\n}\n'


def test_an_error_has_its_place_and_a_caret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.cf").write_text(POLICY)
    assert main(["parse", str(tmp_path)]) == 3
    words = "Unknown attribute 'sting' for promise type 'vars' in bundle with type 'agent'"
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path}/a.cf:4:9: error: {words} (cf-policy)",
        '      "a" sting => "x";',
        "          ^",
        "1 file: 1 error",
    ]


def test_the_tree_is_that_of_cf_promises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.cf"
    path.write_text(POLICY.replace("sting", "string"))
    assert main(["parse", str(path), "--format", "pn"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["bodies"] == []
    assert [bundle["name"] for bundle in tree["bundles"]] == ["main"]


def test_policies_of_other_programs_are_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "main.cf").write_text("smtp_bind_address = 1.2.3.4\n")
    (tmp_path / "site.pp").write_text("notify { 'x': }\n")
    assert main(["parse", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 file: no errors\n"


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", str(tmp_path / "no.cf")]) == 2
    assert "No such file" in capsys.readouterr().err
