"""What is said of an argument that does not fit a lambda's, a function's or a template's type."""

from __future__ import annotations

import pytest

import analyzer
from analyzer.diagnostics import CompileError

# Each with Puppet's words.
CASES = {
    "[0].map |Integer[2] $n| { 1 }": (
        "block parameter 'n' expects an Integer[2] value, got Integer[0, 0]"
    ),
    "with(1, 2) |String $n, String $m| { }": (
        "block parameter 'n' expects a String value, got Integer"
    ),
    "with('a', 1) |String *$n| { }": "block parameter 'n' expects a String value, got Integer",
    "with({}) |Struct[{a => String}] $n| { }": ("block parameter 'n' expects size to be 1, got 0"),
    "with(1) |$n, String $m = 5| { }": "block parameter 'm' expects a String value, got Integer",
    "with(1) |$n, $m| { }": "Parameter $m is required but no value was given",
    "function f(Integer $x = 'a') { $x } $y = f()": (
        "'f' parameter 'x' expects an Integer value, got String"
    ),
    "$x = inline_epp('<%- |Integer $x| -%>', { x => 'a' })": (
        "lambda: parameter 'x' expects an Integer value, got String"
    ),
    "$x = inline_epp('<%- |Integer $x, String $y| -%>', { x => 'a', y => 1 })": (
        "lambda:\n  parameter 'x' expects an Integer value, got String\n"
        "  parameter 'y' expects a String value, got Integer"
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_words(code: str) -> None:
    with pytest.raises(CompileError) as caught:
        analyzer.compile(code=code, facts={})
    assert caught.value.message == CASES[code]


def test_arguments_without_a_parameter_are_dropped() -> None:
    code = "notify { 'x': message => with('a', 'b') |$n| { $n } }"
    found = analyzer.compile(code=code, facts={})
    assert '"message": "a"' in found.to_json()
