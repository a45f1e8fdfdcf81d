"""A missing target is one for certain if no arm of an undecided condition can declare it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.inputs import load_catalog

PROGRAM = """
define saying($say = false) { if $say { notify { 'b': } } file { "/${title}": } }
define deep() { saying { "d${title}": say => true } }
define other() { file { '/x': } }
class base { notify { 'b': } }
class child inherits base { }
class quiet { file { '/q': } }
function declaring() { notify { 'b': } }
function quietly() { file { '/z': } }
saying { 's': }
file { '/f': }
notify { 'a': before => Notify['b'] }
notify { 'c': }
"""

# With these in its arm, Puppet compiles the program if the condition holds.
DECLARING = """
notify { 'b': }
saying { 'p': say => true }
deep { 'e': }
include base
include child
contain child
class { 'base': }
'base'.include
Saying['s'] { say => true }
Saying <| |> { say => true }
@notify { 'b': } realize(Notify['b'])
create_resources('notify', { 'b' => {} })
declaring()
[1].each |$x| { notify { 'b': } }
Notify <| title == 'a' |> { before => undef }
""".strip().split("\n")

# With these it refuses the program either way: "Could not find resource 'Notify[b]'".
OTHERS = """
file { '/g': }
other { 'o': }
include quiet
File['/f'] { mode => '0644' }
File { mode => '0644' }
File <| |>
File <| |> -> Notify['c']
create_resources('file', { '/g' => {} })
quietly()
[1].each |$x| { file { '/g': } }
Notify['c'] -> File['/f']
""".strip().split("\n")


def is_hidden(arm: str, folder: Path) -> bool:
    """Return whether the compile says that the target may be declared."""
    path = folder / "site.pp"
    path.write_text(f"{PROGRAM}if $facts['unknown'] {{ {arm} }}\n")
    try:
        gaps = load_catalog(path, Settings()).gaps
    except CompileError as error:
        return not error.message.startswith("Could not find resource 'Notify[b]'")
    return any("Notify[b] is not declared in what is known" in str(one) for one in gaps)


@pytest.mark.parametrize("arm", DECLARING)
def test_what_an_arm_may_declare_is_hidden(arm: str, tmp_path: Path) -> None:
    assert is_hidden(arm, tmp_path)


@pytest.mark.parametrize("arm", OTHERS)
def test_what_no_arm_declares_is_missing(arm: str, tmp_path: Path) -> None:
    assert not is_hidden(arm, tmp_path)


def test_one_missing_target_does_not_hide_the_next(tmp_path: Path) -> None:
    arm = "notify { 'b': } } notify { 'd': before => [Notify['b'], Package['p']]"
    path = tmp_path / "site.pp"
    path.write_text(f"{PROGRAM}if $facts['unknown'] {{ {arm} }}\n")
    with pytest.raises(CompileError, match=r"Package\[p\]"):
        load_catalog(path, Settings())
