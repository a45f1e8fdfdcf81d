"""What is read of a type is what Puppet knows of it, or the reader says why it may not be."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.ruby_types import RubyTypes
from tests.frontends.puppet.compiler.cases import blocks

from .declared import HERE, RECORDED, own_types, read

# Why attributes, and why keys and titles, may be others than those that are read.
REASONS = {
    "own_computed": ("", "title_patterns computes something"),
    "own_conditions": ("", "it is unknown whether key is a namevar"),
    "own_from_outside": ("newparam gets an unknown name",) * 2,
    "own_text_evaluated": ("code in a text is evaluated",) * 2,
    "own_unknown_call": ("newthing is called, which is unknown",) * 2,
}
TYPES = own_types()


@pytest.mark.parametrize(("name", "expected"), blocks(RECORDED).items())
def test_type(name: str, expected: str) -> None:
    type = TYPES.find(name)
    assert type is not None
    assert (type.open, type.unsure) == REASONS.get(name, ("", ""))
    if name not in REASONS:
        assert read(type) == expected
    elif not type.open:
        attributes = expected.splitlines()[:2]
        assert {word for line in attributes for word in line.split()[1:]} <= type.attributes


def test_no_type() -> None:
    assert TYPES.find("own_nothing") is None
    assert RubyTypes([str(HERE / "no_such_folder")]).files == {}


def test_other_files_may_declare_more() -> None:
    types = RubyTypes([str(HERE / "reopening")])
    assert types.declares_elsewhere("other_opened", "from_elsewhere")
    assert types.declares_elsewhere("other_opens", "own_meta")
    assert not types.declares_elsewhere("other_opens", "own_metal")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Puppet::Type.newtype(:t) do\n  newparam(:name)\n", "do has no end"),
        ("Puppet::Type.newtype(:t) do\n  desc 'x\nend\n", "a string does not end"),
        ("Puppet::Type.newtype(:t) do\n  desc <<EOT\nend\n", "a heredoc does not end"),
        ("x = ]\n", "] closes nothing"),
        ("", "its file has no newtype that can be read"),
        ("Puppet::Type.newtype(:t) do\n  newparam(\n)\nend\n", "newparam gets an unknown name"),
        ("Puppet::Type.newtype(:t) do\n  newparam :a b c\nend\n", "a statement is not understood"),
        ("Puppet::Type.newtype(:t) do\n  def self.x() = x\n  x\nend\n", "x is called"),
        ("Puppet::Type.newtype(:t) do\n  def self.x; x; end\n  x\nend\n", "calls go too deep"),
        ("Puppet::Type.newtype(:t) do\n" + "[" * 9999 + "]" * 9999 + "\nend\n", "too deep"),
        ("Puppet::Type.newtype(:t) do\n  include Nowhere\nend\n", "Nowhere is mixed in"),
        ("Puppet::Type.newtype(:t) do\n  Nowhere.add(self)\nend\n", "Nowhere.add is given"),
    ],
)
def test_unreadable(tmp_path: Path, text: str, reason: str) -> None:
    folder = tmp_path / "m" / "lib" / "puppet" / "type"
    folder.mkdir(parents=True)
    (folder / "t.rb").write_text(text)
    type = RubyTypes([str(tmp_path)]).find("t")
    assert type is not None
    assert reason in type.open
