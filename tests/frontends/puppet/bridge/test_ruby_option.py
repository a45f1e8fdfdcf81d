"""`--ruby`: nothing of Ruby is run without it, and what it names must be there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.cli import main
from analyzer.frontends.puppet.bridge import helper
from analyzer.model.values import Unknown
from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import MODULES

PROGRAM = """
notify { 'a': message => inline_template('<%= 6 * 7 %>') }
notify { 'b': message => template('demo/plain.erb') }
notify { 'c': message => demo::echo('there') }
notify { 'd': message => generate('/bin/echo', 'x') }
$list = ['x']
"""


@pytest.fixture
def manifest(tmp_path: Path) -> str:
    path = tmp_path / "site.pp"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


def messages(manifest: str, **settings: Any) -> dict[str, Any]:
    (tmp_facts := Path(manifest).with_name("facts.json")).write_text('{"kernel": "Linux"}')
    catalog = analyzer.compile(
        manifest, modulepath=[str(MODULES)], facts=[str(tmp_facts)], **settings
    )
    return {r.title: r.parameters["message"] for r in catalog.resources if r.type == "Notify"}


def test_nothing_is_run_unless_it_is_asked_for(
    manifest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("a program was run")

    for name in ("Popen", "run"):
        monkeypatch.setattr(subprocess, name, never)
    with open(manifest, "a", encoding="utf-8") as file:
        file.write("notify { 'e': message => demo::clock() }\n")
    found = messages(manifest, puppet_version=7)
    # What this function does is understood, so that its value is computed here.
    assert found.pop("c") == "there"
    assert all(isinstance(value, Unknown) for value in found.values())
    assert [value.reason for value in found.values()] == [
        "an inline template is written in Ruby",
        "the template demo/plain.erb is written in Ruby",
        "generate('/bin/echo') runs a command",
        "the function 'demo::clock' of module demo is written in Ruby",
    ]


@pytest.mark.slow
@pytest.mark.skipif(installed() is None, reason=HOW_TO_INSTALL)
def test_all_is_run_when_it_is_asked_for(manifest: str) -> None:
    text = Path(manifest).read_text(encoding="utf-8").replace("$list = ['x']", "")
    Path(manifest).write_text(f"$list = ['x']{text}", encoding="utf-8")
    found = messages(manifest, ruby="auto", puppet_version=7)
    assert found == {
        "a": "42",
        "b": "given \n  - x\nnone main Linux Linux\n",
        "c": "there",
        "d": "x\n",
    }


@pytest.mark.slow
@pytest.mark.skipif(installed() is None, reason=HOW_TO_INSTALL)
def test_without_facts_what_may_be_one_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(
        "$here = 1 notify { 'a': message => inline_template('<%= @here %>') }"
        "notify { 'b': message => inline_template('<%= @kernel %>') }"
        "notify { 'c': message => inline_template('<%= scope[%q(kernel)] %>') }"
        "notify { 'd': message => inline_template('<%= @facts %>') }"
    )
    catalog = analyzer.compile(path, ruby="auto")
    values = [r.parameters["message"] for r in catalog.resources if r.type == "Notify"]
    assert values[0] == "1"
    assert all(isinstance(value, Unknown) and "no facts" in value.reason for value in values[1:])


def refused(manifest: str, ruby: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["compile", manifest, "--ruby", ruby, "--modulepath", str(MODULES)]) == 2
    return capsys.readouterr().err


def test_a_ruby_that_is_not_there(manifest: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(manifest, "/nix/ruby", capsys)
    assert said == "/nix/ruby: error: there is no such program (--ruby) (no-ruby)\n"


def test_a_program_that_is_no_ruby(manifest: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(manifest, "/bin/true", capsys)
    assert "no Ruby with Puppet: /bin/true: the helper ended" in said


def test_no_ruby_anywhere(
    manifest: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nix")
    monkeypatch.setattr(helper, "PACKAGED", "/nix/ruby")
    said = refused(manifest, "auto", capsys)
    assert said == "--ruby auto: error: there is no Ruby on this machine (no-ruby)\n"


@pytest.mark.skipif(installed() is None, reason=HOW_TO_INSTALL)
def test_the_command_line(manifest: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(manifest).write_text("notify { 'a': message => inline_template('<%= 6 * 7 %>') }")
    assert main(["compile", manifest, "--ruby", "auto"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [r["parameters"] for r in document["resources"] if r["type"] == "Notify"] == [
        {"message": "42"}
    ]


TRUSTED = {
    "@trusted['certname']": "node.example.com",
    "scope['trusted']['hostname']": "node",
    "scope.lookupvar('::trusted')['domain']": "example.com",
    "@trusted['extensions']['pp_role']": None,
    "scope['trusted'].to_s": None,
}


@pytest.mark.slow
@pytest.mark.skipif(not installed(), reason=HOW_TO_INSTALL)
def test_of_trusted_data_only_the_extensions_are_unknown(manifest: str) -> None:
    Path(manifest).write_text(
        "".join(
            f'notify {{ "{number}": message => inline_template("<%= {code} %>") }}\n'
            for number, code in enumerate(TRUSTED)
        )
    )
    found = messages(manifest, ruby="auto")
    known = [None if isinstance(one, Unknown) else one for one in found.values()]
    assert known == list(TRUSTED.values())


@pytest.mark.skipif(installed() is None, reason=HOW_TO_INSTALL)
def test_a_value_without_a_word_is_a_gap_only_where_it_is_used(tmp_path: Path) -> None:
    site = tmp_path / "site.pp"
    site.write_text("demo::wordless('x')\n")
    assert not analyzer.compile(site, modulepath=[MODULES], ruby="auto", facts={}).gaps
    site.write_text("$a = demo::wordless('x')\nif $a == 3 { notify { 'y': } }\n")
    gaps = analyzer.compile(site, modulepath=[MODULES], ruby="auto", facts={}).gaps
    assert ["the Ruby class Class" in gap.reason for gap in gaps] == [True]


@pytest.mark.skipif(installed() is None, reason=HOW_TO_INSTALL)
def test_settings_name_no_folder_that_a_function_can_make(tmp_path: Path) -> None:
    """A module that stores what it makes, such as keys, would change the next compile."""
    manifest = tmp_path / "site.pp"
    ruby = "require 'fileutils'; FileUtils.mkdir_p(File.join(Puppet[:vardir], 'keys')); 'made'"
    manifest.write_text(f"notify {{ 'a': message => inline_template(\"<%= {ruby} %>\") }}\n")
    found = messages(str(manifest), ruby="auto")["a"]
    assert isinstance(found, Unknown)
    assert "it uses a folder of Puppet's settings" in found.reason
