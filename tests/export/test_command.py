"""`catgraph graph`: formats by extension, views, bad usage, what is missing on the machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.cli.commands.graph import FORMATS

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], sample: Callable[[str], Path]) -> Run:
    """Runs `catgraph graph` on a sample: exit code, output, errors."""

    def call(*words: str, name: str = "require_loop") -> tuple[int, str, str]:
        code = main(["graph", str(sample(name) / "catalog.json"), *words])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_dot_goes_to_standard_output(run: Run) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert out.startswith("digraph")


@pytest.mark.parametrize(
    ("file", "start"),
    [
        ("x.dot", "digraph"), ("x.gv", "digraph"), ("x.json", '{"nodes"'),
        ("x.graphml", "<?xml"), ("x.mmd", "flowchart"), ("x.HTML", "<!DOCTYPE html>"),
        ("x", "digraph"),
    ],
)  # fmt: skip
def test_the_extension_decides(run: Run, tmp_path: Path, file: str, start: str) -> None:
    assert run("-o", str(tmp_path / file)) == (0, "", "")
    assert (tmp_path / file).read_text().startswith(start)


def test_the_format_option_wins(run: Run, tmp_path: Path) -> None:
    run("-o", str(tmp_path / "x.json"), "--format", "mermaid")
    assert (tmp_path / "x.json").read_text().startswith("flowchart")


@pytest.mark.parametrize("form", [name for name in FORMATS if name not in ("svg", "png")])
@pytest.mark.parametrize("view", ["relationships", "containment", "expanded"])
def test_output_is_the_same_every_time(run: Run, form: str, view: str) -> None:
    words = ("--format", form, "--view", view)
    first, second = run(*words, name="stages"), run(*words, name="stages")
    assert first[0] == 0
    assert first == second


def test_json_has_all_edges_unless_reduced(run: Run) -> None:
    whole = json.loads(run("--format", "json", name="healthy_web_stack")[1])
    small = json.loads(run("--format", "json", "--reduce", name="healthy_web_stack")[1])
    assert len(small["edges"]) < len(whole["edges"])
    assert len(small["nodes"]) == len(whole["nodes"])


def test_drawings_are_reduced_unless_told_not_to(run: Run) -> None:
    small = run("--format", "mermaid", name="healthy_web_stack")[1]
    whole = run("--format", "mermaid", "--no-reduce", name="healthy_web_stack")[1]
    assert len(small) < len(whole)


def test_focus_and_fold(run: Run) -> None:
    near = json.loads(run("--format", "json", "--focus", "Service[app]", "--depth", "1")[1])
    assert {n["ref"] for n in near["nodes"]} == {"Service[app]", "File[/etc/app/app.conf]"}
    folded = json.loads(run("--format", "json", "--fold", "class")[1])
    assert "Class[App]" in {n["ref"] for n in folded["nodes"]}
    assert folded["edges"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--focus", "Service[ap]"], "did you mean Service[app]"),
        (["--focus", "nonsense"], "is not in the catalog"),
        (["--depth", "2"], "--depth needs --focus"),
        (["--focus", "Service[app]", "--depth", "-1"], "0 or more"),
        (["--reduce", "--no-reduce"], "cannot be used together"),
        (["--format", "pdf"], "invalid choice"),
        (["--view", "tree"], "invalid choice"),
        (["--fold", "define"], "invalid choice"),
    ],
)
def test_bad_usage_exits_with_two(run: Run, words: list[str], message: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_png_is_not_thrown_at_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, _, err = run("--format", "png")
    assert code == 2
    assert "name a file" in err


def test_without_graphviz_the_exit_code_is_two(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    code, _, err = run("-o", str(tmp_path / "x.svg"))
    assert code == 2
    assert "apt-get install graphviz" in err
    assert not (tmp_path / "x.svg").exists()


def test_a_format_imports_only_what_it_needs(sample: Callable[[str], Path]) -> None:
    script = (
        "import sys; from analyzer.cli import main; "
        "main(['graph', sys.argv[1], '--format', 'json', '-o', '/dev/null']); "
        "print(*(m for m in ('pydot', 'networkx', 'graphviz', 'analyzer.export.page.layout') "
        "if m in sys.modules))"
    )
    path = str(sample("require_loop") / "catalog.json")
    command = [sys.executable, "-c", script, path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
