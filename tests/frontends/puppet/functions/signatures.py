"""Which row of a function takes the arguments of a call, by the types in its signatures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from analyzer.frontends.puppet.functions.registry import Dispatch
from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.types.mismatches.calls import describe_call
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.parsing.parse import Resolver, alias, parse_type
from analyzer.frontends.puppet.types.signatures import Signature, SignatureParameter, signature_of

BLOCK = re.compile(r"(?:,\s*)?&(.*) \$(\w+)$", re.S)


class Rejected(Exception):
    """No row takes the arguments; the text is Puppet's."""


def choose(name: str, rows: Sequence[Dispatch], arguments: Sequence[Any], block: Any) -> Dispatch:
    """Return the row that takes the arguments."""
    for row in rows:
        if row.arity is not None or row.unknown_in(tuple(arguments)) is not None:
            return row
        if not row.mismatch and takes(row, arguments, block):
            return row
    signatures = [
        made(text, tuple(row.types.items()))
        for row in rows
        for text in row.signatures
        if not row.mismatch
    ]
    raise Rejected(describe_call(name, signatures, arguments, block))


def mismatched(rows: Sequence[Dispatch], arguments: Sequence[Any], block: Any) -> list[Dispatch]:
    """Return the rows that say why none takes the arguments."""
    return [row for row in rows if row.mismatch and takes(row, arguments, block)]


def takes(row: Dispatch, arguments: Sequence[Any], block: Any) -> bool:
    types = tuple(row.types.items())
    return any(made(text, types).accepts(arguments, block) for text in row.signatures)


@cache
def made(text: str, types: tuple[tuple[str, str], ...]) -> Signature:
    """Return a signature from its text."""
    find = resolver(dict(types))
    match = BLOCK.search(text)
    rest = text[: match.start()] if match else text
    source = f"function f({rest}) {{}}"
    definition = parse(source).definitions[0]
    assert isinstance(definition, ast.FunctionDefinition)
    parameters = [
        SignatureParameter(
            each.name,
            parse_type(each.type_expr, find, source) if each.type_expr else ANY,
            each.value is not None,
            each.captures_rest,
        )
        for each in definition.parameters
    ]
    return signature_of(parameters, parse_type(match[1], find) if match else None)


def resolver(types: Mapping[str, str]) -> Resolver:
    """Return the function that finds the aliases of a row."""
    known: dict[str, TypeAliasType] = {}

    def find(name: str) -> Type | None:
        if name not in types:
            return None
        if name not in known:
            known[name] = alias(name, types[name], find)
        return known[name]

    return find
