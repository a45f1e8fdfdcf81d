"""The parse table: what Lark makes of the grammar, as plain data that loads in a millisecond.

States hold an action per terminal (zero and up: go to that state; below: reduce by rule ~action)
and a state per rule's name. Rules are (name, length, alias).
"""

from __future__ import annotations

from typing import Any, NamedTuple

END = "$END"


class Table(NamedTuple):
    """A parse table; `start` and `end` are states."""

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    rules: list[tuple[str, int, str]]
    start: int
    end: int


def build_table(grammar: str) -> Table:
    """Build the table of a grammar with Lark; this takes half a second."""
    from lark import Lark
    from lark.lexer import Lexer as LarkLexer
    from lark.parsers.lalr_analysis import Shift

    class NoLexer(LarkLexer):
        """Stands for ours, which Lark never runs."""

        def __init__(self, conf: object) -> None:
            pass

        def lex(self, lexer_state: object, parser_state: object = None) -> Any:
            raise NotImplementedError

    lark = Lark(
        grammar, parser="lalr", lexer=NoLexer, keep_all_tokens=True, maybe_placeholders=False
    )
    parsed = lark.parser.parser._parse_table
    numbers = {state: number for number, state in enumerate(parsed.states)}
    rules: dict[Any, int] = {}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for row in parsed.states.values():
        terminals: dict[str, int] = {}
        others: dict[str, int] = {}
        for symbol, (action, argument) in row.items():
            if action is not Shift:
                terminals[symbol] = ~rules.setdefault(argument, len(rules))
            elif symbol.isupper() or symbol == END:
                terminals[symbol] = numbers[argument]
            else:
                others[symbol] = numbers[argument]
        actions.append(terminals)
        gotos.append(others)
    named = [(r.origin.name, len(r.expansion), r.alias or "same") for r in rules]
    start = numbers[parsed.start_states["start"]]
    end = numbers[parsed.end_states["start"]]
    return Table(
        actions, gotos, [(str(n), size, str(alias)) for n, size, alias in named], start, end
    )
