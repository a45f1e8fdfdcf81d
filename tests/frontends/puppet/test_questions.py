"""The questions that code asks of its inputs."""

from __future__ import annotations

import pytest

import analyzer
from analyzer.frontends.puppet.worlds.expressions import with_word
from analyzer.frontends.puppet.worlds.extents import extents_in
from analyzer.frontends.puppet.worlds.questions import questions_in
from analyzer.frontends.puppet.worlds.tests import ABSENT


def asked(code: str) -> dict[str, list[object]]:
    """Return the values for each input, `absent` left out."""
    found: dict[str, list[object]] = {}
    for question in questions_in(analyzer.parse(code)):
        values = found.setdefault(question.input, [])
        values += [one for one in question.values if one is not ABSENT and one not in values]
    return found


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if $facts['os']['family'] == 'RedHat' { }", {"facts.os.family": ["RedHat"]}),
        ("if 'RedHat' != $::osfamily { }", {"facts.os.family": ["RedHat"]}),
        ("if $facts['osfamily'] in ['a', 'b'] { }", {"facts.os.family": ["a", "b"]}),
        (
            "if fact('os.selinux.enabled') { }",
            {"facts.os.selinux.enabled": [True, False, "example"]},
        ),
        ("unless $facts.dig('a', 'b') { }", {"facts.a.b": [True, False, "example"]}),
        ("$x = $trusted['certname'] ? { 'a' => 1, default => 2 }", {"trusted.certname": ["a"]}),
        (
            "case $role { 'a', 'b': { } /^c\\d/: { } default: { } }",
            {"role": ["a", "b", "c1", "other"]},
        ),
        ("class k($p) { if $p > 5 { } }", {"k::p": [5, 4, 6]}),
        (
            "class k { if $j::p and !$i::q { } }",
            {"j::p": [True, False, "example"], "i::q": [True, False, "example"]},
        ),
        ("class k($p) { $q = $p  if $q =~ Integer { } }", {"k::p": [1]}),
        (
            "$n = $facts['os']['name'] $m = $facts['os']['release']['major']\n"
            "case \"${n}-${m}\" { 'Debian-12': { } default: { } }",
            {"facts.os.name": ["Debian"], "facts.os.release.major": ["12"]},
        ),
        (
            "if versioncmp($facts['os']['release']['major'], '9') >= 0 { }",
            {"facts.os.release.major": ["9", "8", "10"]},
        ),
        ("define d($p) { if $p { } }", {"d::p": [True, False, "example"]}),
        (
            "if 'eth0' in $facts['networking']['interfaces'] { }",
            {"facts.networking.interfaces": [["eth0"], {"eth0": True}, "eth0", []]},
        ),
        (
            "class a($b, $c) { if $b =~ /^x:/ { } if $c =~ /^x:/ { } }",
            {"a::b": ["x:", "other"], "a::c": ["x:c", "other"]},
        ),
    ],
)
def test_questions(code: str, expected: dict[str, list[object]]) -> None:
    assert asked(code) == expected


@pytest.mark.parametrize(
    "code",
    ["function d($p) { if $p { } }", "[1].each |$x| { if $x == 2 { } }", "$x = 5 if $x == 5 { }"],
)
def test_no_input(code: str) -> None:
    assert asked(code) == {}


@pytest.mark.parametrize(
    "code",
    [
        "$a = strip($a) if $a { }",
        "$a = $b ? { 1 => 2 } $b = $a ? { 1 => 2 } if $a { }",
        "".join(f'$v{n + 1} = "${{v{n}}}${{v{n}}}" ' for n in range(60)) + "if $v60 == 'x' { }",
    ],
)
def test_variables_that_stand_for_each_other_end(code: str) -> None:
    assert set(asked(code)) <= {"a", "b", "v0"}


def test_where_constructs_end() -> None:
    code = "$x = $a ? { 1 => $b ? { 2 => fail('x') } } if $c and $d { fail('y') }"
    found = [code[start:end] for start, end in sorted(extents_in(analyzer.parse(code)))]
    assert found == [
        "$a ? { 1 => $b ? { 2 => fail('x')",
        "$b ? { 2 => fail('x')",
        "if $c and $d { fail('y') }",
        " $d { fail('y') }",
    ]


def test_long_texts_are_matched_once() -> None:
    """A text that almost matches nested repetitions takes too long."""
    text = "a" * 60
    assert with_word(text, "name", "^(a+)+$") == text
    assert with_word("1", "name", r"^\d+$") == "12"
