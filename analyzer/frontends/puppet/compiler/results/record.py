"""The record of a compile beside its catalog: chains, collectors, includes, Unknowns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.compiler.collectors import Collector
from analyzer.frontends.puppet.compiler.declared.arrow import Arrow
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS, Entry, shown
from analyzer.frontends.puppet.compiler.declared.places import attribute_in, span_of
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.statements import (
    Chain,
    ClassUse,
    Collection,
    Inherited,
    LateDefault,
    Link,
    Operand,
    Record,
    Undecided,
)

# Attributes of a query that every resource has.
OF_EVERY = ("title", "tag", "name")


def record_of(compilation: Compilation, *, keep_variables: bool = False) -> Record:
    """Return the record of a compile."""
    return Record(
        tuple(chains(compilation)),
        tuple(map(collection, compilation.collectors)),
        tuple(
            ClassUse(form, name, within(scope), span_of(unit, node))
            for form, name, scope, unit, node in compilation.class_uses
        ),
        tuple(
            Undecided(what, unknown.reason, span_of(unit, node))
            for unknown, what, unit, node, _ in compilation.undecided_by
        ),
        frozenset(entry.ref for entry in compilation.entries.values() if entry.virtual),
        frozenset(unset(compilation)),
        tuple(compilation.missing),
        tuple(inherited(compilation)),
        tuple(late_defaults(compilation)),
        tuple(dict.fromkeys(span_of(unit, node) for unit, node in compilation.untitled)),
        {name: scope.frames[0] for name, scope in compilation.class_scopes.items() if name}
        if keep_variables
        else {},
    )


def within(scope: Scope) -> str:
    """Return the class, define or node in whose body a scope is."""
    return scope.resource.ref if scope.resource is not None else "Class[main]"


def inherited(compilation: Compilation) -> Iterator[Inherited]:
    """Yield the relationship parameters that come from defaults."""
    for entry in compilation.entries.values():
        for name in RELATIONSHIPS:
            setter = entry.set_by.get(name)
            if not entry.parameters.get(name):
                continue
            if setter is not None and isinstance(setter.node, a.ResourceDefaultsExpression):
                node = attribute_in(setter.node, entry.title, name) or setter.node
                place = span_of(setter.unit, node)
                yield Inherited(entry.ref, name, within(setter.scope), place)


def late_defaults(compilation: Compilation) -> Iterator[LateDefault]:
    """Yield the relationship parameters of defaults that only follow resources of their type.

    A default applies to the resources that are declared after it.
    """
    used = {
        (id(setter.node), name)
        for entry in compilation.entries.values()
        for name, setter in entry.set_by.items()
        if setter is not None
    }
    missed: dict[tuple[int, str], tuple[Scope, list[Entry]]] = {}
    for entry in compilation.entries.values():
        scope = entry.scope
        given = scope.defaults.get(entry.type, {}) if scope else {}
        for name in RELATIONSHIPS:
            if scope is None or not given.get(name) or name in entry.parameters:
                continue
            key = id(scope.default_places[entry.type, name][1]), name
            if key not in used:
                missed.setdefault(key, (scope, []))[1].append(entry)
    for (_, name), (scope, entries) in missed.items():
        unit, node = scope.default_places[entries[0].type, name]
        span = span_of(unit, attribute_in(node, entries[0].title, name) or node)
        yield LateDefault(tuple(one.ref for one in entries), name, within(scope), span)


def chains(compilation: Compilation) -> Iterator[Chain]:
    """Yield the chains: `a -> b -> c` is evaluated as `(a -> b) -> c`, arrow after arrow."""
    found: dict[int, tuple[list[Operand], list[Link], Scope]] = {}
    open_chains: dict[int, int] = {}
    for number, (node, unit, scope, first, second) in enumerate(compilation.related):
        inner = open_chains.pop(id(node.left_expr), None)
        operands, links, _ = found.pop(inner) if inner is not None else ([operand(first)], [], None)
        operands.append(operand(second))
        links.append(Link(node.operator, Arrow(None, None, "", node, unit).span))
        found[number] = operands, links, scope
        open_chains[id(node)] = number
    for operands, links, scope in found.values():
        yield Chain(tuple(operands), tuple(links), within(scope))


def operand(values: list[Any]) -> Operand:
    """Return the operand on one side of an arrow."""
    if len(values) == 1 and isinstance(values[0], Collector):
        one = values[0]
        place = span_of(one.unit, one.node)
        return Operand(one.text, tuple(one.collected), place, one.exported or one.unsure)
    refs: list[str] = []
    for value in values:
        refs += value.collected if isinstance(value, Collector) else [shown(value)]
    return Operand(", ".join(refs), tuple(refs))


def collection(collector: Collector) -> Collection:
    """Return the query of a collector and its results."""
    return Collection(
        collector.type,
        collector.text,
        span_of(collector.unit, collector.node),
        within(collector.scope),
        collector.exported,
        tuple(dict.fromkeys(attributes(collector.node.query.expr))),
        tuple(collector.collected),
        tuple(collector.realized),
        tuple(collector.overridden),
    )


def attributes(query: object) -> Iterator[str]:
    """Yield the attributes that a query asks for."""
    if isinstance(query, a.ParenthesizedExpression):
        yield from attributes(query.expr)
    elif isinstance(query, (a.AndExpression, a.OrExpression)):
        yield from attributes(query.left_expr)
        yield from attributes(query.right_expr)
    elif isinstance(query, a.ComparisonExpression) and isinstance(
        query.left_expr, (a.QualifiedName, a.LiteralString)
    ):
        yield query.left_expr.value


def unset(compilation: Compilation) -> Iterator[tuple[str, str]]:
    """Yield the attributes that collectors ask for and no declared resource of the type has."""
    for collector in compilation.collectors:
        compared = set(attributes(collector.node.query.expr)).difference(OF_EVERY)
        given = [e.parameters for e in compilation.entries.values() if e.type == collector.type]
        if compared and given:
            yield from (
                (collector.type, name) for name in compared if not any(name in p for p in given)
            )
