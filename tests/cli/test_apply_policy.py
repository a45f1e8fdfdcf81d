"""`catgraph apply` and `catgraph why` of CFEngine's policies: a simulated run, step by step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main
from tests.frontends.cfengine.runs import RUNS


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RUNS)


def lines(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[str]:
    assert main([*words]) == code
    return capsys.readouterr().out.splitlines()


def test_a_run_in_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "apply", "methods_late.cf") == [
        "bundle main                                 methods_late.cf:8:14",
        "  pass 1",
        "    commands '/bin/true'          repaired  methods_late.cf:14:5   +ready",
        "  pass 2",
        "    methods 'call'                          methods_late.cf:12:7",
        "      bundle callee                         methods_late.cf:19:14",
        "        pass 1",
        "          commands '/bin/echo x'  repaired  methods_late.cf:22:5   +called",
        "          reports 'in callee'     kept      methods_late.cf:24:5",
        "    back in methods 'call'        repaired  methods_late.cf:12:7",
        "    reports 'after'               kept      methods_late.cf:17:7",
        "",
        "5 promises: 3 repaired, 2 kept",
    ]


def test_a_promise_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    fail = ("--fail", "Commands[main:/bin/true]")
    found = lines(capsys, "apply", "methods_late.cf", *fail, code=1)
    assert found[2].split() == [
        *("commands", "'/bin/true'", "not_kept", "methods_late.cf:14:5", "+ready_failed")
    ]
    assert found[-1] == "1 promise: 1 not kept"
    assert [line.split()[3] for line in found if line.startswith("-")] == ["call", "after"]


def test_steps_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["apply", "cancelled_class.cf", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["program"], document["failed"]) == ("agent", False)
    changed = [
        (step["label"], step.get("classes"), step.get("cancelled"))
        for step in document["steps"]
        if "classes" in step or "cancelled" in step
    ]
    assert changed == [
        ("commands '/bin/echo 2'", ["a"], None),
        ("commands '/bin/echo 3'", None, ["a"]),
    ]
    assert [step["step"] for step in document["steps"]] == list(range(len(document["steps"])))


def test_all_shows_what_is_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    found = lines(capsys, "apply", "chain_of_four_backwards.cf", "--all")
    assert sum("skipped: class_guard" in line for line in found) == 9
    assert sum("skipped: already_done" in line for line in found) == 3


def test_classes_that_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    found = lines(capsys, "apply", "chain_of_four_backwards.cf", "--define", "d", "--define", "c")
    assert found[-1] == "5 promises: 5 repaired"


@pytest.mark.parametrize("words", [["--noop"], ["--format", "puppet"], ["--tags", "x"]])
def test_what_is_of_catalogs_only(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["apply", "methods_late.cf", *words]) == 2
    assert "cannot be used with a policy" in capsys.readouterr().err


def test_a_promise_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["apply", "methods_late.cf", "--fail", "Commands[main:/bin/tru]"]) == 2
    assert "did you mean 'Commands[main:/bin/true]'?" in capsys.readouterr().err


def test_why_one_is_never_kept(capsys: pytest.CaptureFixture[str]) -> None:
    name = "chain_of_four_backwards.cf"
    assert lines(capsys, "why", name, "Commands[main:/bin/echo e]", code=1) == [
        f"Commands[main:/bin/echo e] at {name}:12:7 is never kept:",
        "  class d is not set; commands '/bin/echo d' would set it when it is repaired"
        f"  {name}:14:7",
    ]
    define = ("--define", "d")
    assert lines(capsys, "why", name, "Commands[main:/bin/echo e]", *define) == [
        f"Commands[main:/bin/echo e] at {name}:12:7: repaired in pass 1, step 3"
    ]
    assert main(["why", name, "Commands[main:nothing]"]) == 2
    assert "there is no promise" in capsys.readouterr().err


def test_why_of_two_in_a_run_with_classes(capsys: pytest.CaptureFixture[str]) -> None:
    refs = ("Commands[main:/bin/echo e]", "Commands[main:/bin/echo a]")
    found = lines(capsys, "why", "chain_of_four_backwards.cf", *refs, "--define", "d")
    assert found[0] == f"{refs[0]} is evaluated before {refs[1]}:"
    assert found[-1].endswith("written order")


def test_impact_with_classes(capsys: pytest.CaptureFixture[str]) -> None:
    name, ref = "chain_of_four_backwards.cf", "Commands[main:/bin/echo d]"
    assert main(["impact", name, ref]) == 2
    assert f"'catgraph why {name} REF' explains why" in capsys.readouterr().err
    found = lines(capsys, "impact", name, ref, "--define", "c")
    assert found[1:3] == [
        "  promises that need what it sets: 1",
        "    Commands[main:/bin/echo e]  class d",
    ]


def test_a_loop_of_depends_on_is_a_cycle(capsys: pytest.CaptureFixture[str]) -> None:
    found = lines(capsys, "cycles", "depends_loop.cf", code=1)
    assert any("Commands[main:/bin/echo a]" in line for line in found)
    assert any("depends_on" in line for line in found)
    assert lines(capsys, "cycles", "methods_late.cf") == [
        "methods_late.cf: no promises wait for each other (5 promises in 2 bundles)"
    ]


def test_cycles_with_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cf"
    path.write_text(
        "bundle agent main\n{\n  commands:\n"
        '    "/bin/echo a" handle => "a", depends_on => { "b" };\n'
        '  off::\n    "/bin/echo b" handle => "b", depends_on => { "a" };\n}\n'
    )
    assert main(["cycles", str(path)]) == 0
    assert main(["cycles", str(path), "--define", "off"]) == 1
    assert "depends_on" in capsys.readouterr().out
