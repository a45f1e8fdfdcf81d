"""Every command and format says that a catalog is incomplete, and never ends with 0.

The commands and formats are read from the command line itself: a new one is tried, too, or must be
named among those that say nothing about a catalog.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.cli.command_table import COMMANDS
from analyzer.cli.shared.options import Option
from tests.cli.conftest import Run
from tests.cli.test_refused_policies import commit

# The words of every statement about these catalogs.
WORDS = "incomplete: container of "

# Commands that answer no question about catalogs, or only in a terminal or an editor.
OTHERS = {
    "rule", "parse", "modules", "unused", "facts", "init", "completion", "lsp", "tui", "serve",
    "verify", "play", "mcp", "convert",
}  # fmt: skip

# Commands that take manifests only, with the exit code for an incomplete catalog without findings.
MANIFESTS = {
    # Puppet prints what it could compile, and so does `compile`: its reader sees the statement.
    "compile": 0,
    # The gate of `lint` is about code that was not checked; all of this manifest was.
    "lint": 0,
    "check": 3,
    "explore": 3,
    "upgrade": 3,
}

# The words after the command; others get the catalog alone.
ARGUMENTS = {
    "why": ["CATALOG", "Notify[out]", "Notify[in a]"],
    "impact": ["CATALOG", "Notify[out]"],
    "query": ["CATALOG", "type = Notify"],
    "diff": ["CATALOG", "CATALOG"],
    "fleet": ["cycles", "FOLDER", "--no-store", "--workers", "1"],
    "upgrade": ["--to", "puppet-8"],
}


def rows(*, cycle: bool) -> list[dict[str, object]]:
    """A class with a notify that requires one outside, without the edges that say so."""
    out: dict[str, object] = {"require": "Notify[in a]"} if cycle else {}
    return [
        {"type": "Class", "title": "A", "kind": "class"},
        {"type": "Notify", "title": "in a", "parameters": {"require": "Notify[out]"}},
        {"type": "Notify", "title": "out", "parameters": out},
    ]


def formats_of(command: str) -> Iterator[str]:
    """Yield the formats of a command."""
    if command == "compile":
        # Its formats are those of --plan, which is no catalog.
        return iter(("",))
    module = __import__(COMMANDS[command][0], fromlist=["OPTIONS"])
    options: tuple[Option, ...] = module.OPTIONS
    return iter(next((one.choices for one in options if one.name == "format"), ("",)))


CASES = [
    (command, form)
    for command in COMMANDS
    if command not in OTHERS and command not in MANIFESTS
    for form in formats_of(command)
]


@pytest.mark.parametrize("cycle", [False, True], ids=["no cycle", "cycle"])
@pytest.mark.parametrize(("command", "form"), CASES)
def test_every_answer_says_so(
    run: Run, tmp_path: Path, command: str, form: str, cycle: bool
) -> None:
    if form in ("svg", "png"):
        pytest.importorskip("graphviz")
    path = tmp_path / "n.json"
    document = {"name": "n", "resources": rows(cycle=cycle), "edges": []}
    path.write_text(json.dumps(document), encoding="utf-8")
    given = {"CATALOG": str(path), "FOLDER": str(tmp_path)}
    words = [given.get(word, word) for word in ARGUMENTS.get(command, ["CATALOG"])]
    output = tmp_path / "answer"
    form_words = ["--format", form, "-o", str(output)] if form else []
    done = run(command, *words, *form_words)
    assert done.code in ((1, 3) if cycle else (3,))
    answer = output.read_bytes().decode("utf-8", "replace") if output.exists() else done.out
    if form == "openmetrics":
        # Metrics are numbers of nodes.
        assert 'state="incomplete"} 1' in answer
        return
    said = WORDS.removeprefix("incomplete: ") if command == "fleet" else WORDS
    # A program reads the answer, a person the errors, too.
    in_answer = command in ("cycles", "graph") and form != "png"
    assert "container of " in answer if in_answer else said in answer + done.err + done.out


@pytest.mark.parametrize(
    ("command", "form"), [(name, form) for name in MANIFESTS for form in formats_of(name)]
)
def test_every_answer_about_manifests_says_so(
    run: Run, tmp_path: Path, command: str, form: str
) -> None:
    (tmp_path / "site.pp").write_text("notify { generate('/bin/date'): }\n", encoding="utf-8")
    folder = command == "check"
    if folder:
        commit(tmp_path)
    words = [tmp_path if folder else tmp_path / "site.pp", *(["--format", form] if form else [])]
    done = run(command, *words, *ARGUMENTS.get(command, []))
    assert done.code == MANIFESTS[command]
    assert "incomplete" in done.out + done.err
    assert "runs a command" in done.out + done.err
    if command == "compile":
        assert done.err.startswith("incomplete: title at ")


def test_a_simulated_run_of_the_known_part_is_allowed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    path.write_text(json.dumps({"resources": rows(cycle=False), "edges": []}), encoding="utf-8")
    assert run("apply", path).code == 3
    assert run("apply", path, "--allow-incomplete").code == 0
    assert run("apply", path, "--allow-incomplete", "--fail", "Notify[out]").code == 1


def test_the_commands_without_a_statement_exist() -> None:
    assert set(COMMANDS) >= OTHERS | set(MANIFESTS)


def test_the_page_does_not_call_it_clean(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    path.write_text(json.dumps({"resources": rows(cycle=False), "edges": []}), encoding="utf-8")
    page = run("graph", path, "--format", "html").out
    assert "Puppet can apply all of these" not in page
    assert "Incomplete; no cycle in the known part." in page


def test_an_unknown_extension_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    path.write_text('{"resources": [], "edges": []}', encoding="utf-8")
    done = run("graph", path, "-o", tmp_path / "x.pdf")
    assert (done.code, (tmp_path / "x.pdf").exists()) == (2, False)
    assert ".svg .png" in done.err


def test_fleet_refuses_a_type_that_is_a_typing_error(run: Run, tmp_path: Path) -> None:
    row = {"type": "Service", "title": "s"}
    text = json.dumps({"name": "n", "resources": [row], "edges": []})
    (tmp_path / "n.json").write_text(text, encoding="utf-8")
    for words in (["query", tmp_path / "n.json"], ["fleet", "query", "--no-store"]):
        more = [tmp_path] if words[0] == "fleet" else []
        done = run(*words, "type = Srvice", *more)
        assert done.code == 2
        assert "did you mean 'Service'?" in done.err


def test_fleet_and_cycles_name_the_same_line(run: Run, tmp_path: Path) -> None:
    from tests.conftest import ROOT

    folder = ROOT / "sample_catalogs" / "autorequire_cycle"
    place = run("cycles", folder / "catalog.json").out.partition(":5: ")[0]
    told = run("fleet", "cycles", folder, "--no-store", "--workers", "1").out.splitlines()
    assert told[1].strip().startswith(f"{place}: ")


def test_a_noop_run_with_changes_is_not_called_unchanged(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text(f"file {{ '{tmp_path}/x': content => 'x' }}\n")
    for words in (["--noop"], ["--real", "--noop"]):
        done = run("apply", tmp_path / "a.pp", *words)
        assert "status: changes pending (noop_pending)" in done.out


def test_a_world_with_a_missing_target_is_not_ok(run: Run, tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "metadata.json").write_text('{"name": "x-m", "version": "1.0.0"}')
    text = "class m { if $facts['a'] { notify { 'x': require => Class['m::no'] } } }\n"
    (tmp_path / "manifests/init.pp").write_text(text)
    done = run("explore", tmp_path, "--format", "json", "--jobs", "1")
    (node,) = json.loads(done.out)["nodes"]
    assert {world["state"] for world in node["worlds"]} == {"ok", "missing"}
