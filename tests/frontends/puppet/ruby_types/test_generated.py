"""Types that `puppet generate types` wrote stand for those of modules; the words are Puppet's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer import compile as compile_
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.ruby_types import RubyTypes

RUBY = """Puppet::Type.newtype(:pair) do
  def self.title_patterns
    [[/^(.*?)\\/(.*)$/m, [[:one], [:two]]], [/^([^\\/]+)$/m, [[:one]]]]
  end
  ensurable
  newparam(:one) { isnamevar }
  newparam(:two) { isnamevar }
  newproperty(:size)
  def refresh; end
end
"""
# What Puppet makes of that, but for the date.
GENERATED = r"""# Use the 'puppet generate types' command to regenerate this file.

Puppet::Resource::ResourceType3.new(
  'pair',
  [
    # The basic property that the resource should be in.
    # 
    # Valid values are `present`, `absent`.
    Puppet::Resource::Param(Enum['present', 'absent'], 'ensure'),

    Puppet::Resource::Param(Any, 'size')
  ],
  [
    Puppet::Resource::Param(Any, 'one', true),

    Puppet::Resource::Param(Any, 'two', true)
  ],
  {
    /(?m-ix:^(.*?)\/(.*)$)/ => ['one', 'two'],
    /(?m-ix:^([^\/]+)$)/ => ['one']
  },
  true,
  false)
"""  # noqa: W291
SINGLE = """Puppet::Resource::ResourceType3.new('single', [Puppet::Resource::Param(Any, 'ensure')],
  [Puppet::Resource::Param(Any, 'path', true)], { /(?m-ix:(.*))/ => ['path'] }, true, false)
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with generated types, of which the module has one in Ruby too."""
    for name, text in {
        "manifests/site.pp": "",
        "modules/m/lib/puppet/type/pair.rb": RUBY,
        ".resource_types/pair.pp": GENERATED.replace("size", "weight"),
        ".resource_types/single.pp": SINGLE,
        ".resource_types/file.pp": SINGLE.replace("single", "file"),
        ".resource_types/cron.pp": SINGLE.replace("single", "cron"),
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compiled(environment: Path, code: str) -> Any:
    (environment / "manifests/site.pp").write_text(code)
    return compile_(".")


def test_the_same_as_of_the_ruby(environment: Path) -> None:
    (environment / ".resource_types/pair.pp").write_text(GENERATED)
    generated = DefinitionTable([str(environment / "modules")], environment=str(environment))
    assert generated.ruby_type("pair") == RubyTypes([str(environment / "modules")]).find("pair")


@pytest.mark.parametrize(
    "code",
    [
        "pair { 'a/b': weight => 3, noop => true }",
        "single { 'a': path => '/x' }\nnotify { 'x': require => Single['/x'] }",
        "file { '/a': owner => 'a' }",
    ],
)
def test_what_puppet_compiles(environment: Path, code: str) -> None:
    assert compiled(environment, code)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("pair { 'a/b': size => 3 }", "no parameter named 'size'"),
        ("single { 'a': name => 'x' }", "no parameter named 'name'"),
        ("single { 'a': provider => y }", "no parameter named 'provider'"),
        ("cron { 'a': hour => 3 }", "no parameter named 'hour'"),
        ("single { 'a': path => '/x' } single { '/x': }", "Duplicate declaration: Single[/x]"),
        ("pair { 'x/y': } pair { 'n': one => x, two => y }", 'Cannot alias Pair[n] to ["x", "y"]'),
    ],
)
def test_what_puppet_refuses(environment: Path, code: str, said: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(environment, code)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "junk",
            "The code loaded from ./.resource_types/bad.pp does not create the resource type 'bad' "
            "- no call to Puppet::Resource::ResourceType3.new found.",
        ),
        (
            SINGLE,
            "The code loaded from ./.resource_types/bad.pp produced resource type with the wrong "
            "name, expected 'bad', actual 'single'",
        ),
        ("junk(", "Syntax error at end of input"),
        (b"\xff", "./.resource_types/bad.pp: not UTF-8: invalid start byte at byte 1"),
    ],
)
def test_files_that_are_something_else(environment: Path, text: str | bytes, said: str) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    (environment / ".resource_types/bad.pp").write_bytes(data)
    with pytest.raises(CompileError) as caught:
        compiled(environment, "bad { 'a': }")
    assert caught.value.message.startswith(said)
    assert compiled(environment, "notify { 'a': }")


def test_what_would_have_to_be_evaluated(environment: Path) -> None:
    text = SINGLE.replace("single", "bad").replace("'ensure'", '"${x}"')
    (environment / ".resource_types/bad.pp").write_text(text)
    assert compiled(environment, "bad { 'a': whatever => 1 }")


def test_how_it_is_applied_the_ruby_tells(environment: Path) -> None:
    catalog = compiled(environment, "pair { 'a/b': weight => 3 }")
    assert catalog.refreshable == {"Pair"}
    assert json.loads(json.dumps(sorted(catalog.properties["Pair"]))) == ["ensure", "weight"]
