"""The notation of trees: its indented form, and trees that real Puppet cannot dump."""

from __future__ import annotations

import re

import pytest

from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.parsing.parser import parse, parse_epp
from analyzer.frontends.puppet.syntax.pn import to_pn
from analyzer.frontends.puppet.syntax.pn_text import floating

from .cases import all_cases

# As `puppet parser dump --format pn --pretty` prints it.
PRETTY = """\
(class
  {
    :name "a"
    :params {
      :x {
        :type (qr
          "Integer")
        :value 1}
      :y {}}
    :body [
      (=
        (var
          "z")
        (array))
      (resource
        {
          :type (qn
            "file")
          :bodies [
            {
              :title "b"
              :ops []}]})]})"""


def test_indented() -> None:
    text = to_pn(parse("class a (Integer $x = 1, $y) { $z = [] file { 'b': } }"), pretty=True)
    assert text == PRETTY


def test_indented_form_differs_in_space_only() -> None:
    for case in all_cases():
        try:
            tree = (parse_epp if "epp" in case.flags else parse)(
                case.code, tasks="tasks" in case.flags
            )
        except ParseError:
            continue
        joined = re.sub(r"([\[{])?\n +", lambda found: found[1] or " ", to_pn(tree, pretty=True))
        assert joined == to_pn(tree), case.name


@pytest.mark.parametrize(
    ("program", "pn"),
    [
        pytest.param(
            "plan a($n) { apply($n) { include b } }",
            '(plan {:name "a" :params {:n {}} :body [(apply {:args [(var "n")] '
            ':body (block (invoke {:functor (qn "include") :args [(qn "b")]}))})]})',
            id="apply",
        ),
        pytest.param(
            "class a ($b::c) { }", '(class {:name "a" :params {:b::c {}}})', id="parameter's name"
        ),
    ],
)
def test_what_puppet_cannot_dump(program: str, pn: str) -> None:
    assert to_pn(parse(program, tasks=True)) == pn


def test_deep_trees() -> None:
    deep = 3000
    assert to_pn(parse("$x = " + "[" * deep + "]" * deep)).count("(array") == deep
    assert to_pn(parse("$x = 1" + " + 1" * deep)).count("(+") == deep


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (999999999999999.0, "999999999999999.0"),
        (1e15, "1.0e+15"),
        (1234567890123456.0, "1.234567890123456e+15"),
        (-1234567890123456.5, "-1.2345678901234565e+15"),
        (1e100, "1.0e+100"),
        (0.0001, "0.0001"),
        (0.00001, "1.0e-05"),
        (-0.0, "-0.0"),
        (float("inf"), "Infinity"),
    ],
)
def test_numbers_as_ruby_prints_them(value: float, text: str) -> None:
    assert floating(value) == text
