"""Collectors: queries over the declared resources, repeated until nothing new is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.evaluate.compare import contains, equal
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.names import capitalize_type
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope
    from analyzer.frontends.puppet.node.exports import Exported

# The test of a resource, of this catalog or exported by another node.
Query = Callable[["Entry | Exported"], bool]
MakeQuery = Callable[["Machine", "Scope"], Query]


class Collector:
    """A query and what it has collected so far, by reference.

    `alternative` is what stands left of it in a chain, used when nothing is collected. `realized`
    are the resources that were virtual, `overridden` the attributes that explicitly were others.
    `unsure` tells that the query asks for a value that is Unknown.
    """

    __slots__ = (
        "alternative",
        "collected",
        "exported",
        "node",
        "overridden",
        "overrides",
        "query",
        "realized",
        "scope",
        "type",
        "unit",
        "unsure",
    )

    def __init__(
        self,
        type: str,
        query: Query | None,
        exported: bool,
        scope: Scope,
        node: a.CollectExpression,
        unit: Unit,
    ) -> None:
        self.type = type
        self.query = query
        self.exported = exported
        self.scope = scope
        self.overrides: list[Value] | None = None
        self.collected: dict[str, Entry] = {}
        self.node: Any = node
        self.unit = unit
        self.realized: list[str] = []
        self.overridden: list[tuple[str, str]] = []
        self.alternative: list[Value] | None = None
        self.unsure = False

    @property
    def text(self) -> str:
        """The collector as written, in one line."""
        text = self.unit.text[self.node.offset : self.node.offset + self.node.length]
        return " ".join(text.split())

    @property
    def label(self) -> str:
        """Its name in Puppet's messages."""
        return "Exported-Collector" if self.exported else "Catalog-Collector"

    def __str__(self) -> str:
        return f"{self.label}[{self.type}]"

    def matches(self, one: Entry | Exported) -> bool:
        """Return whether the query is for a resource, of the catalog or of another node."""
        return one.type == self.type and (self.query is None or self.query(one))


@compiles(a.CollectExpression)
def collector(node: a.CollectExpression, unit: Unit) -> Thunk:
    """`Type <| query |> { overrides }`: only remembered here."""
    type_node: Any = node.type_expr
    query_node: Any = node.query
    make = query_of(query_node.expr, unit) if query_node.expr is not None else None
    operations = [thunk_of(operation, unit) for operation in node.operations]
    exported = type(query_node) is a.ExportedQuery
    name = capitalize_type(type_node.cased_value.removeprefix("::"))

    def remember(machine: Machine, scope: Scope) -> Value:
        if name == "Class":
            raise EvaluationError("Classes cannot be collected", unit, node)
        written = type_node.cased_value.lower()
        if not machine.resource_exists(written):
            raise EvaluationError(f"Resource type {written} doesn't exist", unit, node)
        before = len(machine.undecided_by)
        try:
            query = make(machine, scope) if make else None
        except EvaluationError as error:
            raise error.at(unit, node) from None
        found = Collector(name, query, exported, scope, node, unit)
        found.unsure = len(machine.undecided_by) > before
        if operations:
            found.overrides = [o for thunk in operations for o in thunk(machine, scope)]
        machine.collectors.append(found)
        return found

    return remember


def query_of(node: Any, unit: Unit) -> MakeQuery:
    """Return a function that builds the test of a query, with the values of its variables."""
    kind = type(node)
    if kind is a.ParenthesizedExpression:
        return query_of(node.expr, unit)
    if kind in PLAIN:
        return lambda machine, scope: lambda entry: False
    if kind in (a.AndExpression, a.OrExpression):
        left, right = query_of(node.left_expr, unit), query_of(node.right_expr, unit)
        every = kind is a.AndExpression

        def both(machine: Machine, scope: Scope) -> Query:
            first, second = left(machine, scope), right(machine, scope)
            if every:
                return lambda entry: first(entry) and second(entry)
            return lambda entry: first(entry) or second(entry)

        return both
    return comparison_of(node, unit) if kind is a.ComparisonExpression else refused(node, unit)


def comparison_of(node: a.ComparisonExpression, unit: Unit) -> MakeQuery:
    """Return a function that builds the test of one `attribute == value`."""
    if type(node.right_expr) not in (*PLAIN, a.AccessExpression, a.ParenthesizedExpression):
        return refused(node.right_expr, unit)
    name_thunk, value_thunk = thunk_of(node.left_expr, unit), thunk_of(node.right_expr, unit)
    wanted = node.operator == "=="

    def compare(machine: Machine, scope: Scope) -> Query:
        name = name_thunk(machine, scope)
        value = machine.as_parameter(value_thunk(machine, scope), node, unit)
        unknown = unknown_in(value)
        if unknown is not None:
            machine.undecided(unknown, "collector", unit, node)
            return lambda one: False

        tags = tags_in(value) if wanted and name == "tag" else None

        def test(one: Entry | Exported) -> bool:
            if isinstance(one, Entry):
                answer = compared(one, name, value, wanted, tags)
            else:
                answer = equals(one, name, value)
            if isinstance(answer, Unknown):
                machine.undecided(answer, "collector", unit, node)
                return False
            return answer is wanted

        return test

    return compare


def tags_in(value: Value) -> set[str]:
    """Return the tags that a query asks for (collector_transformer.rb).

    Raises:
        EvaluationError: one is a number.
    """
    tags = value if type(value) is list else [value]
    if any(type(tag) in (int, float) for tag in tags):
        raise EvaluationError("Cannot transform a number to a tag")
    return {str(tag).lower() for tag in tags}


def compared(
    entry: Entry, name: str, value: Value, wanted: bool, tags: set[str] | None
) -> bool | Unknown:
    """Return whether a resource's attribute is a value, or it has one of the tags asked for.

    With `==` an array may have the value.
    """
    if tags is not None:
        return entry.tagged(tags) or unknown_in(entry.get(name)) or False
    actual = entry.get(name)
    if has(actual, value) if wanted else equal(actual, value):
        return True
    return unknown_in(actual) or False


def equals(one: Exported, name: str, value: Value) -> bool | Unknown:
    """Return whether a stored resource's attribute is a value, by PuppetDB's rules.

    Other than in a catalog, case counts, and an array is equal to an array only. A reference is
    stored as a text, and asked for as an object, which equals nothing.
    """
    if name == "tag":
        return str(value).lower() in one.tags
    if name == "title":
        return bool(one.title == value)
    if name not in one.parameters or isinstance(value, (ResourceType, ClassType)):
        return False
    actual = one.parameters[name]
    return find_unknown((actual,)) or as_json(actual) == as_json(value)


def as_json(value: Value) -> str:
    """Return a value as the text that PuppetDB compares."""
    return json.dumps(value, sort_keys=True, default=str)


def refused(node: Node, unit: Unit) -> MakeQuery:
    """Return a function that refuses a query once it is evaluated."""
    message = f"Cannot transform object of class Puppet::Pops::Model::{type(node).__name__}"

    def refuse(machine: Machine, scope: Scope) -> Query:
        raise EvaluationError(message)

    return refuse


# What an attribute may be compared with.
PLAIN = (
    a.ConcatenatedString,
    a.LiteralBoolean,
    a.LiteralFloat,
    a.LiteralInteger,
    a.LiteralString,
    a.LiteralUndef,
    a.QualifiedName,
    a.VariableExpression,
)


def has(actual: Value, value: Value) -> bool:
    """Return whether an attribute is a value, or an array that has it."""
    if type(actual) is list:
        return contains(actual, value, lambda groups: None)
    return equal(actual, value)
