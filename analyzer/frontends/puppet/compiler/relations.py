"""Arrows: remembered when they are evaluated, resolved when everything is collected.

The value of an arrow is its right side, or the left where the right is empty. A collector on the
right remembers the left as what stands for it if it finds nothing (EmptyAlternativeAdapter).
Before Puppet 5 neither holds: the value is the right side, and what is empty breaks a chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.frontends.puppet.compiler.collectors import Collector
from analyzer.frontends.puppet.compiler.declared.arrow import Arrow
from analyzer.frontends.puppet.compiler.references import NO_TITLE, as_resource
from analyzer.frontends.puppet.evaluate.errors import PROBLEMS, EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of
from analyzer.frontends.puppet.types.model.base import Type, ruby_class
from analyzer.frontends.puppet.types.model.catalog import CATALOG_ENTRY, ClassType, ResourceType
from analyzer.frontends.puppet.types.model.wrappers import TypeType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# The first version in which an empty operand does not break a chain (4.10.5 is like it: PUP-996).
CLOSES_GAPS = 5

# Messages about operands, in Puppet's words.
ILLEGAL = (
    "Illegal relationship operand, can not form a relationship with {}. A Catalog type is required."
)
NO_REFERENCE = "Cannot split the type {}, it represents neither a PClassType, nor a PResourceType."

PARAMETERS = {"->": "before", "<-": "before", "~>": "notify", "<~": "notify"}


@compiles(a.RelationshipExpression)
def relationship(node: a.RelationshipExpression, unit: Unit) -> Thunk:
    """`left -> right`."""
    left, right = thunk_of(node.left_expr, unit), thunk_of(node.right_expr, unit)
    reverse = node.operator in ("<-", "<~")
    parameter = PARAMETERS[node.operator]

    def relate(machine: Machine, scope: Scope) -> Value:
        values = value_of(left, machine, scope), value_of(right, machine, scope)
        first, second = (operands(value, node, unit, machine) for value in values)
        sources, targets = (second, first) if reverse else (first, second)
        machine.related.append((node, unit, scope, first, second))
        for source in sources:
            for target in targets:
                machine.arrows.append(Arrow(source, target, parameter, node, unit))
        if machine.puppet_version < CLOSES_GAPS:
            return second
        if not second:
            return first
        if len(second) == 1 and isinstance(second[0], Collector):
            second[0].alternative = first
        return second

    def value_of(operand: Thunk, machine: Machine, scope: Scope) -> Value:
        try:
            return operand(machine, scope)
        except PROBLEMS as error:
            return machine.recover_part(error, unit, node)

    return relate


def operands(value: Value, node: Node, unit: Unit, machine: Machine) -> list[Value]:
    """Return the references and collectors that an operand stands for, each once."""
    found: list[Value] = []
    for one in value if type(value) is list else [value]:
        if type(one) is list:
            found += [o for o in operands(one, node, unit, machine) if o not in found]
            continue
        if type(one) is Unknown:
            machine.undecided(one, "relationship", unit, node)
            continue
        operand = reference_in(one, node, unit, machine)
        if operand not in found:
            found.append(operand)
    return found


def reference_in(value: Value, node: Node, unit: Unit, machine: Machine) -> Value:
    """Return the reference, or the collector, that a value is.

    Raises:
        EvaluationError: it is none.
    """
    if isinstance(value, Collector):
        return value
    found = type_in(value, node, unit, machine) if type(value) is str else value
    if not isinstance(found, Type):
        raise EvaluationError(ILLEGAL.format(a_kind_of(found)), unit, node)
    inner = found.type if isinstance(found, TypeType) and found.type is not None else found
    if isinstance(inner, ClassType) and inner.class_name is None:
        raise EvaluationError(NO_TITLE.format("class"), unit, node)
    if isinstance(inner, ClassType):
        return inner
    if isinstance(inner, ResourceType) and inner.type_name:
        return as_resource(inner, machine)
    if not assignable(CATALOG_ENTRY, inner):
        raise EvaluationError(ILLEGAL.format(f"something of type {found}"), unit, node)
    raise EvaluationError(NO_REFERENCE.format(ruby_class(inner)), unit, node)


def type_in(text: str, node: Node, unit: Unit, machine: Machine) -> Type:
    """Return the type that a text says.

    Raises:
        EvaluationError: it says none; a syntax error has its place in the text.
    """
    try:
        found = parse_type(text, machine.resolve)
    except ParseError as error:
        wrong = error.diagnostic
        place = f" (line: {wrong.line}, column: {wrong.column})" if wrong.line else ""
        raise EvaluationError(wrong.message + place, unit, node) from None
    except TypeProblem as problem:
        raise EvaluationError(str(problem), unit, node) from None
    if isinstance(found, ResourceType) and found.title is not None:
        return ResourceType(found.type_name, to_s(found.title))
    return found


def leftmost(operand: Value) -> list[Value]:
    """Return the resources of a source: those that a collector found, else those left of it."""
    if isinstance(operand, Collector):
        if operand.collected:
            return list(operand.collected.values())
        return leftmost_of(operand.alternative)
    return [operand]


def leftmost_of(alternative: list[Value] | None) -> list[Value]:
    """Return the resources on the left side of an empty collector."""
    if alternative is None:
        return []
    if len(alternative) == 1 and isinstance(alternative[0], Collector):
        return leftmost(alternative[0])
    return alternative


def targets_of(operand: Value) -> list[Value]:
    """Return the resources of a target, none for a collector that found nothing."""
    return list(operand.collected.values()) if isinstance(operand, Collector) else [operand]
