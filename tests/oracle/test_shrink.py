"""A program is made small while it shows what it is to show."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.syntax.check import check
from analyzer.session.verify.refusals import words
from analyzer.session.verify.shrink import shrink

from .programs import program

PROGRAM = """
class web($port = 80) {
  file { '/etc/web':
    ensure => directory,
    mode   => '0755';
  }
  if $port == 80 {
    notify { ['plain', 'port']: message => "port ${port}", tag => 'x' }
  }
  $list = [1, [2, 3], { 'a' => 4 }]
}
include web
"""


@pytest.mark.parametrize(
    ("shown", "smallest"),
    [
        ("'plain'", "'plain'"),
        ("tag =>", "tag"),
        ("ensure", "ensure"),
        ("notify {", "notify"),
    ],
)
def test_smallest(shown: str, smallest: str) -> None:
    found = shrink(PROGRAM, lambda code: shown.split(maxsplit=1)[0] in code)
    assert check(found).ok
    assert smallest in found
    assert len(found) < 50


def test_what_does_not_parse() -> None:
    assert shrink("$a = 1\n$b = = 2\n$c = 3\n", lambda code: "= =" in code) == "= =\n"


def test_nothing_to_delete() -> None:
    assert shrink("include web\n", lambda code: code == "include web\n") == "include web\n"


def test_programs_are_their_seeds() -> None:
    assert program(7) == program(7)
    assert program(7) != program(8)


def test_most_programs_parse() -> None:
    parsed = [check(program(seed)).ok for seed in range(60)]
    assert sum(parsed) >= 55


@pytest.mark.parametrize(
    ("said", "bare"),
    [
        (
            "Puppet::Error: Invalid tag 'a b' (line: 53) on node node.example.com",
            "Invalid tag 'a b'",
        ),
        (
            "Puppet::PreformattedError: Evaluation Error: Error while evaluating a '->' expression"
            ", Nothing is there (file: /a.pp, line: 1, column: 2) on node node.example.com",
            "Nothing is there",
        ),
        (
            "Parameter 'a' is already set on File[/a] by #<Puppet::Resource::Type:0x00007f0> at "
            "(line: 3); cannot redefine (line: 4)",
            "Parameter 'a' is already set on File[/a] at (line: 3); cannot redefine",
        ),
        ("undefined method `downcase' for nil:NilClass", "a failure of Puppet itself"),
    ],
)
def test_words(said: str, bare: str) -> None:
    assert words(said) == bare
