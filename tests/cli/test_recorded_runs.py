"""Recorded runs on the command line: `order`, `order --times` and `diff`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.conftest import ROOT

from .conftest import Run

RECORDED = ROOT / "tests" / "apply" / "report" / "recorded"
FIRST, SECOND, CATALOG = (RECORDED / name for name in ("first.yaml", "second.yaml", "catalog.json"))


@pytest.mark.parametrize("name", ["second.yaml", "second.json", "second.wire.json"])
def test_order_of_a_recorded_run(run: Run, name: str) -> None:
    done = run("order", RECORDED / name)
    head, _, columns, *rows = done.out.splitlines()
    assert done.code == 0
    assert head.startswith("run of web1.example.com, 2026-11-20 ")
    assert columns.split() == ["start", "seconds", "outcome", "resource"]
    assert len(rows) == 46
    assert rows[9].endswith("Exec[broken]")
    assert "failed" in rows[9]


def test_order_from_standard_input_and_gzip(run: Run, tmp_path: Path) -> None:
    plain = run("order", SECOND)
    assert run("order", "-", stdin=SECOND.read_bytes()) == plain
    packed = tmp_path / "report.yaml.gz"
    packed.write_bytes(gzip.compress(SECOND.read_bytes()))
    assert run("order", packed) == plain


def test_titles_cannot_steer_a_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    document = json.loads((RECORDED / "second.json").read_text())
    status = document["resource_statuses"].popitem()[1]
    document["resource_statuses"] = {"a": {**status, "resource": "Notify[\x1b[2J\n]"}}
    path.write_text(json.dumps(document))
    assert "Notify[\\u001b[2J\\n]" in run("order", path).out


def test_order_as_json(run: Run) -> None:
    document = json.loads(run("order", SECOND, "--format", "json").out)
    assert (document["host"], document["status"]) == ("web1.example.com", "failed")
    row = next(one for one in document["resources"] if one["ref"] == "Exec[broken]")
    assert row["outcome"] == ["failed"]
    assert row["events"][0]["status"] == "failure"


def test_times(run: Run) -> None:
    done = run("order", CATALOG, "--times", FIRST)
    assert (done.code, done.err) == (0, "")
    assert "critical chain: 0." in done.out
    chain, slowest = done.out.split("slowest resources")
    assert "Exec[slow]" in chain
    assert "Exec[reload web]" not in chain
    assert "Exec[reload web]" in slowest
    assert "hunter2" not in done.out


def test_times_as_json(run: Run) -> None:
    document = json.loads(run("order", CATALOG, "--times", FIRST, "--format", "json").out)
    assert document["critical_chain"][-1]["done"] == document["bound"]
    assert document["generated"][0]["by"] == "File[/srv/demo/tree]"
    assert len(document["resources"]) == 46


def test_what_a_run_does_not_tell_of_is_told(run: Run) -> None:
    done = run("order", CATALOG, "--times", RECORDED / "second-8.10.0.yaml")
    assert done.code == 0
    assert (
        "of the catalog are not in the run (the report leaves out unchanged resources)" in done.err
    )


def test_usage(run: Run) -> None:
    assert run("order", SECOND, "--times", FIRST).code == 2
    done = run("order", CATALOG, "--times", RECORDED / "second.wire.json")
    assert (done.code, "has no durations" in done.err) == (2, True)
    assert run("order", CATALOG, "--times", CATALOG).code == 2
    assert run("diff", SECOND, CATALOG).code == 2
    assert run("diff", "-", "-").code == 2


@pytest.mark.parametrize("command", ["cycles", "graph", "order"])
def test_a_damaged_report_is_one_error(run: Run, tmp_path: Path, command: str) -> None:
    path = tmp_path / "report.yaml"
    path.write_text(SECOND.read_text()[:20_000])
    done = run(command, path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"{path}")
    assert len(done.err.splitlines()) <= 3


def test_other_commands_say_what_a_report_is_for(run: Run) -> None:
    for path in (SECOND, RECORDED / "second.json", RECORDED / "second.wire.json"):
        done = run("cycles", path)
        assert (done.code, "or 'catgraph diff'" in done.err) == (2, True)


def test_diff(run: Run) -> None:
    done = run("diff", FIRST, SECOND)
    assert done.code == 1
    assert "changes gone: 8 resources\n  File[/srv/demo]  changed -> unchanged\n" in done.out
    assert run("diff", SECOND, RECORDED / "second.wire.json").code == 0
    done = run("diff", RECORDED / "noop.yaml", SECOND)
    failure = "'/bin/false' returned 1 instead of one of [0]"
    assert "new failures: 2 resources\n" in done.out
    assert failure in done.out


def test_diff_as_json_and_markdown(run: Run) -> None:
    done = run("diff", FIRST, SECOND, "--format", "json")
    document = json.loads(done.out)
    assert (done.code, len(document["differences"])) == (1, 9)
    assert document["differences"][0] == {
        "ref": "Notify[never]",
        "kind": "no longer skipped",
        "first": ["skipped"],
        "second": ["changed"],
        "messages": [],
    }
    done = run("diff", FIRST, SECOND, "--format", "markdown")
    assert "| `Notify[never]` | skipped | changed | |" in done.out


def test_diff_of_simulated_outcomes(run: Run, tmp_path: Path) -> None:
    def outcome(name: str, **flags: list[str]) -> Path:
        path = tmp_path / name
        resources = {
            f"Sim[{title}]": {"flags": words, "failed_deps": [], "events": []}
            for title, words in flags.items()
        }
        document = {"status": "", "order": [*resources], "resources": resources, "log": []}
        path.write_text(json.dumps(document))
        return path

    first = outcome("a.json", a=["changed", "scheduled", "out_of_sync"], b=["scheduled"])
    second = outcome("b.json", a=["failed", "scheduled", "out_of_sync"], b=["skipped"])
    done = run("diff", first, second)
    assert done.code == 1
    assert "Sim[a]  changed -> failed" in done.out
    assert "Sim[b]  unchanged -> skipped" in done.out
    assert run("order", first).code == 0
