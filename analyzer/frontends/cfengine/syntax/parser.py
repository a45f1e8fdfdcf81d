"""Parses tokens to a tree: an LR loop over the parse table that Lark makes of the grammar."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from typing import Any

from analyzer.frontends.cfengine.syntax.ast import PolicyFile
from analyzer.frontends.cfengine.syntax.build import Builder
from analyzer.frontends.cfengine.syntax.lexer import MASTER, QUOTED_GUARD, Lexer, Token
from analyzer.frontends.cfengine.syntax.parse_messages import EXPECTED, message
from analyzer.frontends.cfengine.syntax.problems import Problem
from analyzer.frontends.table import table_of
from grammars.table import Table

Action = Callable[[Builder, Any], Any]
# A rule: its name, its length, its alias, and the function for its value, None: its symbol's.
Rule = tuple[str, int, str, Action | None]


@cache
def table() -> tuple[Table, list[Rule]]:
    """Return the table of the grammar, and its rules with the functions that build their values."""
    made = table_of("cfengine")
    rules: list[Rule] = [
        (name, size, alias, None if alias == "same" else getattr(Builder, alias, None))
        for name, size, alias in made.rules
    ]
    return made, rules


def parse(text: str, path: str) -> tuple[PolicyFile, list[Problem]]:
    """Parse a policy file; the tree is complete only if there are no problems."""
    lexer = Lexer(text)
    tokens = lexer.run()
    builder = Builder(text, path)
    # Trees have no reference cycles: garbage collection would only cost time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        stopped = drive(tokens, builder, text)
    finally:
        if collecting:
            gc.enable()
    places = builder.places
    # Problems of the lexer come first, up to the place where the parser stopped.
    lexed = [
        Problem(problem, places.span(offset), line)
        for problem, offset, line in lexer.problems
        if stopped is None or offset <= stopped.offset
    ]
    problems = sorted([*lexed, *builder.problems], key=lambda problem: problem.line)
    tree = PolicyFile(
        path, tuple(builder.bundles), tuple(builder.bodies), tuple(builder.promise_types)
    )
    return tree, problems


def drive(tokens: list[Token], builder: Builder, text: str) -> Token | None:
    """Run the parser over tokens; return the unexpected token, if there is one."""
    (actions, gotos, _, start, end), rules = table()
    states = [start]
    values: list[object] = []
    top = start
    for token in tokens:
        kind = token.kind
        builder.ahead = token
        while top != end:
            action = actions[top].get(kind)
            if action is None:
                refuse(token, states, values, builder, text)
                return token
            if action >= 0:
                states.append(action)
                values.append(token)
                builder.shifted = token
                top = action
                break
            top = reduce(rules[~action], states, values, builder, gotos)
    return None


def reduce(
    rule: Rule,
    states: list[int],
    values: list[object],
    builder: Builder,
    gotos: list[dict[str, int]],
) -> int:
    """Make one value of the symbols of a rule, and return the state that follows."""
    name, size, _, make = rule
    if make is not None:
        parts = values[len(values) - size :]
        del values[len(values) - size :]
        values.append(make(builder, parts))
    if size:
        del states[-size:]
    top = gotos[states[-1]][name]
    states.append(top)
    return top


def default_rule(row: dict[str, int], rules: list[Rule]) -> Rule | None:
    """Return the default reduction of a state, as in bison: its most frequent rule.

    There is none where the state has a production for errors.
    """
    if row.get("ERROR", -1) >= 0:
        return None
    reductions = [action for action in row.values() if action < 0]
    if not reductions:
        return None
    # Of equally frequent rules, the first in the grammar.
    names = list(EXPECTED)
    ranked = sorted(
        set(reductions),
        key=lambda action: (-reductions.count(action), rank(names, rules[~action][2])),
    )
    return rules[~ranked[0]]


def rank(names: list[str], alias: str) -> int:
    """Return the place of a production for errors in the grammar."""
    return names.index(alias) if alias in names else -1


def refuse(
    token: Token, states: list[int], values: list[object], builder: Builder, text: str
) -> None:
    """Report the expected tokens: those of the nearest state with a production for errors."""
    (actions, gotos, _, _, end), rules = table()
    while states[-1] != end:
        rule = default_rule(actions[states[-1]], rules)
        if rule is None or rule[2] in EXPECTED:
            break
        reduce(rule, states, values, builder, gotos)
    problem = "syntax error"
    for state in reversed(states):
        after = actions[state].get("ERROR", -1)
        if after >= 0:
            action = actions[after].get(token.kind, 0)
            rule = rules[~action] if action < 0 else default_rule(actions[after], rules)
            if rule and rule[2] in EXPECTED:
                problem = message(rule[2], token.kind, raw(token, text), builder.keyword)
            break
    builder.note(problem, token, token.line)


def raw(token: Token, text: str) -> str:
    """Return the source text of a token."""
    if token.kind == "OTHER":
        return token.text
    if token.kind == "GUARD" and token.text[:1] in ("'", '"'):
        found = QUOTED_GUARD.match(text, token.offset)
    else:
        found = MASTER.match(text, token.offset)
    return found[0] if found and token.kind != "$END" else ""
