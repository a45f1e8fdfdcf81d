"""Values for the parameters that a class requires and that nobody gives, so that Puppet accepts it.

An example is made of the tree of the type. The compile then decides whether the type accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from analyzer.frontends.puppet.compile import EXAMPLE
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.worlds.choices import choices
from analyzer.frontends.puppet.worlds.expressions import bare, distinct, literal
from analyzer.frontends.puppet.worlds.tests import ABSENT, Value
from analyzer.frontends.puppet.worlds.types import (
    DEEPEST,
    OF_OTHERS,
    alias_in,
    definition_in,
    values_of,
)
from analyzer.model.catalog import Catalog
from analyzer.model.values import Unknown

# The longest text or list that is made.
LONGEST = 64
# Names of parameters that most often hold a path.
PATHS = re.compile(r"path|dir|file|folder|home|root", re.IGNORECASE)
ABSOLUTE = frozenset({"stdlib::absolutepath", "stdlib::unixpath"})
TEXTS = frozenset({"any", "data", "scalar", "scalardata", "string", "notundef", "richdata"})
EMPTY: dict[str, Value] = {"array": [], "collection": [], "hash": {}, "tuple": [], "struct": {}}
# Values of the kinds of a default, made of a name.
COLLECTIONS: dict[type, Callable[[str], tuple[Value, ...]]] = {
    a.LiteralList: lambda name: ([], [name]),
    a.LiteralHash: lambda name: ({}, {name: {}}),
}


def values_given(name: str, catalogs: Iterable[Catalog | None]) -> Mapping[str, Value] | None:
    """Return the parameters of a class in the first catalog that has it; undef is left out.

    Those of a defined type are those of the resource that is compiled by itself.
    """
    for catalog in catalogs:
        for one in catalog.resources if catalog is not None else ():
            is_class = one.type == "Class" and one.title.lower() == name
            if is_class or (one.type.lower() == name and one.title == EXAMPLE):
                return one.parameters
    return None


def not_given(
    known: DefinitionTable,
    name: str,
    given: Mapping[str, Value],
    catalogs: Iterable[Catalog | None],
) -> Iterator[a.Parameter]:
    """Yield the required parameters of a class that have no value in the first catalog with it.

    An error may keep the class from the catalog of its own world.
    """
    definition = definition_in(known, name)
    bound = values_given(name, catalogs)
    for parameter in definition.node.parameters if definition is not None else ():
        lacks = bound is None or isinstance(bound.get(parameter.name), Unknown)
        if lacks and parameter.value is None and f"{name}::{parameter.name}" not in given:
            yield parameter


def completions(
    known: DefinitionTable,
    name: str,
    missing: Iterable[a.Parameter],
    asked: Mapping[str, Sequence[Value]],
) -> Iterator[dict[str, Value]]:
    """Yield choices of values for parameters of a class, an empty one if there are none.

    Values that code tests (`asked`) come after those that it does not tell from others.
    """
    values: dict[str, Sequence[Value]] = {}
    for one in missing:
        key = f"{name}::{one.name}"
        tested = (value for value in asked.get(key, ()) if value is not ABSENT)
        values[key] = distinct([*examples_for(one, known), *tested])
    return choices(values)


def examples_for(parameter: a.Parameter, known: DefinitionTable) -> Iterator[Value]:
    """Yield values of a parameter's type; texts are made of its name, to be unlike others.

    Without a type, a default that is a list or a hash shows what it takes.
    """
    if parameter.type_expr is None and type(parameter.value) in COLLECTIONS:
        yield from COLLECTIONS[type(parameter.value)](parameter.name)
        return
    text = f"/srv/{parameter.name}" if PATHS.search(parameter.name) else parameter.name
    kind = parameter.type_expr
    yield from [text] if kind is None else Examples(known, text).of(kind, DEEPEST)


def filled(parameter: a.Parameter, known: DefinitionTable) -> Iterator[Value]:
    """Yield values of the arrays and hashes that a parameter may be: with an element, and empty."""
    for value in examples_for(parameter, known):
        if isinstance(value, (list, dict)):
            yield value
            if value == []:
                yield [parameter.name]
            elif value == {}:
                yield {parameter.name: {}}


class Examples:
    """Makes values of types; `text` is the one for any text."""

    def __init__(self, known: DefinitionTable, text: str) -> None:
        self.known = known
        self.text = text

    def of(self, node: Any, depth: int) -> Iterator[Value]:
        """Yield values of a type; none if it is made of too many others, or not understood."""
        node = bare(node)
        if depth == 0:
            return
        if type(node) is a.QualifiedReference:
            yield from self.of_name(node, depth)
        elif type(node) is a.AccessExpression and type(node.left_expr) is a.QualifiedReference:
            name, keys = node.left_expr.cased_value.lower(), [bare(key) for key in node.keys]
            if name in OF_OTHERS:
                yield from chain.from_iterable(self.of(key, depth - 1) for key in keys)
            elif name == "string":
                yield from self.of_length(keys)
            elif name in EMPTY:
                yield from self.of_items(name, keys, depth)
            else:
                yield from (value for value in values_of(node) if value is not ABSENT)

    def of_name(self, node: a.QualifiedReference, depth: int) -> Iterator[Value]:
        """Yield values of a type without brackets, or of an alias."""
        name = node.cased_value.lower().removeprefix("::")
        if name in ABSOLUTE:
            yield f"/srv/{self.text.rpartition('/')[2]}"
        elif name in TEXTS:
            yield self.text
        elif name in EMPTY:
            yield EMPTY[name]
        else:
            yield from (value for value in values_of(node) if value is not ABSENT)
            alias = alias_in(self.known, name)
            if alias is not None:
                yield from self.of(alias.type_expr, depth - 1)

    def of_length(self, keys: list[Any]) -> Iterator[str]:
        """Yield a text of a length, as `String[1, 8]` has it."""
        least, most = limits(keys)
        if least <= LONGEST:
            yield self.text.ljust(least, "x")[:most]

    def of_items(self, name: str, keys: list[Any], depth: int) -> Iterator[Value]:
        """Yield an array, a hash, a tuple or a struct, the smallest first."""
        sizes = [key for key in keys if literal(key) is not None]
        least, _ = limits(sizes)
        firsts = [next(self.of(key, depth - 1), ABSENT) for key in keys if key not in sizes]
        if name == "struct":
            yield from self.of_struct(keys, depth)
        elif name != "tuple" and not least:
            yield EMPTY[name]
        if ABSENT in firsts or least > LONGEST:
            return
        if name == "hash" and len(firsts) > 1 and least < 2:
            yield {firsts[0]: firsts[1]}
        elif name == "tuple":
            yield firsts
        elif name == "array" and firsts:
            yield firsts * max(1, least)

    def of_struct(self, keys: list[Any], depth: int) -> Iterator[Value]:
        """Yield a hash with the entries that a struct requires."""
        found: dict[str, Value] = {}
        for entry in keys[0].entries if keys and type(keys[0]) is a.LiteralHash else ():
            name, kind = literal(bare(entry.key)), bare(entry.value)
            if isinstance(name, str) and not is_optional(kind):
                found[name] = next(self.of(kind, depth - 1), ABSENT)
        if ABSENT not in found.values():
            yield found


def is_optional(node: Any) -> bool:
    """Return whether a type is `Optional[...]`, whose entry a struct does not require."""
    left = getattr(node, "left_expr", None)
    return getattr(left, "cased_value", "").lower() == "optional"


def limits(keys: list[Any]) -> tuple[int, int]:
    """Return the least and the greatest length that the parameters of a type say."""
    numbers = [n for n in map(literal, keys) if isinstance(n, int)]
    return next(iter(numbers), 0), numbers[1] if len(numbers) > 1 else LONGEST
