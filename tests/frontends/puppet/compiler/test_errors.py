"""What else is wrong with a program after its first error, and what is only a consequence of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.syntax.diagnostic import ParseError

NO_NUMBER = "The value 'a' cannot be converted to Numeric."


def errors_of(code: str, modules: Path | None = None) -> list[tuple[int, str]]:
    """The lines and words of a program's errors, in their order."""
    known = DefinitionTable([str(modules)] if modules else ())
    known.add_program(code, "")
    with pytest.raises((EvaluationError, ParseError)) as caught:
        Compiler(known, CompileInputs("node", {})).compile()
    first: Any = caught.value
    return [
        (e.diagnostic.line, e.diagnostic.message)
        if isinstance(e, ParseError)
        else (e.place[1], e.message)
        for e in (first, *first.more)
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param(
            "$x = 1 + 'a'\n$y = 2 - 'a'\nnotify { $nope: }\n",
            [(1, NO_NUMBER), (2, NO_NUMBER), (3, "Unknown variable: 'nope'.")],
            id="statements",
        ),
        pytest.param(
            "$x = 1 + 'a'\nnotify { \"${x}\": }\nif $x { fail('no') }\n",
            [(1, NO_NUMBER)],
            id="a variable that got no value",
        ),
        pytest.param(
            "if true {\n  $x = 1 + 'a'\n  $y = 1\n}\nnotify { \"${x} ${y}\": }\n",
            [(2, NO_NUMBER)],
            id="variables in a block that failed",
        ),
        pytest.param(
            "class a {\n  notify { $nope: }\n}\nclass b {\n  notify { $none: }\n}\ninclude a\n"
            "include b\n",
            [(2, "Unknown variable: 'nope'."), (5, "Unknown variable: 'none'.")],
            id="classes",
        ),
        pytest.param(
            "class a($p) {\n  $x = 1\n}\ninclude a\nnotify { $a::x: }\nnotify { $c::x: }\n",
            [
                (4, "Class[A]: expects a value for parameter 'p'"),
                (5, "Illegal title type at index 0. Expected String, got Integer"),
            ],
            id="variables of a class without a value for a parameter",
        ),
        pytest.param(
            "class a {\n  $x = 1 + 'a'\n}\ninclude a\nnotify { $a::x: }\nnotify { $a::y: }\n",
            [(2, NO_NUMBER), (6, "Unknown variable: 'a::y'.")],
            id="variables of a class that was",
        ),
        pytest.param(
            "class a($p) {\n  $x = 1\n}\nclass b inherits a {\n  notify { $x: }\n}\ninclude b\n",
            [
                (7, "Class[A]: expects a value for parameter 'p'"),
                (5, "Illegal title type at index 0. Expected String, got Integer"),
            ],
            id="an inherited class without a value for a parameter",
        ),
        pytest.param(
            "include x, y\ninclude x\nclass { 'z': }\n",
            [
                (1, "Could not find class ::x for node"),
                (1, "Could not find class ::y for node"),
                (3, "Could not find declared class z"),
            ],
            id="missing classes, each once",
        ),
        pytest.param(
            "[1, 2].each |$i| {\n  notify { $i + 'a': }\n}\n", [(2, NO_NUMBER)], id="a loop"
        ),
        pytest.param(
            "define d() {\n  notify { 1 + 'a': }\n}\nd { ['x', 'y']: }\n",
            [(2, NO_NUMBER)],
            id="instances of a define",
        ),
        pytest.param(
            "function f() {\n  1 + 'a'\n}\n$x = f()\nnotify { $x: }\n$z = f()\n",
            [(2, NO_NUMBER)],
            id="a function",
        ),
        pytest.param(
            "class a {\n  fail('no')\n  $x = 1\n  notify { $nope: }\n}\ninclude a\n"
            "notify { $a::x: }\nnotify { $none: }\n",
            [(2, "no"), (8, "Unknown variable: 'none'.")],
            id="fail ends a body",
        ),
        pytest.param(
            "$x = 1 + 'a'\nnotify { 'a': require => Notify['b'] }\nNotify['a'] -> Notify['c']\n"
            "File['/a'] { mode => '1' }\n",
            [(1, NO_NUMBER)],
            id="what may have been declared",
        ),
        pytest.param(
            "notify { 'a':\n  require => Notify['b'],\n  before => Notify['c'],\n}\n"
            "Notify['a'] -> Notify['d']\nfile { '/x': nope => 1 }\n",
            [
                (5, "Could not find resource 'Notify[d]' for relationship from 'Notify[a]'"),
                (6, "no parameter named 'nope' (line: 6) on File[/x]"),
                (2, "Could not find resource 'Notify[b]' in parameter 'require'"),
                (3, "Could not find resource 'Notify[c]' in parameter 'before'"),
            ],
            id="relationships and parameters",
        ),
        pytest.param(
            "\nclass a inherits b { }\nclass b inherits b { }\ninclude a\n",
            [(3, "Class b inherits itself: b inherits b")],
            id="a class that inherits itself",
        ),
        pytest.param(
            "class a inherits b { }\nclass b inherits ::a { }\ninclude b\n",
            [(2, "Class b inherits itself: b inherits a, a inherits b")],
            id="classes that inherit each other",
        ),
        pytest.param(
            "@file { '/a': }\nrealize(File['/a'])\nrealize(File['/b'], User['c'])\n",
            [(3, "Failed to realize virtual resources File[/b], User[c]")],
            id="what is not there to be realized",
        ),
        pytest.param(
            "class a(Foo $x) { }\ndefine d(Bar $y) { }\n",
            [(1, "Resource type not found: Foo"), (2, "Resource type not found: Bar")],
            id="types of parameters",
        ),
        pytest.param(
            "class a {\n  notify { 1 + 'a': }\n}\n"
            "node 'node' {\n  include a\n  notify { $nope: }\n}\n",
            [(2, NO_NUMBER), (6, "Unknown variable: 'nope'.")],
            id="a node block",
        ),
        pytest.param(
            "function f() { f() }\n$x = 1 + 'a'\n$y = f()\n",
            [(2, NO_NUMBER)],
            id="recursion without end comes later",
        ),
    ],
)
def test_errors(code: str, expected: list[tuple[int, str]]) -> None:
    assert errors_of(code) == expected


def test_a_module_that_cannot_be_parsed(tmp_path: Path) -> None:
    for name, text in (
        ("a", "class a {\n  notify { 'x' }\n}\n"),
        ("b", "class b {\n  1\n  2\n}\n"),
    ):
        path = tmp_path / name / "manifests" / "init.pp"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    said = errors_of("include a\ninclude b\ninclude a\nclass { 'a::c': }\n", tmp_path)
    assert [line for line, _ in said] == [2, 3]
    assert said[0][1].startswith("Syntax error at '}'")
    assert said[1][1].startswith("This Literal Integer has no effect.")
