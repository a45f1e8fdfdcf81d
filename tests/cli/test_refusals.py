"""What was refused is never called clean: where `cycles` exits with 3, `lint` does not exit with 0.

Bad input has one exit code, whichever command reads it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

__all__ = ["run"]

Put = Callable[[str, str | bytes], Path]

# What stands where a file is expected. A limit of 10 kB makes the last one too large.
BROKEN: dict[str, str | bytes] = {
    "outside": "-> x",
    "nowhere outside": "-> none",
    "latin": b"# \xe4\n",
    "binary": bytes(range(256)),
    "pipe": "FIFO",
    "syntax": "class m::b {",
    "large": "#" * 20_000,
}
# A file, and a statement that needs it.
NEEDED = {
    "class": ("modules/m/manifests/b.pp", "include m::b"),
    "define": ("modules/m/manifests/b.pp", "m::b { 'x': }"),
    "function": ("modules/m/functions/b.pp", "notify { m::b(): }"),
    "alias": ("modules/m/types/b.pp", "if 1 =~ M::B { notify { 'x': } }"),
    "template": ("modules/m/templates/b.epp", "notify { epp('m/b.epp'): }"),
    "configuration": ("hiera.yaml", "notify { lookup('k', default_value => 'x'): }"),
    "type": ("modules/m/lib/puppet/type/b.rb", "b { 'x': }"),
    "module": ("modules/m", "include m"),
    "folder of modules": ("modules", "include m"),
}
# What Puppet does not see either, or what may hold anything: it makes the answer incomplete.
NOT_SEEN = {
    *(("type", kind) for kind in ("latin", "binary", "syntax")),
    *((place, kind) for place in ("module", "folder of modules") for kind in BROKEN),
    *(("configuration", kind) for kind in ("syntax", "nowhere outside")),
    ("template", "syntax"),
}
# The same statement in a site, in the only class of a site, and in a module that is linted alone.
AROUND = {
    "site": ("manifests/site.pp", "%s\n", "."),
    "class": ("manifests/site.pp", "class q { %s }\n", "."),
    "module": ("modules/own/manifests/init.pp", "class own { %s }\n", "modules/own"),
}


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Write a file, a link out of the checkout or a pipe into a repository, the working folder."""
    (tmp_path / "x").write_text("class m::b { }\n")
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    monkeypatch.chdir(repo)

    def write(name: str, text: str | bytes) -> Path:
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        elif text.startswith("-> "):
            path.symlink_to(tmp_path / text[3:])
        elif text == "FIFO":
            os.mkfifo(path)
        else:
            path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("needed", NEEDED)
def test_what_cycles_does_not_call_clean(run: Run, put: Put, needed: str, around: str) -> None:
    file, statement = NEEDED[needed]
    own, code, target = AROUND[around]
    put(own, code % statement) if not own.startswith(f"{file}/") else None
    put("environment.conf", "")
    for kind, text in BROKEN.items():
        if own.startswith(f"{file}/"):
            continue
        path = put(file, text)
        cycles = run("cycles", target, "--max-input", "10k")
        lint = run("lint", target, "--max-input", "10k")
        path.unlink()
        if (needed, kind) not in NOT_SEEN or (around == "site" and needed != "type"):
            assert cycles.code != 3 or lint.code != 0, (kind, cycles, lint)
        if cycles.code == 3:
            assert lint.code or "incomplete: " in lint.out, (kind, lint)


@pytest.mark.parametrize(
    "options",
    [
        ["--select", "CG3"],
        ["--ignore", "CG200"],
        ["--format", "json", "--select", "CG3"],
        ["--diff"],
        ["--fix"],
    ],
)
def test_no_choice_of_rules_hides_a_refusal(run: Run, put: Put, options: list[str]) -> None:
    put("manifests/site.pp", "include nowhere\n")
    done = run("lint", ".", *options)
    assert done.code == 3
    if "--select" in options or "--ignore" in options:
        reason = "site.pp:1:1 was not compiled: 1 module is not on the modulepath"
        assert reason in done.out + done.err


def test_a_baseline_accepts_only_the_refusals_that_it_has(run: Run, put: Put) -> None:
    put("manifests/site.pp", "include nowhere\n")
    assert run("lint", ".", "--write-baseline", "b.json").code == 0
    assert run("lint", ".", "--baseline", "b.json").code == 0
    put("manifests/site.pp", "include nowhere\ninclude nothing\n")
    done = run("lint", ".", "--baseline", "b.json")
    assert done.code == 3
    assert "nothing" in done.out + done.err
    assert run("lint", ".", "--baseline", "b.json", "--allow-incomplete").code == 0


def test_modules_behind_a_link_are_not_searched(run: Run, put: Put, tmp_path: Path) -> None:
    """Whether they are there is not told: the answers are the same."""
    put("manifests/site.pp", "include sec\n")
    answers = []
    for there in (False, True):
        link = put("modules", "-> outside")
        if there:
            (tmp_path / "outside" / "sec" / "manifests").mkdir(parents=True)
            (tmp_path / "outside/sec/manifests/init.pp").write_text("class sec { }\n")
        answers.append([run(c, ".") for c in ("lint", "cycles", "compile")])
        link.unlink()
    assert answers[0] == answers[1]
    assert [done.code for done in answers[0]] == [3, 3, 3]
    for done in answers[0]:
        assert "; modulepath modules was not searched: its real path is outside" in (
            done.out + done.err
        )
    put("environment.conf", f"modulepath = {tmp_path}/outside\n")
    found = run("cycles", ".")
    put("environment.conf", f"modulepath = {tmp_path}/no\n")
    assert found.err.replace("outside ", "no ", 1) == run("cycles", ".").err


# An input, and the exit code of every command that takes one.
WRONG: dict[str, tuple[str, str | bytes, int]] = {
    "missing": ("none.pp", "", 2),
    "binary": ("x.pp", bytes(range(256)), 2),
    "pipe": ("x.pp", "FIFO", 2),
    "outside": ("x.pp", "-> x", 2),
    "syntax": ("x.pp", "class x {\n", 3),
    "JSON": ("x.json", "{", 2),
    "list": ("x.json", "[]", 2),
    "pipe of data": ("x.json", "FIFO", 2),
    "empty": ("x.json", "", 2),
    "data outside": ("x.json", "-> x", 2),
    "no policy": ("x.cf", "bundle agent {", 3),
}
COMMANDS = {
    "cycles": [], "lint": [], "order": [], "graph": [], "apply": [], "compile": [], "explore": [],
    "why": ["File[/a]", "File[/b]"], "impact": ["File[/a]"], "query": ["type = File"],
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_every_command_gives_the_same_exit_code(run: Run, put: Put, name: str) -> None:
    file, text, code = WRONG[name]
    if name != "missing":
        put(file, text)
    for command, words in COMMANDS.items():
        if not file.endswith(".pp") and command in ("compile", "explore"):
            assert run(command, file).code == 2
            continue
        done = run(command, file, *words)
        assert (command, done.code) == (command, code), done
        assert "error: " in done.err + done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--modulepath", "nope"], "nope: error: no such folder (--modulepath)"),
        (["--modulepath", "modules:nope"], "nope: error: no such folder (--modulepath)"),
        (["--hiera-config", "nope"], "nope: error: no such file (--hiera-config)"),
        (["--facts", "nope"], "nope: error: cannot be read"),
        (["--facts-dir", "nope"], "nope: error: "),
        (["--nodes-dir", "nope"], "nope"),
        (["--config", "nope"], "nope: error: "),
        (["--environment", "nope"], "no environment 'nope'"),
        (["--param", "x=1"], "error: "),
        (["--puppet-version", "9"], "expected a version of Puppet"),
    ],
)
def test_options_that_name_nothing(run: Run, put: Put, options: list[str], words: str) -> None:
    put("environments/production/manifests/site.pp", "notify { 'x': }\n")
    (Path("modules")).mkdir()
    for command in ("cycles", "lint", "compile", "order", "explore", "graph"):
        done = run(command, ".", *options)
        assert (command, done.code, words in done.err + done.out) == (command, 2, True), done


@pytest.mark.parametrize("command", [*COMMANDS, "parse", "modules"])
def test_an_empty_word_is_no_folder(run: Run, put: Put, command: str) -> None:
    """A variable of a shell that is not set."""
    put("manifests/site.pp", "notify { 'x': }\n")
    assert run(command, "", *COMMANDS.get(command, [])).code == 2


@pytest.mark.parametrize("command", [*COMMANDS, "parse", "modules"])
def test_what_is_not_there_is_named(run: Run, put: Put, command: str) -> None:
    done = run(command, "none", *COMMANDS.get(command, []))
    assert (done.code, "No such file or directory" in done.err + done.out) == (2, True)


def test_the_end_of_input_has_a_caret(run: Run, put: Put) -> None:
    put("x.pp", "class x {\n")
    for command in ("cycles", "compile", "lint", "parse"):
        done = run(command, "x.pp")
        assert "x.pp:1:10: error: Syntax error at end of input" in done.out + done.err
        assert "  class x {\n           ^\n" in done.out + done.err


def test_parse_takes_no_catalog(run: Run, put: Put) -> None:
    put("x.json", "{}")
    done = run("parse", "x.json")
    assert (done.code, "neither a manifest (.pp), a template (.epp) nor" in done.err) == (2, True)


def test_modules_needs_no_manifest(run: Run, put: Put) -> None:
    put("Puppetfile", "mod 'a-b'\n")
    done = run("modules", ".")
    assert (done.code, "1 module declared in Puppetfile, 1 not installed" in done.out) == (1, True)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("Puppetfile", "FIFO", 2),
        ("Puppetfile", "-> x", 2),
        ("metadata.json", "{", 2),
        (".fixtures.yml", "{", 2),
        ("manifests/site.pp", "class x {", 3),
        ("manifests/site.pp", b"\xe4", 3),
    ],
)
def test_modules_reports_what_it_cannot_read(
    run: Run, put: Put, name: str, text: str | bytes, code: int
) -> None:
    put(name, text)
    done = run("modules", ".")
    assert (done.code, done.err.startswith(name)) == (code, True), done


@pytest.mark.slow
def test_nesting_of_yaml_is_bounded_before_it_is_parsed(run: Run, put: Put) -> None:
    put("manifests/site.pp", "notify { lookup('k'): }\n")
    put("hiera.yaml", "[" * 100_000)
    assert run("cycles", ".", "--time-limit", "5").code == 3
