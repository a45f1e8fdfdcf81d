"""Policies of several files: what is loaded, in which order, and what augments set."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.diagnostics import InputError
from analyzer.frontends.cfengine.agent.loading import load_policy

from .trees import HERE, TREES, ours, trees


@pytest.mark.parametrize("tree", trees(), ids=lambda tree: tree.name)
def test_as_cfengine_loads_and_prints(tree: Path) -> None:
    recorded = json.loads((HERE / "trees.json").read_text(encoding="utf-8"))
    assert ours(tree) == recorded[tree.name]


def test_paths_are_told_as_the_first_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TREES)
    files = [tree.path for tree in load_policy("inputs/promises.cf").files]
    assert files[:4] == [
        f"inputs/{name}" for name in ("promises.cf", "sub/a.cf", "sub/b.cf", "sub/c.cf")
    ]


def test_a_guard_chooses_the_inputs(tmp_path: Path) -> None:
    for name in ("web", "db"):
        (tmp_path / f"{name}.cf").write_text(f"bundle agent {name} {{ }}\n")
    path = tmp_path / "main.cf"
    path.write_text(
        "body common control\n{\n  bundlesequence => { };\n"
        '  web::\n    inputs => { "web.cf" };\n  !web::\n    inputs => { "db.cf" };\n}\n'
    )
    assert [b.name for b in load_policy(str(path)).in_load_order("agent")] == ["db"]
    assert [b.name for b in load_policy(str(path), ["web"]).in_load_order("agent")] == ["web"]


def test_inputs_that_name_each_other_are_loaded_once(tmp_path: Path) -> None:
    for one, other in ("ab", "ba"):
        control = f'body file control\n{{\n  inputs => {{ "{other}.cf" }};\n}}\n'
        (tmp_path / f"{one}.cf").write_text(control + f"bundle agent {one} {{ }}\n")
    assert len(load_policy(str(tmp_path / "a.cf")).files) == 2


def test_an_input_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.cf"
    path.write_text('body file control\n{\n  inputs => { "b.cf" };\n}\n')
    with pytest.raises(InputError) as caught:
        load_policy(str(path))
    text = str(caught.value)
    assert text.startswith(f"{path}:3:3: error: input {tmp_path}/b.cf cannot be read: No such file")
    assert text.splitlines()[2].endswith("^")


def test_what_only_all_files_together_tell(tmp_path: Path) -> None:
    (tmp_path / "b.cf").write_text("bundle agent twice { }\n")
    path = tmp_path / "a.cf"
    path.write_text(
        'body common control\n{\n  inputs => { "b.cf" };\n}\nbundle agent twice { reports: "x"; }\n'
    )
    with pytest.raises(InputError, match="Duplicate definition of bundle twice with type agent"):
        load_policy(str(path))


def test_an_input_of_a_function_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.cf"
    path.write_text(
        "body common control\n{\n"
        '  inputs => { findfiles("*.cf"), "$(nowhere.x)" };\n  bundlesequence => { "m" };\n}\n'
        'bundle agent m { reports: "m"; }\n'
    )
    assert main(["order", str(path)]) == 0
    warnings = capsys.readouterr().err.splitlines()
    assert [line.split("input ")[1] for line in warnings] == [
        "findfiles(*.cf) is known to CFEngine only; it is left out",
        "$(nowhere.x) is known to CFEngine only; it is left out",
    ]


def test_a_folder_is_its_promises_cf(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["order", str(TREES / "inputs")]) == 0
    assert "promises.cf" in capsys.readouterr().out


def test_a_folder_of_plain_bundles_is_one_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.cf").write_text('bundle agent other { reports: "other"; }\n')
    (tmp_path / "z.cf").write_text('bundle agent main { methods: "o" usebundle => other; }\n')
    assert main(["order", str(tmp_path)]) == 0
    assert "reports  other" in capsys.readouterr().out
    files = [str(tmp_path / "z.cf"), str(tmp_path / "a.cf")]
    assert main(["order", *files]) == 0
    assert "reports  other" in capsys.readouterr().out


def test_folders_that_are_no_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.cf").write_text(
            "body common control\n{\n  bundlesequence => { };\n}\n"
        )
    assert main(["order", str(tmp_path)]) == 2
    assert "holds several policies" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="holds no policy"):
        load_policy(str(empty))


def test_links_that_lead_in_a_circle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.symlink(tmp_path, tmp_path / "loop.cf")
    os.symlink(tmp_path / "x.cf", tmp_path / "x.cf")
    assert main(["order", str(tmp_path)]) == 2
    assert "(unreadable)" in capsys.readouterr().err


def test_broken_augments_are_gone_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.cf"
    path.write_text('bundle agent main { reports: "x"; }\n')
    for text in ("{", "[1]", '{"classes": {"a": {}}}', '{"vars": 1, "classes": [], "x": 2}'):
        (tmp_path / "def.json").write_text(text)
        assert main(["order", str(path)]) == 0
        captured = capsys.readouterr()
        assert captured.out.split()[3] == "x"
        assert ("warning" in captured.err) is (text[:9] != '{"vars": ')
