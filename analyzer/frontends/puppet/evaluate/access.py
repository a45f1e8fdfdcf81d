"""`left[keys]`: parts of texts, arrays and hashes, and types with parameters (AccessOperator)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.arithmetic import number_in, numeric
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit, fail
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, constant, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of, kind_of
from analyzer.frontends.puppet.types.model.aliases import TypeReferenceType
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType
from analyzer.frontends.puppet.types.parsing.parse import find_type
from analyzer.model.unknowns import entry_of
from analyzer.model.values import Unknown, flat

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope


# Parameters of types that are the same each time.
LITERALS = (
    a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean, a.LiteralDefault,
    a.LiteralRegularExpression, a.QualifiedName,
)  # fmt: skip


@compiles(a.QualifiedReference)
def reference(node: a.QualifiedReference, unit: Unit) -> Thunk:
    """Compile a type by its name; one of Puppet's is the same each time."""
    found = built_in(node)
    if found is not None:
        return constant(found)
    return lambda machine, scope: machine.type_named(node, unit)


def built_in(node: object) -> Type | None:
    """Return the type of Puppet's that a name is, None for any other expression."""
    return find_type(node.cased_value) if type(node) is a.QualifiedReference else None


def is_fixed(node: Any) -> bool:
    """Return whether an expression is a type of Puppet's with parameters that are written out."""
    if type(node) is a.AccessExpression:
        return built_in(node.left_expr) is not None and all(map(is_part, node.keys))
    return built_in(node) is not None


def is_part(node: Any) -> bool:
    """Return whether a parameter of a type is written out: a literal, or a type of Puppet's."""
    return type(node) in LITERALS or is_fixed(node)


@compiles(a.AccessExpression)
def access(node: a.AccessExpression, unit: Unit) -> Thunk:
    """Compile a part of a value, or a type with parameters."""
    look = part_thunk(node, unit)
    if not is_fixed(node):
        return look
    # Types are values that nobody changes, whatever machine made them.
    made: Any = None

    def once(machine: Machine, scope: Scope) -> Any:
        nonlocal made
        if made is None:
            found = look(machine, scope)
            if not isinstance(found, Type):
                return found
            made = found
        return made

    return once


def part_thunk(node: a.AccessExpression, unit: Unit) -> Thunk:
    """Return the thunk of a part of a value."""
    left = thunk_of(node.left_expr, unit)
    keys = [thunk_of(key, unit) for key in node.keys]
    key_of = keys[0] if len(keys) == 1 else None

    def look(machine: Machine, scope: Scope) -> Any:
        value = left(machine, scope)
        kind = type(value)
        if kind is dict and key_of is not None:
            return entry_of(value, key_of(machine, scope))
        if kind is ClassType:
            found = names_in(node, keys, machine, scope)
        else:
            found = [key(machine, scope) for key in keys]
        if kind is Unknown:
            return value
        unknown = unknown_in(*found)
        if unknown is not None:
            return unknown
        if isinstance(value, Type):
            return machine.parameterize(value, found, node, unit)
        return part_of(value, found, node, unit, machine)

    return look


def names_in(
    node: a.AccessExpression, keys: list[Thunk], machine: Machine, scope: Scope
) -> list[Any]:
    """Return the keys behind `Class`; a type's name among them need not be known."""
    return [
        find_type(key.cased_value, machine.resolve) or TypeReferenceType(key.cased_value)
        if type(key) is a.QualifiedReference
        else thunk(machine, scope)
        for key, thunk in zip(node.keys, keys, strict=True)
    ]


def part_of(
    value: object, keys: list[object], node: a.AccessExpression, unit: Unit, machine: Machine
) -> Any:
    """Return a part of a text, an array or a hash."""
    if type(value) is dict:
        return [value[key] for key in keys if value.get(key) is not None]
    if type(value) is list:
        return of_array(value, flat(keys), node, unit, machine)
    if type(value) is str:
        return of_text(value, flat(keys), node, unit)
    return fail(
        unit,
        node.left_expr,
        "OPERATOR_NOT_APPLICABLE",
        operator="[]",
        actual=a_kind_of(value),
    )


def bounds(first: int, length: int, size: int) -> tuple[int, int]:
    """Return where a slice starts and ends; negative numbers count from the end."""
    start = size + first if first < 0 else first
    count = size - start + length + 1 if length < 0 else length
    if start < 0:
        count += start
        start = 0
    return start, max(start, start + count)


def of_array(
    value: list[object], keys: list[object], node: a.AccessExpression, unit: Unit, machine: Machine
) -> Any:
    """Return an element, or a slice by its start and length."""
    if len(keys) not in (1, 2):
        message = f"Array supports [] with one or two arguments. Got {len(keys)}"
        raise EvaluationError(message, unit, node.left_expr)
    blamed = [node.keys[min(number, len(node.keys) - 1)] for number in range(len(keys))]
    places = [numeric(key, part, unit, machine) for key, part in zip(keys, blamed, strict=True)]
    for place, part in zip(places, blamed, strict=True):
        if type(place) is not int:
            message = f"An Array[] cannot use {kind_of(place)} where Integer is expected"
            raise EvaluationError(message, unit, part)
    if len(places) == 1:
        index = places[0]
        return value[index] if -len(value) <= index < len(value) else None
    start, end = bounds(places[0], places[1], len(value))
    return value[start:end]


def of_text(value: str, keys: list[object], node: a.AccessExpression, unit: Unit) -> Any:
    """Return a character, or a part by its start and length; beyond the text nothing."""
    if len(keys) not in (1, 2):
        message = f"String supports [] with one or two arguments. Got {len(keys)}"
        raise EvaluationError(message, unit, node.left_expr)
    places: list[int] = []
    for number, key in enumerate(keys):
        place = number_in(key) if type(key) is str else key
        if type(place) is not int:
            shown = key if place is None else place
            word = f"a Type[{shown}]" if isinstance(shown, Type) else a_kind_of(shown)
            blamed = node.keys[min(number, len(node.keys) - 1)]
            message = (
                "A substring operation does not accept "
                f"{word} as a character index. "
                "Expected an Integer"
            )
            raise EvaluationError(message, unit, blamed)
        places.append(place)
    if len(places) == 1:
        index = places[0] + len(value) if places[0] < 0 else places[0]
        return value[index : index + 1] if index >= 0 else ""
    start, end = bounds(places[0], places[1], len(value))
    return value[start:end]
