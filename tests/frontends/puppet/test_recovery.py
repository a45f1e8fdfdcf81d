"""Definitions that are right by themselves, beside a syntax error in the same file."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.syntax.recovery import recovered

BAD = "class bad { file { '/x': ensure => } }\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"{BAD}class a {{ }}\ndefine b($x = {{'k' => 1}}) {{ }}\n", ["a", "b"]),
        (f"class a {{ }}\n{BAD}", ["a"]),
        # The brace of the first class is missing: what follows is not nested in it.
        ("class bad { file { '/x': }\nclass a { }\n", ["a"]),
        # One brace too many.
        ("class a { } }\nclass b { }\n", ["a", "b"]),
        # A quote that is not closed.
        ("class bad { notify { \"it: } }\nclass a { notify { \"x\": } }\n", ["a"]),
        # Comments and texts define nothing.
        (f"{BAD}/*\nclass a {{ }}\n*/\n$x = 'class b {{ }}'\n", []),
        # Names and places that Puppet refuses are clear; a key that is there twice is not.
        (f"{BAD}class a-b {{ }}\nclass c {{ $h = {{ a => 1, a => 2 }} }}\n", ["a-b"]),
        (BAD, []),
        # The line of an error is left out, or what is before a brace.
        ("class a {\n  file { '/x':\n    ensure => file\n    mode => '1',\n  }\n}\n", ["a"]),
        ("class a {\n  notify { 'x': }\n  $b =\n}\n", ["a"]),
        # A class whose first line is wrong is none, nor is one with many errors.
        ("class a($x => 1) {\n}\n", []),
        ("class a {\n" + "  $b = = 1\n" * 4 + "}\n", []),
        # Names of parameters that Puppet refuses are clear.
        ("class a($name, $b, $b) { }\n", ["a"]),
    ],
)  # fmt: skip
def test_what_is_right_by_itself(text: str, names: list[str]) -> None:
    tree = recovered(text, "modules/m/manifests/init.pp")
    found = () if tree is None else tree.definitions
    assert [getattr(one, "name", "") for one in found] == names
    for one in found:
        assert text[one.offset :].startswith(("class", "define"))
