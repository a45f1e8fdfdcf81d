"""The formats of an answer, and the command's exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main
from analyzer.fleet.causes import CauseCollector
from analyzer.fleet.formats import FORMATS, render
from analyzer.fleet.report import FleetReport, report_of
from analyzer.fleet.run import FleetProgress
from analyzer.fleet.values import CauseStatement, Occurrence, ResultOfNode
from tests.fleet.generator import write

EVIL = "x\x1b[31m\n::error::`|<b>\u202e"


def report(text: str = "two") -> FleetReport:
    causes = CauseCollector()
    made = CauseStatement(f"/m/{text}.pp", 3, f"{text} requires y", (), f"{text}.pp")
    found = Occurrence("CG301", "error", (made,), (f"File[{text}]", "File[y]"))
    causes.add("a", ResultOfNode("a", "1", 3, (found,)))
    causes.add("b", ResultOfNode(f"b{text}", "2", 3, (found,), ("something",)))
    causes.add("c", ResultOfNode("c", failed=text))
    return report_of("cycles", "/src", causes, FleetProgress(3, 3), 1.0)


def test_the_text_has_causes_failures_and_numbers() -> None:
    assert render("text", report()) == (
        "error CG301: dependency cycle: 2 of 3 nodes (a, btwo)\n"
        "  two.pp:3: two requires y\n"
        "  for example a: File[two] => File[y]\n"
        "\n"
        "incomplete: btwo: something\n"
        "failed: c: two\n"
        "\n"
        "1 cause in 2 of 3 nodes; 1 node failed; 1 node incomplete\n"
    )


def test_the_json_of_cycles() -> None:
    assert json.loads(render("json", report())) == {
        "nodes": 3,
        "causes": [
            {
                "statements": [{"file": "/m/two.pp", "line": 3, "text": "two requires y"}],
                "nodes": ["a", "btwo"],
                "example": {"node": "a", "path": ["File[two]", "File[y]"]},
            }
        ],
        "failed": [
            {"node": "btwo", "reason": "something", "incomplete": True},
            {"node": "c", "reason": "two", "incomplete": False},
        ],
    }


def test_openmetrics_has_a_line_a_cause() -> None:
    text = render("openmetrics", report("a\\b"))
    assert 'state="affected"} 2\n' in text
    assert 'code="CG301",severity="error",place="a\\\\b.pp:3"' in text
    assert text.endswith("} 2\n# EOF\n")


@pytest.mark.parametrize("name", FORMATS)
def test_no_text_of_a_catalog_makes_a_line(name: str) -> None:
    text = render(name, report(EVIL))
    assert not [line for line in text.splitlines() if line.strip().startswith("::error::")]


def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, *words: str) -> tuple[int, str, str]:
    code = main(["fleet", *words, "--store", str(tmp_path / "fleet.sqlite"), "--workers", "1"])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_exit_codes_and_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "catalogs"
    write(folder, 2)
    code, out, _ = run(capsys, tmp_path, "cycles", str(folder))
    assert code == 1
    assert out.endswith("2 causes in 2 of 2 nodes\n")
    code, out, _ = run(capsys, tmp_path, "log", str(folder))
    assert code == 0
    assert re.search(r"cycles .*: first seen \d{4}-\d\d-\d\d, last seen .*, 1 nodes", out)
    for file in folder.rglob("*.json*"):
        file.unlink()
    assert run(capsys, tmp_path, "cycles", str(folder))[::2] == (
        2,
        f"{folder}: error: there is no catalog in this folder (*.json, *.json.gz) (no-catalogs)\n",
    )
    (folder / "bad.json").write_text("{}")
    code, out, _ = run(capsys, tmp_path, "cycles", str(folder), "-f", "jsonl")
    row: dict[str, Any] = json.loads(out)
    assert (code, row["node"], bool(row["failed"])) == (3, "bad.json", True)


def test_a_cause_counts_more_than_a_node_that_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "catalogs"
    write(folder, 1)
    (folder / "bad.json").write_text("{}")
    code, out, _ = run(capsys, tmp_path, "cycles", str(folder))
    assert (code, out.splitlines()[-1]) == (1, "1 cause in 1 of 2 nodes; 1 node failed")
    assert run(capsys, tmp_path, "query", "type = Nothing", str(folder))[0] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense", "x"], "unknown question 'nonsense'"),
        (["cycles"], "'cycles' takes one source"),
        (["why", "A[b]", "x"], "'why' takes two references and a source"),
        (["diff", "x"], "'diff' takes REPO --rev REV, or SOURCE REPO"),
        (["cycles", "nowhere"], "no such file or folder"),
        (["cycles", ".", "--engine", "spark"], "expected pool, dask or dask://HOST:PORT"),
        (["lint", ".", "--select", "XX1"], "unknown rule 'XX1'"),
        (["query", "type =", "."], "error"),
        (["cycles", "puppetdb+ftp://x"], "expected puppetdb+https://HOST:8081"),
        (["cycles", "puppetdb+http://127.0.0.1:1"], "cannot be reached"),
    ],
)
def test_what_is_wrong_is_one_error(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    code, out, err = run(capsys, tmp_path, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


TOML = """\
[[types.thing.automatic]]
kind = "autorequire"
target = "notify"
from = "wants"
"""


def test_the_types_of_the_users_file_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"type": "Thing", "title": "t", "parameters": {"wants": "n"}},
        {"type": "Notify", "title": "n", "parameters": {"require": "Exec[e]"}},
        {"type": "Exec", "title": "e", "parameters": {"require": "Thing[t]"}},
    ]
    folder = tmp_path / "catalogs"
    folder.mkdir()
    (folder / "n.json").write_text(json.dumps({"name": "n", "resources": rows, "edges": []}))
    assert run(capsys, tmp_path, "cycles", str(folder))[0] == 0
    (folder / "catgraph.toml").write_text(TOML)
    assert run(capsys, tmp_path, "cycles", str(folder))[0] == 1
