"""The loop over tokens, whose steps are joined, against the plain loop over the parse table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.lexing.lexer import Lexer
from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.frontends.puppet.syntax.parsing.actions import ACTIONS, LEAVES
from analyzer.frontends.puppet.syntax.parsing.build import Builder
from analyzer.frontends.puppet.syntax.parsing.parser import drive, table
from grammars.table import END

ROOT = Path(__file__).parents[3]


def plainly(tokens: list[Token], builder: Builder) -> object:
    """The tree as the table says it: one rule a step, each with its action."""
    (actions, gotos, _, start, end), rules, _ = table()
    states = [start]
    values: list[Any] = []
    for token in [*tokens, (END, None, -1, 0)]:
        while states[-1] != end and (action := actions[states[-1]][token[0]]) < 0:
            name, size, make = rules[~action]
            parts = values[len(values) - size :]
            del values[len(values) - size :], states[len(states) - size :]
            values.append(parts[0] if make is None else make(builder, parts))
            states.append(gotos[states[-1]][name])
        if states[-1] != end:
            states.append(actions[states[-1]][token[0]])
            values.append(token)
    return values[0]


def test_joined_steps_make_the_tree_of_the_table() -> None:
    manifests = sorted([*ROOT.glob("sample_catalogs/**/*.pp"), *ROOT.glob("tests/**/*.pp")])
    assert len(manifests) > 50
    for path in manifests:
        text = path.read_text()
        tokens = Lexer(text).run()
        made = drive(tokens, Builder(text, ""), complete=True)
        assert repr(made) == repr(plainly(tokens, Builder(text, ""))), path


def test_a_leaf_is_the_node_of_its_action() -> None:
    for alias, kind in LEAVES.items():
        value: Any = ast.QualifiedName(4, 3, "v") if alias == "variable" else "v"
        made = ACTIONS[alias](Builder("", ""), [("KIND", "v", 3, 4)])
        assert (type(made), made) == (kind, kind(3, 4, value))
