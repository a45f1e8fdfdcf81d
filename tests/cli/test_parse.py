"""`catgraph parse`: what it says of files and folders, its formats and exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.cli.commands import parse
from tests.cli.conftest import Run

Write = Callable[[str, str], Path]

WRONG = "class web {\n  file { '/a':\n    mode => '0644'\n    owner => 'root',\n  }\n}\n"
UNFINISHED = "class web {\n  include a\n"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    return write


def test_clean(run: Run, write: Write) -> None:
    write("a.pp", "include a\n")
    done = run("parse", "a.pp")
    assert (done.code, done.out, done.err) == (0, "1 file: no errors\n", "")


def test_a_home_is_searched(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container often has the checkout as its home."""
    home = write("site.pp", "include a\n").parent
    write("more/x.pp", "include a\n")
    (home / "out").symlink_to("/usr/share")
    monkeypatch.setenv("HOME", str(home))
    done = run("parse", ".")
    assert (done.code, done.out) == (0, "2 files: no errors\n")


def test_what_is_not_checked_is_not_clean(run: Run, write: Write) -> None:
    write("a.pp", "include a\n")
    assert run("parse", "a.pp", "gone.pp").out == "1 file: 1 path not checked\n"
    (write("empty/x", "").parent / "x").unlink()
    done = run("parse", "empty")
    assert (done.code, done.out) == (2, "0 files: 1 path not checked\n")


def test_error_with_its_line(run: Run, write: Write) -> None:
    write("web.pp", WRONG)
    done = run("parse", "web.pp")
    assert done.code == 1
    assert done.out.startswith(
        "web.pp:4:5: error: Syntax error at 'owner' (SYNTAX_ERROR)\n"
        "      owner => 'root',\n"
        "      ^\n"
    )
    assert done.out.endswith("1 file: 1 error\n")


def test_end_of_input_is_shown_at_the_last_character(run: Run, write: Write) -> None:
    write("web.pp", UNFINISHED)
    done = run("parse", "web.pp")
    assert done.code == 1
    assert done.out.startswith("web.pp:2:12: error: Syntax error at end of input (SYNTAX_ERROR)\n")
    assert "    include a\n             ^\n" in done.out


def test_one_file_does_not_hide_the_others(run: Run, write: Write) -> None:
    write("a.pp", WRONG)
    write("b.pp", "$x = 1\n")
    write("c.pp", UNFINISHED)
    done = run("parse", "a.pp", "b.pp", "c.pp")
    assert done.code == 1
    assert "a.pp:4:5: error" in done.out
    assert "c.pp:2:12: error" in done.out
    assert done.out.endswith("3 files: 2 errors\n")


def test_folders_in_order_without_hidden_ones(run: Run, write: Write) -> None:
    for name in ("m/b.pp", "m/a/z.epp", "m/a/c.pp", "m/.git/x.pp", "m/readme.md"):
        write(name, "$x = (\n" if name.endswith(".pp") else "<% ( %>\n")
    done = run("parse", "m")
    places = [line.partition(":")[0] for line in done.out.splitlines() if ": error: " in line]
    assert places == ["m/b.pp", "m/a/c.pp", "m/a/z.epp"]


def test_linked_folders_once(run: Run, write: Write, tmp_path: Path) -> None:
    write("real/a.pp", "$x = (\n")
    (tmp_path / "m").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "m/link").symlink_to(tmp_path / "real")
    (tmp_path / "real/loop").symlink_to(tmp_path / "m")
    done = run("parse", "m")
    assert done.out.endswith("1 file: 1 error\n")


def test_templates(run: Run, write: Write) -> None:
    write("a.epp", "<%- | $x | -%>\na <%= $x %>\n<% if $x { %>b<% %>\n")
    done = run("parse", "a.epp")
    assert done.code == 1
    assert "a.epp:" in done.out


def test_validation_is_part_of_it(run: Run, write: Write) -> None:
    write("a.pp", "class a { 1 }\nclass b ($x, $x) { }\n")
    done = run("parse", "a.pp")
    assert done.code == 1
    assert "a.pp:2:14: error: The parameter 'x' is declared more than once" in done.out


def test_unreadable_and_missing(run: Run, write: Write) -> None:
    write("a.pp", WRONG)
    write("b.pp", "").write_bytes(b"$x = '\xff'")
    done = run("parse", "a.pp", "b.pp", "nosuch.pp")
    assert done.code == 2
    assert "a.pp:4:5: error" in done.out
    assert "b.pp: not UTF-8: invalid start byte at byte 7" in done.err
    assert "nosuch.pp: No such file or directory" in done.err


def test_folder_without_manifests(run: Run, write: Write) -> None:
    write("m/readme.md", "")
    done = run("parse", "m")
    assert done.code == 2
    assert "m: no manifests" in done.err


def test_standard_input(run: Run) -> None:
    done = run("parse", "-", stdin=b"$x = \n")
    assert done.code == 1
    assert done.out.startswith("<stdin>:1:5: error: Syntax error at end of input")


def test_json(run: Run, write: Write) -> None:
    write("web.pp", WRONG)
    done = run("parse", "web.pp", "--format", "json")
    assert done.code == 1
    (found,) = json.loads(done.out)
    assert {key: found[key] for key in ("file", "line", "column", "severity", "code")} == {
        "file": "web.pp",
        "line": 4,
        "column": 5,
        "severity": "error",
        "code": "SYNTAX_ERROR",
    }


def test_trees_as_puppet_dumps_them(run: Run, write: Write) -> None:
    write("a.pp", "$x = 1\n")
    write("b.pp", "include b\n")
    write("c.pp", WRONG)
    done = run("parse", "a.pp", "c.pp", "b.pp", "--format", "pn")
    assert done.code == 1
    assert done.out == (
        '--- a.pp(= (var "x") 1)--- b.pp(invoke {:functor (qn "include") :args [(qn "b")]})\n'
    )
    assert "c.pp:4:5: error" in done.err
    done = run("parse", "a.pp", "--format", "pn", "--pretty")
    assert done.out == '--- a.pp(=\n  (var\n    "x")\n  1)\n'


def test_processes_say_the_same(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        write(f"m/{number:02}.pp", WRONG if number % 7 == 0 else "include a\n")
    monkeypatch.setattr(parse, "MANY_FILES", 10)
    several = run("parse", "m", "--jobs", "2")
    assert several == run("parse", "m", "--jobs", "1")
    assert several.out.endswith("60 files: 9 errors\n")


def test_no_cache(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.pp", "include a\n")
    monkeypatch.setenv("CATGRAPH_NO_CACHE", "")
    assert run("parse", "a.pp", "--no-cache").code == 0
