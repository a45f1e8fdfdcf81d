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
    ],
)  # fmt: skip
def test_what_is_right_by_itself(text: str, names: list[str]) -> None:
    tree = recovered(text, "modules/m/manifests/init.pp")
    found = () if tree is None else tree.definitions
    assert [getattr(one, "name", "") for one in found] == names
    for one in found:
        assert text[one.offset :].startswith(("class", "define"))
