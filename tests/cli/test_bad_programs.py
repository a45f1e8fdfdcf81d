"""Whatever the code that is analysed does, a compile ends: with a catalog, or one error."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from resource import RLIMIT_AS, getrlimit

import pytest

import analyzer
from tests.cli.conftest import Outcome, Run

Write = Callable[..., Path]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write an environment's files, `manifests/site.pp` first, and stand above it."""
    monkeypatch.chdir(tmp_path)

    def write(text: str | bytes = "notify { 'x': }\n", **files: str | bytes) -> Path:
        for name, data in {"manifests/site.pp": text, **files}.items():
            path = tmp_path / "env" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        (tmp_path / "env" / "modules").mkdir(exist_ok=True)
        return Path("env")

    return write


def assert_error(done: Outcome, said: str, code: int = 3) -> None:
    """One error, in words; of a compile that goes on, the known part beside it."""
    assert done.code == code
    assert not done.out or "incomplete; no cycle in the known part" in done.out
    assert said in done.err
    assert "Traceback" not in done.err
    assert "internal error" not in done.err


ENDLESS = {
    "ranges": ("Integer[1, 1000000].each |$x| { Integer[1, 1000000].each |$y| { $y } }", ":1:"),
    "numbers": ("1000000.each |$x| { 1000000.each |$y| { $y } }", ":1:"),
    "texts": ("range('a1', 'a999999999')", ":1:"),
    "an expression": ("$a = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ /^(a+)+$/", ":1:"),
    "a large value": (
        "$x = Integer[1, 9].reduce([1]) |$m, $v| { [$m,$m,$m,$m,$m,$m,$m,$m,$m,$m] }\n"
        "notify { 'x': message => $x.flatten }",
        "",
    ),
}


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second of a compile's limit is two fifths of one, once the parser is loaded."""
    analyzer.compile(code="notice(1)")
    monkeypatch.setattr("analyzer.limits.process_time", lambda: 2.5 * time.process_time())


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("name", ENDLESS)
def test_what_takes_too_long(run: Run, site: Write, name: str) -> None:
    code, place = ENDLESS[name]
    done = run("cycles", site(code), "--time-limit", "1")
    assert_error(done, "this takes longer than 1 seconds (--time-limit N) (too-much)")
    assert f"env/manifests/site.pp{place}" in done.err


def test_what_needs_too_much_memory(run: Run, site: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.limits.TICK", 0.01)
    many = "Integer[1, 1000000].map"
    code = f'$a = {many} |$x| {{ {many} |$y| {{ "number ${{x}} of ${{y}}" }} }}\n'
    done = run("cycles", site(code), "--memory-limit", "40M")
    assert_error(done, "this needs more than 40 MB of memory (--memory-limit SIZE) (too-much)")


@pytest.mark.parametrize("code", ["sprintf('%900000000s', 'x')", "String(1, '%900000000d')"])
def test_one_value_that_needs_too_much_memory(run: Run, site: Write, code: str) -> None:
    done = run("cycles", site(f"notify {{ {code}: }}\n"))
    assert_error(done, "this needs more than 512 MB of memory (--memory-limit SIZE) (too-much)")


@pytest.mark.usefixtures("hurried")
def test_the_timer_is_left_as_it_was(run: Run, site: Write) -> None:
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    memory = getrlimit(RLIMIT_AS)
    assert run("cycles", site()).code == 0
    run("cycles", site(ENDLESS["numbers"][0]), "--time-limit", "1")
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == before
    assert getrlimit(RLIMIT_AS) == memory


def test_without_a_limit(run: Run, site: Write) -> None:
    assert run("cycles", site(), "--time-limit", "0").code == 0


def test_in_another_thread_there_is_no_timer(site: Write) -> None:
    environment = site()
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(analyzer.compile(environment)))
    thread.start()
    thread.join()
    assert len(found) == 1


DEEP = {
    "arrays": "$a = " + "[" * 30_000 + "]" * 30_000,
    "parentheses": "$a = " + "(" * 30_000 + "1" + ")" * 30_000,
    "signs": "$a = " + "- " * 30_000 + "1",
    "conditions": "if true { " * 10_000 + "}" * 10_000,
    "sums": "$a = 1" + " + 1" * 50_000,
    "calls": "function f($x) { [1].each |$y| { f($y) } }\nf(1)",
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_too_deep(run: Run, site: Write, name: str) -> None:
    said = "this is nested too deeply, or calls itself without end"
    assert_error(run("cycles", site(DEEP[name])), said)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arrays", "parentheses", "signs", "conditions", "sums"])
def test_deep_code_can_be_parsed(run: Run, site: Write, name: str) -> None:
    assert run("parse", site(DEEP[name])).code == 0


@pytest.mark.parametrize(("command", "code"), [("parse", 1), ("lint", 3), ("cycles", 3)])
def test_strings_too_deep_to_parse(run: Run, site: Write, command: str, code: int) -> None:
    """Each command has the same place, however much of the stack it uses itself."""
    done = run(command, site("$a = " + '"${' * 20_000 + "1" + '}"' * 20_000))
    assert done.code == code
    assert ":1:459: error: strings are nested too deeply (" in done.out + done.err


TEXTS: dict[str, tuple[str | bytes, str]] = {
    "latin-1": (b"notify { '\xe4': }", "site.pp: error: not UTF-8: invalid continuation byte at"),
    "UTF-16": ("notify".encode("utf-16"), "site.pp: error: not UTF-8: invalid start"),
    "a mark": (b"\xef\xbb\xbfnotify { 'x': }", "Illegal UTF-8 Byte Order mark"),
    "digits": ("$a = " + "9" * 100_000, "A Literal Integer resulted in a value outside"),
    "text of digits": ("$a = '" + "9" * 10_000 + "' + 1", ""),
    "an alias of itself": ("type A = A\n$x = 1 =~ A", "cannot be resolved to a real type"),
    "aliases of each other": ("type A = B\ntype B = A\n$x = 1 =~ A", "cannot be resolved to a"),
    "a template that is none": ("$x = epp('m/t.epp')", "t.epp: not UTF-8: invalid start byte at"),
    "a folder as a file": ("$x = file('m/d')", "Is a directory @ rb_sysopen - env/modules"),
    "a device": ("$x = file('/dev/zero')", "not a regular file @ rb_sysopen - /dev/zero"),
    "a device as a module's file": ("$x = file('m/zero')", "not a regular file @ rb_sysopen"),
    "data that go round": ("$x = lookup('round')", "Recursive lookup detected in [round, back]"),
    "data of devices": ("$x = lookup('k')", "not a regular file @ rb_sysopen"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_texts_and_files(run: Run, site: Write, name: str) -> None:
    text, said = TEXTS[name]
    zero = ", {name: z, path: zero.yaml}" if name == "data of devices" else ""
    path = site(
        text,
        **{
            "modules/m/templates/t.epp": b"\xff",
            "modules/m/files/d/x": "",
            "hiera.yaml": f"version: 5\nhierarchy: [{{name: a, path: a.yaml}}{zero}]\n",
            "data/a.yaml": "round: \"%{lookup('back')}\"\nback: \"%{alias('round')}\"\n",
        },
    )
    for link in ("modules/m/files/zero", "data/zero.yaml"):
        os.symlink("/dev/zero", path / link)
    unreadable = name in ("latin-1", "UTF-16")
    assert_error(run("cycles", path, "--allow-read", "/dev"), said, 2 if unreadable else 3)


def test_nul_is_a_character(run: Run, site: Write) -> None:
    assert run("cycles", site(b"notify { 'a\0b': }")).code == 0


def test_links_that_go_round(run: Run, site: Write) -> None:
    manifests = site() / "manifests"
    for name in ("one", "two"):
        os.symlink(".", manifests / name)
    assert run("cycles", "env").code == 0
    (manifests / ".hidden.pp").write_text("syntax error")
    assert run("cycles", "env").code == 0


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("self.pp", "self.pp: error: cannot be read: Too many levels of symbolic links"),
        (
            "/nowhere/at/all",
            "self.pp: error: cannot be read: this is a link to /nowhere/at/all, which does not "
            "exist",
        ),
        ("/dev/zero", "self.pp: error: cannot be read: not a regular file"),
        ("..", "self.pp: error: cannot be read: Is a directory"),
    ],
)
def test_manifests_that_are_links(run: Run, site: Write, target: str, said: str) -> None:
    os.symlink(target, site() / "manifests" / "self.pp")
    assert_error(run("cycles", "env", "--allow-read", "/"), said, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\xff\n", "env/environment.conf: error: not UTF-8: invalid start byte at byte 1"),
        (None, "env/environment.conf: error: cannot be read: Is a directory"),
    ],
)
def test_settings_of_an_environment(run: Run, site: Write, text: bytes | None, said: str) -> None:
    path = site() / "environment.conf"
    if text is None:
        path.mkdir()
    else:
        path.write_bytes(text)
    assert_error(run("cycles", "env", "--allow-read", "/"), said, code=2)


def test_a_manifest_that_does_not_exist(run: Run, site: Write) -> None:
    (site() / "environment.conf").write_text("manifest = /nowhere\n")
    done = run("cycles", "env", "--allow-read", "/")
    assert done.code == 3
    assert "incomplete: manifest /nowhere: no such file, so that Puppet reads none" in done.out


def test_settings_that_mean_nothing(run: Run, site: Write) -> None:
    (site() / "environment.conf").write_text("= = =\n[main]\nfoo\nmodulepath = /proc::/nope:$x\n")
    assert run("cycles", "env").code == 0


BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{n}: &{n} [{', '.join([f'*{b}'] * 10)}]\n"
    for b, n in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "Aliases make more than 10000000 values of the document"),
        ("a: &x [*x]\n", "The alias x is part of what it stands for"),
        (b"\xff", "the facts are not UTF-8: invalid start byte at byte 1"),
    ],
)
def test_facts(run: Run, site: Write, text: str | bytes, said: str) -> None:
    Path("facts.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    path = site("notify { 'x': message => $facts }", **{"facts.yaml": text})
    assert_error(run("compile", path, "--facts", "env/facts.yaml"), said, code=2)


CLASSIFIERS = {
    "one that prints without end": ("yes", "prints more than 1,000,000 bytes"),
    "one that leaves others behind": ("sleep 60 & sleep 60 &", "did not print a map of classes"),
    "one that does not end": ("sleep 60", "did not answer within 1 seconds"),
    "one that kills itself": ("kill -9 $$", "failed for node.example.com, exit code -9"),
    "bytes": (r"printf '\377'", "does not print UTF-8: invalid start byte at byte 1"),
    "a list as environment": (
        "echo 'environment: [1]'",
        "the classifier's environment is not a name",
    ),
    "an alias within": ("echo 'parameters: {a: &x [*x]}'", "is part of what it stands for"),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers(run: Run, site: Write, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("analyzer.frontends.puppet.node.classifier.MOST_BYTES", 1_000_000)
    code, said = CLASSIFIERS[name]
    if "within" in said:
        monkeypatch.setattr("analyzer.frontends.puppet.node.classifier.ENC_SECONDS", 1)
    script = Path("classify")
    script.write_text(f"#!/bin/sh\n{code}\n")
    script.chmod(0o755)
    assert_error(run("cycles", site(), "--enc", script), said, code=2)
