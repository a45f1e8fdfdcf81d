"""The parse table: what Lark makes of a grammar, as plain data that loads in a millisecond.

States hold an action per terminal (zero and up: go to that state; below: reduce by rule ~action)
and a state per rule's name. Rules are (name, length, alias).

A grammar takes Lark a second, so the tables are built when catgraph is installed (`hatch_build.py`)
and lie beside the grammars. Each holds the texts that it was made from: after a change of one of
them it is not used.
"""

from __future__ import annotations

import json
from contextlib import suppress
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

# Relative: a table depends on this text, which must be the same in a wheel.
from . import data, read

if TYPE_CHECKING:
    from pathlib import Path

END = "$END"

# The grammars that have a table.
NAMES = ("puppet", "cfengine")

# Raised by reading what is not there or no table.
UNUSABLE = (OSError, ValueError, TypeError, IndexError, RecursionError)


class Table(NamedTuple):
    """A parse table; `start` and `end` are states."""

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    rules: list[tuple[str, int, str]]
    start: int
    end: int


def sources(name: str) -> tuple[str, str]:
    """Return the texts that a table depends on: the grammar, and this module."""
    return read(f"{name}.lark"), read("table.py")


def installed(name: str) -> Table | None:
    """Return the table that was installed, None if there is none or it is of other sources."""
    with suppress(*UNUSABLE):
        made_from, values = json.loads(data(f"{name}.table"))
        if made_from == list(sources(name)):
            return unpack(values)
    return None


def pack(table: Table) -> list[Any]:
    """Return a table as plain values, which are read in a third of the time of the table itself.

    A row of a state has the number of its names and their numbers, or one that all of them have.
    """
    names: dict[tuple[str, ...], int] = {}

    def packed(rows: list[dict[str, int]]) -> list[list[int]]:
        found = []
        for row in rows:
            numbers = list(row.values())
            if len(set(numbers)) == 1:
                del numbers[1:]
            found.append([names.setdefault(tuple(row), len(names)), *numbers])
        return found

    actions, gotos = packed(table.actions), packed(table.gotos)
    return [list(map(list, names)), actions, gotos, list(map(list, table.rules)), *table[3:]]


def row_of(names: list[str], numbers: list[int]) -> dict[str, int]:
    """Return the row of a state from its names and their numbers, or the one that all have."""
    if len(numbers) == 1:
        return dict.fromkeys(names, numbers[0])
    return dict(zip(names, numbers, strict=True))


def unpack(values: Any) -> Table:
    """Return the table in plain values."""
    names, *both, rules, start, end = values
    actions, gotos = ([row_of(names[n], numbers) for n, *numbers in rows] for rows in both)
    return Table(actions, gotos, [tuple(rule) for rule in rules], start, end)


def write_tables(folder: Path) -> None:
    """Write the tables that `installed` returns, if the folder is that of this package."""
    for name in NAMES:
        row = pack(build_table(read(f"{name}.lark")))
        text = json.dumps((sources(name), row), separators=(",", ":"))
        (folder / f"{name}.table").write_text(text, encoding="ascii")


def build_table(grammar: str) -> Table:
    """Build the table of a grammar with Lark; a large one takes a second.

    States are numbered as they are reached from the first one: Lark's order differs from run to
    run.
    """
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
    first = parsed.start_states["start"]
    numbers = {first: 0}
    ahead = [first]
    rules: dict[Any, int] = {}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in ahead:
        terminals: dict[str, int] = {}
        others: dict[str, int] = {}
        for name, (action, argument) in sorted(parsed.states[state].items()):
            symbol = intern(str(name))
            if action is not Shift:
                terminals[symbol] = ~rules.setdefault(argument, len(rules))
                continue
            if argument not in numbers:
                numbers[argument] = len(numbers)
                ahead.append(argument)
            (terminals if symbol.isupper() or symbol == END else others)[symbol] = numbers[argument]
        actions.append(terminals)
        gotos.append(others)
    named = [
        (intern(str(rule.origin.name)), len(rule.expansion), intern(str(rule.alias or "same")))
        for rule in rules
    ]
    return Table(actions, gotos, named, 0, numbers[parsed.end_states["start"]])
