"""From tokens to the tree: an LR loop over the parse table that Lark makes of the grammar.

Lark's own loop is right but slower; this one keeps plain tuples for tokens and passes through
chains of productions with one symbol in one step.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NoReturn, TypeVar

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.diagnostic import ParseError, parse_error
from analyzer.frontends.puppet.syntax.lexing.lexer import Lexer
from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.frontends.puppet.syntax.parsing.actions import ACTIONS, Action
from analyzer.frontends.puppet.syntax.parsing.build import Builder
from analyzer.frontends.table import END, Table, build_table

# A rule: its name, its length, and what makes its value; None keeps the value of its one symbol.
Rule = tuple[str, int, Action | None]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(dict[Key, Value]):
    """Makes a value when it is first asked for, and keeps it: a small file needs few."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self.make = make

    def __missing__(self, key: Key) -> Value:
        self[key] = value = self.make(key)
        return value


# What is done before a token: go to a state, reduce, refuse (None), or pass through rules that keep
# their value, to a state that depends on the one below.
Step = int | Rule | Kept[int, int] | None

BYTE_ORDER_MARKS = {"\ufeff": ("UTF-8", "[EF BB BF]")}


@cache
def table() -> tuple[Table, list[Rule], list[Kept[str, Step]]]:
    """Return the table of the Puppet grammar, its rules with their actions, and its states."""
    import grammars
    from analyzer.frontends.puppet.syntax.cache import kept, key_of, user_cache

    grammar = grammars.read("puppet.lark")
    row = kept(user_cache(), key_of("table", grammar), lambda: tuple(build_table(grammar)))
    made = Table(*row)
    rules = [
        (name, size, None if alias == "same" and size == 1 else ACTIONS[alias])
        for name, size, alias in made.rules
    ]
    return made, rules, [Kept(partial(step_of, state)) for state in range(len(made.actions))]


def step_of(state: int, kind: str) -> Step:
    """Return the step of a state before a token; in the last state, the end is taken."""
    parsed, rules, _ = table()
    if state == parsed.end:
        return state
    action = parsed.actions[state].get(kind)
    if action is None or action >= 0:
        return action
    rule = rules[~action]
    return rule if rule[2] else Kept(partial(end_of_chain, state, kind))


def end_of_chain(top: int, kind: str, below: int) -> int:
    """Return the state to which rules that keep their value lead from `top` over `below`."""
    parsed, rules, _ = table()
    while top != parsed.end:
        action = parsed.actions[top].get(kind)
        if action is None or action >= 0 or rules[~action][2] is not None:
            break
        top = parsed.gotos[below][rules[~action][0]]
    return top


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
    (_, gotos, _, top, _), _, steps = table()
    states = [top]
    values: list[object] = []
    closing: list[Token] = [(END, None, -1, 0)] if complete else []
    for token in [*tokens, *closing]:
        kind = token[0]
        while True:
            step: Any = steps[top][kind]
            form = type(step)
            if form is int:
                states.append(step)
                values.append(token)
                top = step
                break
            if form is Kept:
                top = states[-1] = step[states[-2]]
                continue
            if step is None:
                message = hint(tokens, token, builder, states)
                reduce_by_default(states, values, builder)
                refuse(token, builder, message)
            name, size, make = step
            if size == 1:
                values[-1] = make(builder, values[-1:])
                top = states[-1] = gotos[states[-2]][name]
                continue
            if size:
                parts = values[-size:]
                del values[-size:], states[-size:]
                values.append(make(builder, parts))
            else:
                values.append(make(builder, []))
            top = gotos[states[-1]][name]
            states.append(top)
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
        if make is not None:
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
