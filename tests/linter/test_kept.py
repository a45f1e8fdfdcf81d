"""The law of kept results: with and without them a lint prints the same, whatever changed."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.cli import main
from analyzer.compiles.changing import ChangingCode
from analyzer.compiles.overlay import Overlay
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.linter.puppet import site_texts
from analyzer.linter.puppet.compiles import Program
from analyzer.reading import Secrets
from analyzer.session import file_index
from analyzer.session.keeping import depends_on_more
from tests.amount import examples

SITE = "node 'a' { include app }\nnode 'b' { include app, other }\n"
APP = """class app(String $mode = '0644') {
  $called = lookup('name', String, 'first', 'none')
  package { 'app': }
  file { "/etc/${called}": content => epp('app/conf.epp'), mode => $mode, before => Service['app'] }
  service { 'app': }
  app::part { $called: }
}
"""
PART = "define app::part { notify { $title: message => file('app/text') } }\n"
OTHER = "class other { package { 'x': } service { 'x': require => Package['gone'] } }\n"
FIXED = "class other { service { 'x': } package { 'x': } Service['x'] <- Package['x'] }\n"
WORLD = (
    "class other { if $facts['os']['family'] == 'RedHat' { service { 'x': } "
    "package { 'x': require => Service['x'], before => Service['x'] } } }\n"
)
HIERA = """version: 5
hierarchy:
  - name: all
    paths: ['%{facts.x}.yaml', 'more.yaml', 'all.yaml']
"""
# A hierarchy without unknown paths: what it has decides.
KNOWN = HIERA.replace("'%{facts.x}.yaml', ", "")
EYAML = KNOWN + "    lookup_key: eyaml_lookup_key\n"

# The texts that each file may have, the first of them to begin with; None: there is no such file.
FILES: dict[str, tuple[str | None, ...]] = {
    "environment.conf": ("", "modulepath = modules:extra\n", "modulepath = nowhere\n"),
    "manifests/site.pp": (
        SITE,
        "include app\n",
        "node 'a' {\n",
        SITE + "# catgraph:ignore[CG2]\n",
        SITE + "$y = 1\n",
        SITE + "node 'c' { include other::part }\n",
        SITE + "node 'c' { Notify <<| |>> -> Package['gone'] }\nnode 'd' { @@notify { 'd': } }\n",
    ),
    "hiera.yaml": (HIERA, None, "version: 5\nhierarchy: []\n", KNOWN, EYAML),
    "data/all.yaml": (
        "name: one\n",
        "name: two\napp::mode: 7\n",
        ": [",
        None,
        "name: one\nadded: 1\n",
        "name: \"%{lookup('added')}\"\nadded: three\n",
        "lookup_options: {name: {merge: unique}}\nname: one\n",
        "added: &one three\nname: *one\napp::mode: '0600'\n",
        "- name\n",
    ),
    "data/more.yaml": (None, "name: three\n"),
    "modules/app/manifests/init.pp": (
        APP,
        "class app { include app::more }\n",
        None,
        "class app { @@notify { 'app': before => Package['gone'] } }\n",
    ),
    "modules/app/manifests/part.pp": (
        PART,
        "define app::part { }\n",
        None,
    ),
    "modules/app/manifests/more.pp": (None, "class app::more { fail('no') }\n"),
    "modules/app/templates/conf.epp": ("a\n", "<%= $app::mode %>", "<% if %>", None),
    "modules/app/files/text": ("text", None),
    "modules/other/manifests/init.pp": (
        OTHER,
        FIXED,
        WORLD,
        "class other { $x = $y }\n",
        "class {",
    ),
    "modules/other/manifests/part.pp": (
        None,
        "class other::part { notify { 'x': } }\n",
        "class other::part { include other Notify <<| |>> }\n",
        "class other::part { @@notify { 'y': } }\n",
        "class other::more { }\n",
        "class other::part {",
    ),
    "extra/other/manifests/init.pp": (None, "class other { }\n"),
    "modules/app/lib/puppet/type/thing.rb": (None, "Puppet::Type.newtype(:thing) do\nend\n"),
    "catgraph.toml": (None, 'ignore = ["CG2"]\n', 'facts = ["facts.json"]\n'),
    "facts.json": ('{"x": "more"}', '{"x": "all"}', "{"),
}
EDITS = [(name, number) for name, texts in FILES.items() for number in range(len(texts))]


def write(folder: Path, name: str, text: str | None) -> None:
    path = folder / name
    if text is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def printed(*options: str, command: str = "lint", path: str = ".") -> tuple[int, str, str]:
    """The exit code and the output of a command about the working folder, or a file in it."""
    # `--no-cache` leaves it behind in the process.
    os.environ.pop("CATGRAPH_NO_CACHE", None)
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        # As in a new process, but long after the last edit.
        patch.setattr(file_index, "START", time.time_ns())
        code = main([command, path, *options])
    return code, out.getvalue(), err.getvalue()


@contextmanager
def repository() -> Iterator[Path]:
    """Make a repository that is the working folder, with an empty cache."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as place:
        folder = Path(place, "repo")
        for name, texts in FILES.items():
            write(folder, name, texts[0])
        patch.setenv("XDG_CACHE_HOME", str(Path(place, "cache")))
        patch.setenv("CATGRAPH_NO_CACHE", "")
        patch.chdir(folder)
        yield folder


def hold(edits: list[tuple[str, int]], *forms: str) -> None:
    """Assert the law after each of several edits."""
    with repository() as folder:
        printed()
        for name, number in edits:
            write(folder, name, FILES[name][number])
            for form in forms:
                assert printed("-f", form) == printed("-f", form, "--no-cache"), (name, number)


@pytest.mark.slow
@settings(max_examples=examples(64))
@given(st.lists(st.sampled_from(EDITS), min_size=1, max_size=6))
def test_any_edits(edits: list[tuple[str, int]]) -> None:
    hold(edits, "text", "json")


@settings(max_examples=examples(64))
@given(st.lists(st.sampled_from(EDITS), min_size=1, max_size=6))
def test_any_edits_of_what_is_compiled(edits: list[tuple[str, int]]) -> None:
    with repository() as folder:
        for name, number in [("environment.conf", 0), *edits]:
            write(folder, name, FILES[name][number])
            for path in (".", "manifests/site.pp"):
                made = printed("--no-cache", command="compile", path=path)
                for _ in range(3):
                    assert printed(command="compile", path=path) == made, (name, number)


def test_a_manifest_that_did_not_change_is_not_compiled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with repository() as folder:
        path = "manifests/site.pp"
        write(folder, "hiera.yaml", KNOWN)
        write(folder, path, "include app\n")
        for _ in range(2):
            made = printed(command="compile", path=path)
            written = printed("-o", "catalog.json", command="compile", path=path)
        with monkeypatch.context() as patch:
            patch.setattr("analyzer.cli.commands.compile.compiled", lambda options: 9)
            write(folder, "catalog.json", "another")
            assert printed(command="compile", path=path) == made
            assert printed("-o", "catalog.json", command="compile", path=path) == written
            assert (folder / "catalog.json").read_text() == made[1]
            assert printed("--no-cache", command="compile", path=path)[0] == 9
            write(folder, "modules/app/manifests/new.pp", "")
            assert printed(command="compile", path=path)[0] == 9
            (folder / "modules/app/manifests/new.pp").unlink()
            assert printed(command="compile", path=path) == made
            write(folder, "data/all.yaml", "name: one\nadded: 1\n")
            assert printed(command="compile", path=path) == made
            write(folder, "data/all.yaml", "name: two\n")
            assert printed(command="compile", path=path)[0] == 9


@pytest.mark.parametrize(("value", "met"), [("Sensitive($x)", False), ("$x", True), ("$x", False)])
def test_secrets_are_not_kept(value: str, met: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Secrets, "met", met)
    with repository() as folder:
        site = f"$x = 'one'\nnotify {{ 'x': message => {value} }}\n"
        write(folder, "manifests/site.pp", site)
        for _ in range(2):
            printed(command="compile")
        monkeypatch.setattr("analyzer.cli.commands.compile.compiled", lambda options: 9)
        assert printed(command="compile")[0] == (9 if met or "(" in value else 0)


def test_a_new_configuration_above_the_input_is_noticed() -> None:
    code = "file { '/srv': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }\n"
    code += "notify { 'a': message => '/srv' }\n"
    types = "[[types.notify.automatic]]\nkind='autorequire'\ntarget='file'\nfrom='message'\n"
    with repository() as folder:
        write(folder, "code/site.pp", code)
        assert [printed(command="cycles", path="code")[0] for _ in range(2)] == [0, 0]
        write(folder, "catgraph.toml", types)
        assert printed(command="cycles", path="code")[0] == 1


def test_output_to_a_pipe_is_written_again() -> None:
    with repository() as folder:
        os.mkfifo(folder.parent / "pipe")
        pipe = os.open(folder.parent / "pipe", os.O_RDWR)
        for _ in range(3):
            printed("-o", "../pipe", "--node", "a", command="compile")
            assert os.read(pipe, 1 << 16).startswith(b"{")
        os.close(pipe)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EDITS)), ids=lambda number: str(EDITS[number]))
def test_pairs_of_edits(number: int) -> None:
    for second in EDITS[number % 6 :: 6]:
        hold([EDITS[number], second], "text")


def compiles(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many programs a lint compiles."""
    found = set()
    known = ChangingCode.known

    def noted(code: ChangingCode, overlay: Overlay) -> DefinitionTable:
        found.add(code)
        return known(code, overlay)

    with monkeypatch.context() as patch:
        patch.setattr(ChangingCode, "known", noted)
        printed("--select", "CG2,CG5")
    return len(found)


def nodes_compiled(monkeypatch: pytest.MonkeyPatch, *options: str) -> list[str]:
    """The nodes that a lint compiles."""
    found = []
    compile_one = Program._compile

    def noted(program: Program, target: Target, exports: Exports) -> CompileResult:
        if not target.alone:
            found.append(target.node)
        return compile_one(program, target, exports)

    with monkeypatch.context() as patch:
        patch.setattr(Program, "_compile", noted)
        printed(*(options or ("--select", "CG2,CG5")))
    return found


def test_nodes_that_a_change_does_not_concern_are_not_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with repository() as folder:
        assert nodes_compiled(monkeypatch) == ["a", "b"]
        write(folder, "modules/other/manifests/init.pp", FIXED)
        assert nodes_compiled(monkeypatch) == ["b"]
        assert nodes_compiled(monkeypatch) == []
        write(folder, "modules/app/manifests/part.pp", "define app::part { }\n")
        assert nodes_compiled(monkeypatch) == ["a", "b"]
        write(folder, "modules/other/manifests/init.pp", "class other { Notify <<| |>> }\n")
        assert nodes_compiled(monkeypatch)[0] == "b"
        # What a node collects, others may export.
        write(folder, "modules/other/manifests/init.pp", FIXED)
        assert nodes_compiled(monkeypatch) == ["a", "b"]


APP_FILE = "modules/app/manifests/init.pp"


def test_nodes_that_export_and_collect_are_compiled_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with repository() as folder:
        nodes = "node 'x' { include other }\nnode 'y' { include other::part }\n"
        write(folder, "manifests/site.pp", f"node 'a' {{ include app }}\n{nodes}")
        write(
            folder, "modules/other/manifests/part.pp", "class other::part { @@notify { 'n': } }\n"
        )
        write(folder, "modules/other/manifests/init.pp", "class other { Notify <<| |>> }\n")
        assert set(nodes_compiled(monkeypatch)) == {"a", "x", "y"}
        write(folder, APP_FILE, "class app { }\n")
        assert nodes_compiled(monkeypatch) == ["a"]
        # The node exports only now.
        write(folder, APP_FILE, "class app { @@notify { 'p': } }\n")
        assert set(nodes_compiled(monkeypatch)) == {"a", "x", "y"}
        write(folder, "modules/other/manifests/part.pp", "class other::part { }\n")
        assert set(nodes_compiled(monkeypatch)) == {"a", "x", "y"}
        # It exports no more, nor does any other node.
        write(folder, APP_FILE, "class app { }\n")
        assert set(nodes_compiled(monkeypatch)) == {"a", "x", "y"}
        write(folder, APP_FILE, "class app { notify { 'p': } }\n")
        assert nodes_compiled(monkeypatch) == ["a"]


def test_what_did_not_change_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with repository() as folder:
        assert compiles(folder, monkeypatch) == 1
        assert compiles(folder, monkeypatch) == 0
        write(folder, "modules/app/manifests/unused.pp", "class app::unused { }\n")
        # The site, as names below its folders have changed, and the class that no node has.
        assert compiles(folder, monkeypatch) == 2
        write(folder, "modules/app/manifests/unused.pp", "class app::unused { include x }\n")
        assert compiles(folder, monkeypatch) == 1
        write(folder, "modules/app/templates/conf.epp", "other")
        assert compiles(folder, monkeypatch) == 1


@pytest.mark.parametrize("value", ["Timestamp()", "strftime(Timestamp(), '%F')", "strftime('%F')"])
def test_what_depends_on_the_clock_is_not_kept(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with repository() as folder:
        site = f"$now = {value}\nfile {{ '/a': require => File[\"/${{now}}\"] }}\n"
        write(folder, "manifests/site.pp", site)
        for day in (1, 2):
            monkeypatch.setattr("time.time_ns", lambda day=day: day * 86_400 * 10**9)
            assert f"1970-01-0{day + 1}" in printed()[1]


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.01, 10**9])
def test_a_variable_that_another_manifest_sets_is_seen(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long texts of a site count, each lint reads them again."""
    monkeypatch.setattr(site_texts, "SECONDS", seconds)
    hold([("modules/other/manifests/init.pp", 3), ("manifests/site.pp", 4)], "text")
    with repository() as folder:
        write(folder, "modules/other/manifests/init.pp", "class other { $x = $y }\n")
        assert "CG111" in printed()[1]
        write(folder, "manifests/site.pp", SITE + "$y = 1\n")
        assert "CG111" not in printed()[1]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"\0" * 9, b"x" * 4000])
def test_a_damaged_entry_is_a_miss(damage: bytes) -> None:
    with repository() as folder:
        whole = printed()
        entries = [one for one in (folder.parent / "cache").rglob("*") if one.is_file()]
        assert entries
        for entry in entries:
            entry.write_bytes(damage)
        assert printed() == whole


def test_what_programs_decide_is_not_kept() -> None:
    assert all(map(depends_on_more, (Settings(enc="x"), Settings(ruby="auto"))))
    assert not depends_on_more(Settings())
