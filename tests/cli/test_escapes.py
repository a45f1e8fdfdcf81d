"""No command in any format hands control characters of its input to a terminal or begins a line."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from itertools import product
from pathlib import Path
from shutil import which
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from analyzer.cli import main
from analyzer.cli.command_table import COMMANDS
from analyzer.cli.shared.options import Option
from tests.cli.conftest import notify
from tests.conftest import ROOT

# A line for a log that takes commands, a title for the window, colours, C1, directions of letters,
# separators of lines, markup, the noncharacter that stands for ESC.
EVIL = (
    "/x\n::error::pwn\x1b]0;P\x07\x9b2J\x85\u202e\u2066\u2028\u2029\r::error::pwn\t\x7f"
    "\x1b[31m|<b>`[bold]\ufdd0"
)
WITH_NUL = f"{EVIL}\x00"
NAME = EVIL.replace("/", "")
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
COLOURS = re.compile(r"\x1b\[(?:[012]|3[1236])m")
# Spelled in the Puppet language and in DOT, and as CFEngine takes it.
QUOTED = json.dumps(EVIL)[1:-1].replace("\\b", "").replace("$", "")
MANIFEST = f"""
class a {{ notify {{ "c{QUOTED}": require => Notify["d{QUOTED}"], tag => "{QUOTED}" }}
  warning("{QUOTED}")
  notify {{ "d{QUOTED}": message => "{QUOTED}" }} }}
include a
file {{ "/f{QUOTED}": content => "{QUOTED}", require => Notify["c{QUOTED}"] }}
"""
CYCLE = f'Notify["c{QUOTED}"] -> Notify["d{QUOTED}"] -> Notify["e{QUOTED}"]\n' + MANIFEST
POLICY = """bundle agent main {{
  vars: "v" string => "{0}";
  commands: "/bin/true {0}" handle => "h", classes => done, depends_on => {{ "{1}" }};
  reports: "said {0} $(v)" handle => "r", depends_on => {{ "h" }};
  classes: "c" expression => "any", comment => "{0}";
}}
body classes done {{ promise_repaired => {{ "x" }}; }}
"""
LITERAL = EVIL.replace('"', "")


def resources(*, cyclic: bool) -> list[dict[str, Any]]:
    """Return resources that have it everywhere."""
    place = {"file": f"/m/{WITH_NUL}.pp", "line": 3}
    first = notify(f"A{EVIL}", before=f"Notify[B{EVIL}]", message=WITH_NUL, **place)
    second = notify(f"B{EVIL}", **({"before": f"Notify[A{EVIL}]"} if cyclic else {}))
    held = {"type": f"My::{EVIL}", "title": WITH_NUL, "parameters": {EVIL: [WITH_NUL]}}
    shell = {"type": "Exec", "title": f"/bin/{EVIL}", "parameters": {"user": EVIL, "noop": EVIL}}
    about = [{**one, "tags": [WITH_NUL, EVIL]} for one in (first, second, held, shell)]
    return [{"type": "Class", "title": f"C{EVIL}", "file": f"/{EVIL}.pp", "line": 1}, *about]


def catalog(rows: list[dict[str, Any]]) -> str:
    """Return a catalog."""
    edges = [{"source": f"Class[C{EVIL}]", "target": f"Notify[{x}{EVIL}]"} for x in "AB"]
    head = {"name": WITH_NUL, "environment": WITH_NUL, "version": WITH_NUL, "catalog_format": 2}
    return json.dumps({**head, "resources": rows, "edges": edges})


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Return files of every kind, in the working folder."""
    folder = tmp_path_factory.mktemp("inputs")
    here = os.getcwd()
    os.chdir(folder)
    fine, cyclic = resources(cyclic=False), resources(cyclic=True)
    missing = notify("m", require=[f"Notify[gone{WITH_NUL}]", f"File[/f{EVIL}]"])
    changed = [*fine[:2], {**fine[2], "parameters": {"message": f"{EVIL}\nnew\n"}}]
    texts = {
        "fine.json": catalog(fine),
        f"{NAME}.json": catalog(cyclic),
        "missing.json": catalog([*fine, missing]),
        "changed.json": catalog(changed),
        "real.json": catalog([one for one in fine if one["type"] in ("Class", "Notify")]),
        "broken.json": f'{{"{EVIL}": {EVIL}',
        "fine.pp": MANIFEST,
        f"{NAME}.pp": CYCLE,
        "fails.pp": f'fail("{QUOTED}")',
        "syntax.pp": f"$x = '{LITERAL.replace('::error::', '')}' }} {{",
        "graph.dot": f'digraph {{ "Notify[a{EVIL}]" -> "Notify[b]" -> "Notify[a{EVIL}]" }}',
        "fine.cf": POLICY.format(LITERAL, "h"),
        f"{NAME}.cf": POLICY.format(LITERAL, "r"),
        "broken.cf": f'bundle agent main {{ {EVIL} "{LITERAL}" }}',
        "site/manifests/site.pp": f"node 'x' {{ {MANIFEST} }}",
        f"site/manifests/{NAME}.pp": f'fail("{QUOTED}")',
        "other/manifests/site.pp": f"node 'x' {{ {MANIFEST.replace('message', 'loglevel')} }}",
        "outcome.json": json.dumps({f"Notify[A{EVIL}]": {"apply": EVIL}}),
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    root = folder / "root"
    root.mkdir()
    searched = os.environ["PATH"]
    os.environ["PATH"] = os.pathsep.join([fake_puppet(folder / "bin"), searched])
    real = ["--real", "--yes", "--root", "root", "--state-dir", "state", "--allow-incomplete"]
    check(["apply", "real.json", *real, "--report", "report.yaml"])
    check(["apply", "real.json", *real, "--report", "report.json", "--format", "puppet"])
    journals = [f"state/runs/{name}" for name in os.listdir("state/runs")]
    runs = ["report.yaml", "report.json", *journals]
    assert len(runs) > 2
    yield [*(name for name in texts if "/" not in name), "site", "other", "gone" + NAME, *runs]
    os.chdir(here)
    os.environ["PATH"] = searched


def fake_puppet(folder: Path) -> str:
    """Make a tool for `verify` that refuses everything; return its folder."""
    folder.mkdir()
    script = (ROOT / "tests" / "verify" / "fake_puppet.py").read_text()
    program = folder / "puppet"
    program.write_text(script.replace("/usr/bin/env python3", sys.executable, 1))
    program.chmod(0o755)
    refusal = {"stage": "compile", "file": f"/{EVIL}.pp", "line": 5, "error": EVIL}
    (folder / "hello.json").write_text(json.dumps({"hello": "7.23.0", "product": "puppet"}))
    (folder / "answers.json").write_text(json.dumps({"*": refusal}))
    return str(folder)


def check(words: list[str]) -> str:
    """Run a command, look at what it wrote, and return the standard output."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        main(words)
        out.flush()
        err.flush()
    said = []
    for stream in (out, err):
        data = stream.buffer.getvalue()
        if data[:4] == b"\x89PNG":
            continue
        text = data.decode()
        said.append(text)
        plain = COLOURS.sub("", text) if "always" in words else text
        found = UNSAFE.search(plain)
        assert not found, (
            words,
            "write through `emit` or `print_error`: a control character passed",
            plain[found.start() - 100 : found.end() + 20],
        )
        # A line of the source, with a caret below it, is a line.
        lines = re.sub(r"\n.*(?=\n +\^)", "", plain).splitlines()
        begun = [line for line in lines if line.strip().startswith("::error::pwn")]
        assert not begun, (words, "print values through `shown`: a title began a line", plain)
    assert "internal error" not in said[-1], words
    return said[0] if len(said) > 1 else ""


# The commands that end by themselves: the others go on until an interrupt, or while they are asked.
LASTING = ("serve", "play", "mcp")
ENDING = [command for command in COMMANDS if command not in LASTING]


def module_of(command: str) -> ModuleType:
    """Return the module of a command."""
    return import_module(COMMANDS[command][0])


def rows_of(command: str) -> tuple[Option, ...]:
    """Return the options of a command."""
    rows: tuple[Option, ...] = module_of(command).OPTIONS
    return rows


def formats_of(command: str) -> list[str]:
    """Return the formats of a command; those that a program draws only where that is."""
    found = next((row.choices for row in rows_of(command) if row.name == "format"), ())
    drawn = () if which("dot") else ("svg", "png")
    return [form for form in found if form not in drawn]


def shapes(command: str, path: str) -> Iterator[list[str]]:
    """Yield words that a command takes about an input."""
    least, most = module_of(command).INPUTS
    refs = [f"Notify[A{EVIL}]", f"Notify[c{EVIL}]", "Reports[main:said]", EVIL, "type = Notify"]
    if least < 2:
        yield [path]
    if least == 2 or command == "diff":
        yield from ([path, ref] for ref in refs)
    if least == 2 and most is None:
        yield [path, f"Notify[A{EVIL}]", f"Notify[B{EVIL}]"]
        yield [path, f"Notify[c{EVIL}]", f"Notify[d{EVIL}]"]


@pytest.mark.parametrize("command", ENDING)
def test_every_format_of_every_input(command: str, inputs: list[str]) -> None:
    for path in inputs:
        for words, form in product(shapes(command, path), formats_of(command) or [""]):
            told = check([command, *words, *(["--format", form] if form else [])])
            if form in ("junit", "graphml", "svg") and told:
                ElementTree.fromstring(told)
            if form in ("json", "sarif", "gitlab") and told:
                json.loads(told)


@pytest.mark.parametrize("command", ENDING)
def test_every_option_and_what_it_says_of_its_value(command: str, inputs: list[str]) -> None:
    for row, path in product(rows_of(command), ("fine.json", "fine.pp", "fine.cf")):
        words = next(shapes(command, path))
        if row.name in ("watch", "format"):
            continue
        values = [] if row.flag else [row.choices[0] if row.choices else NAME]
        check([command, *words, row.flags[-1], *values])
    check([command, "fine.pp", NAME, EVIL, f"--{EVIL}"])


@pytest.mark.parametrize("command", ENDING)
def test_colours_change_nothing_else(command: str, inputs: list[str]) -> None:
    """What is left without the sequences is what is printed without colours."""
    if not any(row.name == "color" for row in rows_of(command)):
        return
    for path in inputs:
        words = [command, *next(shapes(command, path)), "--color"]
        assert COLOURS.sub("", check([*words, "always"])) == check([*words, "never"])


def test_a_command_that_is_not_there(inputs: list[str]) -> None:
    check([EVIL])
    check([])
    check(["--help"])
