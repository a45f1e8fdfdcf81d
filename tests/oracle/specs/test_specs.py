"""The comparison finds what agrees, what differs and what is no truth, in a recording of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SETTINGS = {"strict": "error", "strict_variables": "true", "rich_data": "true"}
ENV: dict[str, Any] = {"name": "production", "modulepath": [], "manifest": "", "dir": None}


def record(name: str, code: str, **answer: Any) -> dict[str, Any]:
    base = {"kind": "compile", "code": code, "env": ENV, "node": "web1", "settings": SETTINGS}
    return {"id": name, "spec": f"{name}_spec.rb:1", **base, **answer}


def refused(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "line": 1, "pos": 1}}


RECORDS = [
    record("alike", "fail('no')", **refused("Evaluation Error: no (line: 1, column: 1)")),
    record("accepted", "$a = 1", **refused("Evaluation Error: no")),
    record("doubled", "$a = 1", doubles=["Puppet::Pops::Loaders#find"], **refused("no")),
    record("failed", "$a = 1", **refused("no")),
    {"kind": "failed", "id": "failed x", "spec": "failed_spec.rb:1", "example": None},
    {"id": "sum", "kind": "eval", "source": "1 + 2", "settings": SETTINGS, "value": "3"},
    {"id": "type", "kind": "assignable", "left": "Any", "right": "Integer", "value": False},
]


def test_recording(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    lines = "".join(f"{json.dumps(one)}\n" for one in RECORDS)
    (tmp_path / "raw" / "own.jsonl").write_text(lines + '{"id": "cut')
    command = [sys.executable, "-m", "tests.oracle.specs", str(tmp_path), "--source", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert run.returncode == 1
    assert "left out     1 compile: doubles" in run.stdout
    assert "left out     1 compile: example failed while it was recorded" in run.stdout
    assert "differ       1 compile: only Puppet refuses: no (accepted" in run.stdout
    assert "differ       1 assignable: value: false, ours true (type" in run.stdout
    rows = [line.split() for line in run.stdout.splitlines() if " recorded " in line]
    assert [(row[0], row[3], row[5]) for row in rows] == [
        ("compile", "2", "1"),
        ("eval", "1", "1"),
        ("assignable", "1", "0"),
    ]
