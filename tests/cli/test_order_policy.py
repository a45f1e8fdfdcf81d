"""`catgraph order` of CFEngine's policies: a simulated run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main
from tests.frontends.cfengine.runs import RUNS, recorded

CHAIN = RUNS / "chain_of_four_backwards.cf"


def test_promises_with_their_passes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(RUNS)
    assert main(["order", CHAIN.name]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1  main  commands  /bin/echo a  repaired  chain_of_four_backwards.cf:20",
        "2  main  commands  /bin/echo b  repaired  chain_of_four_backwards.cf:18",
        "3  main  commands  /bin/echo c  repaired  chain_of_four_backwards.cf:16",
        "",
        "never:",
        "-  main  commands  /bin/echo e  class_guard d  chain_of_four_backwards.cf:12",
        "-  main  commands  /bin/echo d  class_guard c  chain_of_four_backwards.cf:14",
    ]


def test_the_events_are_those_of_the_agent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = RUNS / "failed_command.cf"
    assert main(["order", str(path), "--format", "json"]) == 0
    assumed = json.loads(capsys.readouterr().out)
    assert [row["outcome"] for row in assumed][:1] == ["repaired"]
    assumed[0]["outcome"] = "not_kept"
    (tmp_path / "outcomes.json").write_text(json.dumps(assumed))
    outcome = str(tmp_path / "outcomes.json")
    assert main(["order", str(path), "--format", "json", "--outcome", outcome]) == 0
    rows = json.loads(capsys.readouterr().out)
    fields = ("bundle", "type", "line", "iteration", "pass", "outcome")
    assert [[row[field] for field in fields] for row in rows] == recorded(path)


def test_classes_that_are_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cf"
    path.write_text('bundle agent main {\n  reports:\n    web:: "web";\n    any:: "all";\n}\n')
    assert main(["order", str(path), "--define", "web,db"]) == 0
    assert [line.split()[3] for line in capsys.readouterr().out.splitlines()] == ["web", "all"]


def test_the_documented_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cf"
    path.write_text(
        'bundle agent main { files: "/x" edit_line => e; }\n'
        'bundle edit_line e { defaults: "d" string => "1"; insert_lines: "x"; }\n'
    )
    for order, types in (("running", ["files", "insert_lines"]), ("documented", None)):
        assert main(["order", str(path), "--normal-order", order]) == 0
        found = [line.split()[2] for line in capsys.readouterr().out.splitlines()]
        assert found == (types or ["files", "defaults", "insert_lines"])


@pytest.mark.parametrize("text", ["{", "[1]", '[{"outcome": "kept"}]', '{"x": 1}'])
def test_outcomes_that_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "o.json").write_text(text)
    assert main(["order", str(CHAIN), "--outcome", str(tmp_path / "o.json")]) == 2
    assert "(bad-outcomes)" in capsys.readouterr().err


def test_a_policy_that_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cf"
    path.write_text('bundle agent main { reports: "a" }\n')
    assert main(["order", str(path)]) == 3
    error = capsys.readouterr().err
    assert error.startswith(f"{path}:1:34: error: Expected ';', got '}}' (cf-policy)\n")
    assert error.splitlines()[2].endswith("^")


def test_a_bundle_that_calls_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cf"
    path.write_text(
        'bundle agent main { methods: "m" usebundle => b("x"); }\n'
        'bundle agent b(x) { methods: "m" usebundle => b("$(x)y"); }\n'
    )
    assert main(["order", str(path)]) == 0
    assert "calls itself" in capsys.readouterr().err
