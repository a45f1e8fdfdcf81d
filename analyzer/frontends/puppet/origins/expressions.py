"""Expressions that record their contributors: one way of combining parts for each kind of node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.looping import loop_of
from analyzer.frontends.puppet.evaluate.naming import is_class, names_of_call
from analyzer.frontends.puppet.evaluate.scope import Match
from analyzer.frontends.puppet.evaluate.thunks import Thunk, without_parentheses
from analyzer.frontends.puppet.origins.choices import CHOICES, OF_TRUTH, leaving
from analyzer.frontends.puppet.origins.combining import COMBINE, combines, together
from analyzer.frontends.puppet.origins.contributors import (
    NOTHING,
    Contributor,
    Trail,
    flat,
    union,
)
from analyzer.frontends.puppet.origins.functions import FUNCTIONS, concat, element, merged
from analyzer.frontends.puppet.origins.hiding import SECRET
from analyzer.frontends.puppet.origins.parts import ATTRIBUTES, Evaluated, Part
from analyzer.frontends.puppet.origins.recorder import Recorder
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ResourceType
from analyzer.model.values import Sensitive

LITERALS = frozenset({
    a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean, a.QualifiedName,
    a.LiteralUndef, a.LiteralDefault, a.LiteralRegularExpression, a.QualifiedReference,
})  # fmt: skip
CALLS = (a.CallNamedFunctionExpression, a.CallMethodExpression)
# Functions whose value depends on what is declared, or is declared so far.
ASKING = frozenset({
    "defined", "defined_with_params", "ensure_packages", "ensure_resource", "ensure_resources",
    "getparam", "stdlib::str2resource", "tagged",
})  # fmt: skip


def traced(trace: Recorder, node: Any, unit: Unit, thunk: Thunk) -> Thunk:
    """Return a thunk that records the contributors of its value."""
    kind = type(node)
    if kind in LITERALS:
        return fixed(trace, node, Trail((trace.literal(node, unit),)), thunk)
    if kind is a.VariableExpression:
        return variable(trace, node, thunk)
    combine = COMBINE.get(kind, together)
    after = leaving(trace, node, unit) if kind in CHOICES else None
    is_template = kind is a.EppExpression
    function = called(node) if kind in CALLS else ""
    asks_truth = kind in OF_TRUTH

    def run(machine: Any, scope: Any) -> Any:
        outer, trace.parts = trace.parts, []
        around, text, caller = trace.around, trace.rendered, trace.function
        trace.function = function
        by_truth, trace.asks_truth = trace.asks_truth, asks_truth
        if is_template:
            trace.rendered = []
        try:
            value = thunk(machine, scope)
        except BaseException:
            outer.append((node, None, Trail(flat(trail for *_, trail in trace.parts))))
            raise
        finally:
            parts, trace.parts = trace.parts, outer
            trace.around, trace.function, trace.asks_truth = around, caller, by_truth
            if is_template:
                parts.append((node, None, Trail(tuple(trace.rendered or ()))))
                trace.rendered = text
        it = Evaluated(node, unit, value, parts, scope)
        trail = combine(trace, it)
        if type(value) is Sensitive:
            trail = Trail((Contributor(SECRET, "", tuple(trail.everything())),))
        outer.append((node, value, trail))
        if after is not None:
            after(it)
        top = scope.frames[-1]
        if type(top) is Match and trace.table_of(top) is None:
            trace.set_all(top, Trail(it.everything))
        return value

    return run


def fixed(trace: Recorder, node: Any, trail: Trail, thunk: Thunk) -> Thunk:
    """Return the thunk of a literal."""

    def run(machine: Any, scope: Any) -> Any:
        value = thunk(machine, scope)
        trace.parts.append((node, value, trail))
        return value

    return run


def variable(trace: Recorder, node: Any, thunk: Thunk) -> Thunk:
    """Return the thunk of a variable."""
    name = str(getattr(node.expr, "value", ""))

    def run(machine: Any, scope: Any) -> Any:
        value = thunk(machine, scope)
        trace.parts.append((node, value, trace.of_variable(name, scope)))
        return value

    return run


@combines(a.ConcatenatedString, a.HeredocExpression, a.EppExpression)
def with_text(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of a text with values in it."""
    own = [] if type(it.node) is a.EppExpression else [trace.literal(it.node, it.unit)]
    return Trail(union(own, it.everything))


@combines(a.LiteralList)
def array(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of an array, whose elements have their own."""
    if type(it.value) is not list or len(it.value) != len(it.parts):
        return together(trace, it)
    empty = () if it.parts else (trace.literal(it.node, it.unit),)
    return Trail(empty, {number: trail for number, (*_, trail) in enumerate(it.parts)})


@combines(a.LiteralHash)
def hash_(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of a hash: keys belong to the whole."""
    count = len(it.node.entries)
    if type(it.value) is not dict or len(it.parts) not in (count, 2 * count):
        return together(trace, it)
    keys = [trace.literal(entry.key, it.unit) for entry in it.node.entries]
    keys += [] if it.node.entries else [trace.literal(it.node, it.unit)]
    values = it.parts if len(it.parts) == count else it.parts[1::2]
    computed = () if values is it.parts else flat(trail for *_, trail in it.parts[::2])
    if len(it.value) != count:
        # One of two equal keys wins.
        return Trail(union(keys, computed, flat(trail for *_, trail in values)))
    found = {key: trail for key, (*_, trail) in zip(it.value, values, strict=True)}
    return Trail(union(keys, computed), found)


@combines(a.BlockExpression, a.ApplyBlockExpression, a.ParenthesizedExpression)
def block(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of the last statement."""
    return it.last


@combines(a.AccessExpression)
def access(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of an element of an array or hash."""
    if it.parts and isinstance(it.parts[0][1], ResourceType) and not isinstance(it.value, Type):
        # A parameter of a resource that is declared.
        several = [value for _, value, _ in it.parts]
        return together(trace, it).within(*trace.parameters_of(several[0], several[1:]))
    if len(it.parts) != 2 or type(it.parts[0][1]) not in (list, dict):
        return together(trace, it)
    (_, whole, trail), (_, key, of_key) = it.parts
    return element(trail, whole, key).within(*of_key.everything())


@combines(a.ArithmeticExpression)
def arithmetic(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of a result; of two arrays or hashes the elements keep theirs."""
    if len(it.parts) != 2 or it.node.operator != "+":
        return together(trace, it)
    if type(it.value) is dict:
        return merged(it.parts)
    return concat(trace, it) or together(trace, it)


@combines(a.InExpression)
def within(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of a test whether a hash has a key: its elements take no part."""
    if len(it.parts) != 2 or type(it.parts[1][1]) is not dict:
        return together(trace, it)
    (*_, left), (*_, right) = it.parts
    return Trail(union(left.everything(), right.shape))


@combines(a.AssignmentExpression)
def assignment(trace: Recorder, it: Evaluated) -> Trail:
    """Give variables the trails of their values."""
    trail = it.last
    assign(trace, it, it.node.left_expr, trail)
    return trail


def assign(trace: Recorder, it: Evaluated, left: Any, trail: Trail) -> None:
    """Give a variable, or each of several, the trail of its value."""
    if type(left) is a.LiteralList:
        for number, one in enumerate(left.values):
            elements = trail.elements
            by_name = getattr(getattr(one, "expr", None), "value", None)
            key = by_name if elements is not None and by_name in elements else number
            inside = trail if elements is None else trail.element(key)
            assign(trace, it, one, inside)
        return
    name = str(left.expr.value)
    why = trace.contributor("variable", f"${name}", trail.shape, left, it.unit)
    trace.set_trail(it.scope.variables(), name, Trail((why,), trail.elements))


@combines(a.AttributeOperation)
def attribute(trace: Recorder, it: Evaluated) -> Trail:
    """Keep the trail of an attribute for the declaration."""
    why = trace.contributor("attribute", it.node.attribute_name, it.last.shape, it.node, it.unit)
    trail = Trail((why,), it.last.elements)
    for row in it.value:
        trace.keep_row(row, trail)
    return trail


@combines(a.AttributesOperation)
def attributes(trace: Recorder, it: Evaluated) -> Trail:
    """Keep the trails of the attributes that a hash gives."""
    trail = it.last
    for row in it.value:
        trace.keep_row(row, trail.element(row[0]))
    return trail


@combines(a.ResourceExpression)
def resource(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of references: that of the titles; whether there are any is decided."""
    for node, value, trail in it.parts:
        if type(node) not in ATTRIBUTES and (type(value) is list or is_class(it.node)):
            trace.decide(it.unit, node.offset, tuple(trail.everything()))
    return Trail(flat(without_attributes(it.parts)))


def without_attributes(parts: Iterable[Part]) -> Iterable[Trail]:
    """Return the trails of the parts that decide which resources a statement declares."""
    return [trail for node, _, trail in parts if type(node) not in ATTRIBUTES]


@combines(a.ResourceDefaultsExpression)
def defaults(trace: Recorder, it: Evaluated) -> Trail:
    """Keep the trails of the defaults of a type."""
    why = trace.contributor("default of the type", str(it.value), (), it.node, it.unit)
    for one, rows, trail in it.parts:
        for row in rows if type(one) in ATTRIBUTES else ():
            found = trail.element(row[0]) if type(one) is a.AttributesOperation else trail
            trace.keep_default(it.scope, str(it.value), row[0], found.within(why))
    return NOTHING


@combines(a.CollectExpression)
def collector(trace: Recorder, it: Evaluated) -> Trail:
    """Keep the trail of a collector for the passes that ask it."""
    inner = flat(without_attributes(it.parts))
    trace.note(it.value, "collector", it.value.text, it.node, it.unit, inner)
    return Trail((trace.noted(it.value),))


@combines(a.RelationshipExpression)
def relationship(trace: Recorder, it: Evaluated) -> Trail:
    """Keep the trail of an arrow for the pass that writes it down."""
    for arrow in reversed(trace.compilation.arrows):
        if arrow.node is not it.node:
            break
        trace.note(arrow, "arrow", it.node.operator, it.node, it.unit, it.everything)
        trace.note_right(arrow, it.last)
    # What stands before an empty collector is related to what follows it.
    is_collector = type(without_parentheses(it.node.right_expr)) is a.CollectExpression
    return together(trace, it) if is_collector else it.last


@combines(*CALLS)
def call(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of the value of a function; some depend on what is declared."""
    name = called(it.node)
    of_call = FUNCTIONS.get(name)
    trail = (None if of_call is None else of_call(trace, it)) or together(trace, it)
    loop = loop_of(it.node)
    for node, _, one in it.parts if loop is not None else ():
        if loop is not None and node is without_parentheses(loop[1]):
            trace.decide(it.unit, loop[0], tuple(one.everything()))
    if names_of_call(it.node):
        trace.decide(it.unit, it.node.offset, tuple(it.everything))
    if name in ASKING:
        values = [value for _, value, _ in it.parts]
        trail = trail.within(*trace.presence_of(values))
        if name == "getparam" and len(values) > 1:
            trail = trail.within(*trace.parameters_of(values[0], values[1:2]))
    return trail


def called(node: Any) -> str:
    """Return the name of the function that a node calls."""
    functor = node.functor_expr
    functor = getattr(functor, "right_expr", functor)
    return str(getattr(functor, "value", ""))


@combines(a.RenderStringExpression, a.RenderExpression)
def rendered(trace: Recorder, it: Evaluated) -> Trail:
    """Add to the trail of the text that a template renders."""
    inner = it.everything
    if trace.rendered is not None:
        trace.rendered.append(trace.contributor("text", "", inner, it.node, it.unit))
    return NOTHING
