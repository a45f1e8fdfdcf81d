"""The validation beyond the recorded programs: deep trees, and paths without a modulepath."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.syntax.validate import validate


def codes(text: str, file: str = "") -> list[str]:
    return [found.code for found in validate(parse(text, file), text, file)]


@pytest.mark.parametrize(
    "text",
    [
        "$a = " + "1 + " * 20_000 + "1",
        "$a = " + "!" * 2_000 + "$b",
        "$a = " + "[" * 2_000 + "]" * 2_000,
        "if $a { } " + "elsif $b { 1 } " * 2_000 + "\nnotice('x')",
        "File <| " + "a == 1 and " * 5_000 + "b == 2 |>",
        "File['a']" + " -> File['a']" * 5_000,
    ],
    ids=["sum", "not", "lists", "elsif", "query", "arrows"],
)
def test_deep_trees(text: str) -> None:
    assert set(codes(text)) <= {"IDEM_EXPRESSION_NOT_LAST"}


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        ("/code/modules/foo/manifests/init.pp", True),
        ("/code/modules/foo/manifests/bar/init.pp", True),
        ("/code/modules/bar/manifests/init.pp", False),
        ("/code/site/modules/foo/spec/fixtures/modules/bar/manifests/init.pp", False),
        ("/code/modules/foo/examples/init.pp", False),
        ("/code/modules/manifests/init.pp", False),
        ("/code/foo/manifests/init.pp", False),
        ("<string>", False),
        ("", False),
    ],
)
def test_modules_are_seen_in_paths(file: str, wrong: bool) -> None:
    assert codes("class bar { }", file) == ["ILLEGAL_DEFINITION_LOCATION"] * wrong


def test_only_strict_issues_follow_strict() -> None:
    text = "$a = { b => 1, b => 2 }\n1 = 2"
    program = parse(text)
    severities = {
        strict: [found.severity for found in validate(program, text, strict=strict)]
        for strict in ("error", "warning", "off")
    }
    assert severities == {
        "error": ["error", "error"],
        "warning": ["warning", "error"],
        "off": ["error"],
    }


def test_places_count_characters() -> None:
    text = "$a = '\u4e2d\U0001f600'\n$b = ['\U0001f600', 1 = 2]"
    (found,) = validate(parse(text), text)
    assert (found.line, found.column, text[found.offset]) == (2, 12, "1")
