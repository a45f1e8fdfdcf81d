"""The parameter of a class that a key of data sets, its type and its default, as written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.mismatches.describe import describe
from analyzer.frontends.puppet.types.mismatches.mismatch import UnresolvedType
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, opaque_alias
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.problems import InvalidType, TypeProblem
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot
from analyzer.lsp.state.texts import tokens as tokens_in
from analyzer.model.names import canonical_ref, capitalize_type
from analyzer.source import masked

# The most aliases that one type may use.
MOST_ALIASES = 50
# A regular expression of untrusted code may take forever, while the editor waits. Its match is left
# to the compile, in a process that can be ended.
EXPRESSION = re.compile(r"\b(?:Pattern|Regexp)\b", re.IGNORECASE)
# The marks of values that are computed later, or decrypted.
LATER = ("%{", "ENC[")

OPEN = {"LBRACK": 1, "LISTSTART": 1, "LPAREN": 1, "WSLPAREN": 1, "LBRACE": 1, "RBRACK": -1,
        "RPAREN": -1, "RBRACE": -1}  # fmt: skip


class WrittenParameter(NamedTuple):
    """A parameter: its place, and its type and default as written; empty if it has none."""

    owner: str
    found: FoundSymbol
    type: str
    default: str

    @property
    def name(self) -> str:
        """Return its name."""
        return self.found.symbol.name


def parameters_of(snapshot: Snapshot, owner: FoundSymbol) -> Iterator[IndexedSymbol]:
    """Yield the parameters of a class."""
    symbols = snapshot.facts(owner.path).symbols
    number = symbols.index(owner.symbol)
    return (one for one in symbols if one.within == number and one.kind == "parameter")


def parameter_of(snapshot: Snapshot, path: str, key: str) -> WrittenParameter | None:
    """Return the parameter that a key sets, None if there is none."""
    owner, _, name = key.removeprefix("::").rpartition("::")
    for one in snapshot.find("class", owner, path) if owner else ():
        for found in snapshot.members(one, name, ("parameter",)):
            return WrittenParameter(owner, found, *written(snapshot, found))
    return None


def written(snapshot: Snapshot, found: FoundSymbol) -> tuple[str, str]:
    """Return the type and the default of a parameter as written."""
    return written_at(snapshot.text(found.path), found.path, found.symbol.start)


@lru_cache(maxsize=1024)
def written_at(text: str, path: str, start: int) -> tuple[str, str]:
    """Return the type and the default of the parameter whose name is at an offset."""
    tokens = tokens_in(text, path)
    numbers = (n for n, one in enumerate(tokens) if one[2] + 1 == start)
    at = next((n for n in numbers if tokens[n][0] == "VARIABLE"), -1)
    if at < 0:
        return "", ""
    first, last = at, at
    depth = 0
    while first and (depth or tokens[first - 1][0] not in ("COMMA", "LPAREN", "WSLPAREN")):
        first -= 1
        depth -= OPEN.get(tokens[first][0], 0)
    while last + 1 < len(tokens) and (depth or tokens[last + 1][0] not in ("COMMA", "RPAREN")):
        last += 1
        depth += OPEN.get(tokens[last][0], 0)
    default = part(text, tokens[at + 2 : last + 1]) if last > at + 1 else ""
    return part(text, tokens[first:at]), masked(default)


def part(text: str, tokens: list[Token]) -> str:
    """Return the text of some tokens."""
    return text[tokens[0][2] : tokens[-1][2] + tokens[-1][3]] if tokens else ""


class Aliases:
    """Finds the aliases of types in the workspace; an unknown alias accepts any value."""

    def __init__(self, snapshot: Snapshot, path: str) -> None:
        self.snapshot = snapshot
        self.path = path
        self.known: dict[str, Type] = {}

    def __call__(self, name: str) -> Type:
        """Return the type of a name."""
        low = name.lower().removeprefix("::")
        if low not in self.known:
            found = self.snapshot.find("type", low, self.path)
            aliases = [one for one in found if one.symbol.kind == "type"]
            if not aliases or len(self.known) >= MOST_ALIASES:
                return opaque_alias(name, "is not in the workspace")
            self.known[low] = made = TypeAliasType(capitalize_type(low)).begin()
            symbol = aliases[0].symbol
            text = self.snapshot.text(aliases[0].path)[symbol.first : symbol.last]
            if EXPRESSION.search(text):
                self.known[low] = opaque_alias(name, "is a regular expression")
                return self.known[low]
            made.resolve(parse_type(text.partition("=")[2], self))
        return self.known[low]


def mismatch(snapshot: Snapshot, parameter: WrittenParameter, value: Any) -> str:
    """Return Puppet's reason why a value does not fit a parameter; empty if it may fit."""
    if not parameter.type or value is None or is_later(value) or EXPRESSION.search(parameter.type):
        return ""
    try:
        expected = parse_type(parameter.type, Aliases(snapshot, parameter.found.path))
        if instance(expected, value):
            return ""
        wrong = describe(expected, infer_set(value), (("parameter", parameter.name),))
    except (TypeProblem, InvalidType, ParseError, RecursionError, ValueError, TypeError):
        return ""
    words = "\n".join(one.text().strip() for one in wrong if not isinstance(one, UnresolvedType))
    return f"{canonical_ref('Class', parameter.owner)}: {words}" if words else ""


def is_later(value: Any) -> bool:
    """Return whether a part of a value becomes known only at the lookup."""
    if isinstance(value, dict):
        return any(is_later(one) for row in value.items() for one in row)
    if isinstance(value, list):
        return any(map(is_later, value))
    return isinstance(value, str) and any(word in value for word in LATER)
