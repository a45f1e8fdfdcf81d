"""From tokens to the tree: an LR loop over the parse table that Lark makes of the grammar.

Lark's own loop is right but slower; this one keeps plain tuples for tokens, passes through chains
of productions with one symbol in one step, and finds a state after a reduction together with what
is to be done in it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache, partial
from sys import maxsize
from typing import Any, NoReturn, TypeVar

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.ast import QualifiedName
from analyzer.frontends.puppet.syntax.diagnostic import ParseError, parse_error
from analyzer.frontends.puppet.syntax.lexing.lexer import Lexer
from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.frontends.puppet.syntax.parsing.actions import ACTIONS, LEAVES, Action
from analyzer.frontends.puppet.syntax.parsing.build import Builder, quick
from analyzer.frontends.table import table_of
from grammars.table import END, Table

# A rule: its name, its length, and what makes its value; None keeps the value of its one symbol.
Rule = tuple[str, int, Action | None]

Key = TypeVar("Key")
Value = TypeVar("Value")


class MadeOnDemand(dict[Key, Value]):
    """Makes a value when it is first asked for, and keeps it: a small file needs few."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self.make = make

    def __missing__(self, key: Key) -> Value:
        self[key] = value = self.make(key)
        return value


# What is done before a token: a code (or the length of the rule to reduce), what makes the value,
# what follows, and the places of the rule's values on the stack. A taken token is followed by a
# state, a reduction by a state and its step before the same token, which depend on the state below;
# rules that keep their value lie before it.
Step = tuple[int, Any, "int | MadeOnDemand[int, StepOf]", slice]
StepOf = tuple[int, int, Any, "int | MadeOnDemand[int, StepOf]", slice]

# Codes: take a token; take it as the node that it makes; pass through rules that keep their value;
# begin a list with a value; append a value to a list.
TAKE, TAKE_NODE, TAKE_VARIABLE, PASS, LIST, APPEND, REFUSE = range(-7, 0)

BYTE_ORDER_MARKS = {"\ufeff": ("UTF-8", "[EF BB BF]")}


@cache
def table() -> tuple[Table, list[Rule], list[MadeOnDemand[str, Step]]]:
    """Return the table of the Puppet grammar, its rules with their actions, and its states."""
    made = table_of("puppet")
    rules = [
        (name, size, None if alias == "same" and size == 1 else ACTIONS[alias])
        for name, size, alias in made.rules
    ]
    return (
        made,
        rules,
        [MadeOnDemand(partial(step_of, state)) for state in range(len(made.actions))],
    )


def step_of(state: int, kind: str) -> Step:
    """Return the step of a state before a token; in the last state, the end is taken."""
    parsed, rules, _ = table()
    nothing = slice(0)
    if state == parsed.end:
        return TAKE, None, state, nothing
    action = parsed.actions[state].get(kind)
    if action is None:
        return REFUSE, None, state, nothing
    if action >= 0:
        leaf = leaf_of(action)
        if leaf is None:
            return TAKE, None, action, nothing
        return TAKE_VARIABLE if leaf == "variable" else TAKE_NODE, LEAVES[leaf], action, nothing
    name, size, make = rules[~action]
    if make is None or leaf_of(state):
        return PASS, None, MadeOnDemand(partial(step_after, state, kind)), nothing
    then = follow()[name, kind]
    if make is ACTIONS["one"]:
        return LIST, None, then, nothing
    if make in (ACTIONS["append"], ACTIONS["append_third"]):
        return APPEND, None, then, slice(1 - size, None)
    return size, make, then, slice(-size, None) if size else slice(maxsize, None)


@cache
def leaf_of(state: int) -> str | None:
    """Return the alias of a state's one rule, where the state can only make a token a node."""
    parsed, _, _ = table()
    rule = ~max(parsed.actions[state].values(), default=0)
    if rule < 0 or parsed.rules[rule][2] not in LEAVES:
        return None
    alone = all(action == ~rule for action in parsed.actions[state].values())
    return parsed.rules[rule][2] if alone else None


@cache
def follow() -> MadeOnDemand[tuple[str, str], MadeOnDemand[int, StepOf]]:
    """Return the states after a reduction: by its name and the next token, by that below."""
    gotos = table()[0].gotos

    def after(key: tuple[str, str]) -> MadeOnDemand[int, StepOf]:
        name, kind = key
        return MadeOnDemand(lambda below: step_after(gotos[below][name], kind, below))

    return MadeOnDemand(after)


def step_after(top: int, kind: str, below: int) -> StepOf:
    """Return the state to which rules that keep their value lead from `top` over `below`, and its
    step.
    """
    parsed, rules, steps = table()
    while top != parsed.end:
        action = parsed.actions[top].get(kind)
        if action is None or action >= 0 or not (rules[~action][2] is None or leaf_of(top)):
            break
        top = parsed.gotos[below][rules[~action][0]]
    return top, *steps[top][kind]


def parse(text: str, file: str = "", *, tasks: bool = False) -> ast.Program:
    """Parse a manifest.

    Raises:
        ParseError: it is no Puppet program.
    """
    check_mark(text, file)
    return run(Lexer(text, file, tasks=tasks), Lexer.run)


def parse_epp(text: str, file: str = "", *, tasks: bool = False) -> ast.Program:
    """Parse an EPP template.

    Raises:
        ParseError: it is no template.
    """
    check_mark(text, file)
    return run(Lexer(text, file, tasks=tasks), Lexer.run_template)


def check_mark(text: str, file: str) -> None:
    """Refuse a byte order mark, as Puppet does."""
    if text[:1] in BYTE_ORDER_MARKS:
        name, shown = BYTE_ORDER_MARKS[text[:1]]
        raise parse_error("ILLEGAL_BOM", text, None, file, format_name=name, bytes=shown)


def run(lexer: Lexer, lex: Any) -> ast.Program:
    """Parse what a lexer yields; an error of lexing counts only if parsing comes that far."""
    builder = Builder(lexer.text, lexer.file)
    # Trees have no reference cycles: garbage collection would only cost time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        try:
            tokens = lex(lexer)
        except ParseError as error:
            drive(lexer.tokens_before_error(), builder, complete=False)
            raise error from None
        result: ast.Program = drive(tokens, builder, complete=True)
        return result
    finally:
        if collecting:
            gc.enable()


def drive(tokens: list[Token], builder: Builder, *, complete: bool) -> Any:
    """Run the parser over tokens; without the end of input if they are not complete."""
    (_, _, _, top, _), _, steps = table()
    states = [top]
    values: list[Any] = []
    push, keep = states.append, values.append
    closing: list[Token] = [(END, None, -1, 0)] if complete else []
    code: int
    then: Any
    for token in [*tokens, *closing]:
        code, make, then, part = steps[top][token[0]]
        while True:
            if code == TAKE:
                keep(token)
                break
            if code == PASS:
                top, code, make, then, part = then[states[-2]]
                states[-1] = top
            elif code == TAKE_NODE:
                _, value, offset, length = token
                keep(quick(make, (offset, length, value)))
                break
            elif code == TAKE_VARIABLE:
                _, value, offset, length = token
                name = quick(QualifiedName, (offset + 1, length - 1, value))
                keep(quick(make, (offset, length, name)))
                break
            elif code == LIST:
                values[-1] = [values[-1]]
                top, code, make, then, part = then[states[-2]]
                states[-1] = top
            elif code == APPEND:
                last = values[-1]
                del values[part], states[part]
                values[-1].append(last)
                top, code, make, then, part = then[states[-2]]
                states[-1] = top
            elif code >= 0:
                parts = values[part]
                del values[part], states[part]
                keep(make(builder, parts))
                top, code, make, then, part = then[states[-1]]
                push(top)
            else:
                message = hint(tokens, token, builder, states)
                reduce_by_default(states, values, builder)
                refuse(token, builder, message)
        top = then
        push(top)
    return values[0] if complete else None


def reduce_by_default(states: list[int], values: list[object], builder: Builder) -> None:
    """Before a token is refused, reduce what is complete, as Puppet's parser does.

    What the actions say of it comes first, then.
    """
    (actions, gotos, _, _, end), rules, _ = table()
    while states[-1] != end:
        reductions = [action for action in actions[states[-1]].values() if action < 0]
        if not reductions:
            return
        name, size, make = rules[~max(set(reductions), key=reductions.count)]
        if make is not None and not leaf_of(states[-1]):
            parts = values[len(values) - size :]
            del values[len(values) - size :]
            values.append(make(builder, parts))
        if size:
            del states[-size:]
        states.append(gotos[states[-1]][name])


def hint(tokens: list[Token], token: Token, builder: Builder, states: list[int]) -> str:
    """Return the expected tokens; at the end of input also what was not closed."""
    from analyzer.frontends.puppet.syntax.parsing.expectation import expected, unclosed

    message = expected(table()[0], states)
    opening = unclosed(tokens) if token[0] == END else None
    if opening is None:
        return message
    line = builder.text.count("\n", 0, opening[2]) + 1
    place = f"'{opening[1]}' on line {line} is not closed"
    return f"{message}; {place}" if message else place


def refuse(token: Token, builder: Builder, message: str) -> NoReturn:
    """Raise the error of a token that does not fit."""
    kind, value, offset, _ = token
    shown = str(value).lower() if isinstance(value, bool) else "" if value is None else value
    if kind == "REGEX":
        shown = f"(?-mix:{value.replace('/', chr(92) + '/')})"
    ended = kind == END
    raise parse_error(
        "SYNTAX_ERROR",
        builder.text,
        None if ended else offset,
        builder.file,
        hint=message,
        where="end of input" if ended else f"'{shown}'",
    )
