"""Resource expressions, defaults and overrides (EvaluatorImpl, Runtime3ResourceSupport)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from analyzer.frontends.puppet.compiler.declared.entry import Attribute
from analyzer.frontends.puppet.compiler.references import as_resources
from analyzer.frontends.puppet.evaluate.errors import PROBLEMS, EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.generated.writer import Atom, Writer, emits
from analyzer.frontends.puppet.evaluate.looping import NO_TITLES, SOME_TITLES
from analyzer.frontends.puppet.evaluate.naming import names_of_resource, report_names
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.mismatches.labels import kind_of
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.names import capitalize_type
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import DEFAULT, Unknown, Value, flat

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

NO_TYPE = (
    "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, "
    "got {}"
)


@compiles(a.AttributeOperation)
def attribute(node: a.AttributeOperation, unit: Unit) -> Thunk:
    """`name => value`."""
    value = thunk_of(node.value_expr, unit)
    adds = node.operator == "+>"
    name = node.attribute_name

    def given(machine: Machine, scope: Scope) -> list[Attribute]:
        try:
            return [(name, machine.as_parameter(value(machine, scope), node, unit), adds)]
        except PROBLEMS as error:
            return [(name, machine.recover_part(error, unit, node), adds)]

    return given


@compiles(a.AttributesOperation)
def attributes(node: a.AttributesOperation, unit: Unit) -> Thunk:
    """`* => hash`."""
    thunk = thunk_of(node.expr, unit)

    def spread(machine: Machine, scope: Scope) -> list[Attribute]:
        value = thunk(machine, scope)
        if type(value) is Unknown:
            machine.undecided(value, "splat", unit, node.expr)
            return []
        if type(value) is not dict:
            message = f"Expected value of type Hash, got {machine.type_word(value)}"
            raise EvaluationError(message, unit, node.expr)
        unknown = find_unknown(value)
        if unknown is not None:
            machine.undecided(unknown, "splat", unit, node.expr)
        return [
            (name, machine.as_parameter(one, node, unit), False)
            for name, one in value.items()
            if unknown is None or find_unknown((name,)) is None
        ]

    return spread


@compiles(a.ResourceExpression)
def resource(node: a.ResourceExpression, unit: Unit) -> Thunk:
    """`type { title: attributes }`: the value is the references."""
    named = type_name_of(node.type_name, unit)
    bodies = [
        (
            thunk_of(body.title, unit),
            [thunk_of(operation, unit) for operation in body.operations],
            body,
        )
        for body in node.bodies
    ]

    several = len(bodies) > 1
    naming = dict(names_of_resource(node)) if unit.watch is not None else {}

    def declare(machine: Machine, scope: Scope) -> Value:
        kind = named(machine, scope)
        if type(kind) is Unknown:
            return machine.undecided(kind, "resource type", unit, node)
        evaluated = []
        defaults: dict[str, Attribute] = {}
        seen: set[Value] = set()
        values = []
        for title, operations, body in bodies:
            values.append(title(machine, scope))
            titles = titles_of(values[-1], body, unit, machine)
            if body.title.offset in naming:
                report_names(titles, unit, body.title.offset)
            for one in titles if several or len(titles) > 1 else ():
                if one in seen:
                    message = f"The title '{one}' has already been used in this resource expression"
                    raise EvaluationError(message, unit, node)
                seen.add(one)
            given = attributes_of(operations, machine, scope, node, unit)
            if DEFAULT in titles:
                defaults = given
            evaluated.append(([t for t in titles if t is not DEFAULT], given))
        found = []
        try:
            for titles, given in evaluated:
                merged = list({**defaults, **given}.values())
                found += machine.declare(kind, titles, merged, scope, node, unit)
        except EvaluationError as error:
            raise error.at(unit, node) from None
        return references_of(values, found)

    return declare


def references_of(titles: Value, declared: Value) -> Value:
    """Return the references that a declaration yields, and an Unknown if a title is not known."""
    unknown = find_unknown((titles,))
    return declared if unknown is None else [*cast("list[Value]", declared), unknown]


@emits(a.ResourceExpression)
def write_resource(writer: Writer, node: a.ResourceExpression) -> Atom:
    """Write one resource of a named type with named attributes; others the closure declares.

    A class is evaluated at once, and sees the variables of the lambda: so that is the closure's.
    """
    body = node.bodies[0]
    names = [getattr(operation, "attribute_name", None) for operation in body.operations]
    kind = getattr(node.type_name, "value", None)
    bare = str(kind).lower().removeprefix("::")
    if type(node.type_name) is not a.QualifiedName or bare == "class" or len(node.bodies) > 1:
        return writer.aside(node)
    if None in names or len(set(names)) < len(names):
        return writer.aside(node)
    title = writer.write(body.title).text
    ready = writer.constant(titles_to_declare, "run")
    number, place = writer.constant(node), writer.constant(body)
    titles = f"{ready}({title}, {place}, {number}, unit, machine)"
    titles = writer.temporary(f"[{title}] if type({title}) is str and {title} else {titles}").text
    given = ", ".join(f"({write_attribute(writer, one)})" for one in body.operations)
    made = writer.name("t")
    with writer.inside("try:"):
        writer.add(
            f"{made} = machine.declare({kind!r}, {titles}, [{given}], scope, {number}, unit)"
        )
    with writer.inside("except EvaluationError as error:"):
        writer.add(f"raise error.at(unit, {number}) from None")
    references = writer.constant(references_of, "run")
    with writer.inside(f"if type({title}) is not str:"):
        writer.add(f"{made} = {references}({title}, {made})")
    return Atom(made)


def write_attribute(writer: Writer, node: Any) -> str:
    """Write the value of an attribute; return the code of the attribute."""
    value = writer.write(node.value_expr)
    it = value.text
    if value.kind not in ("int", "str"):
        general = f"machine.as_parameter({it}, {writer.constant(node)}, unit)"
        it = writer.temporary(f"{it} if type({it}) is str else {general}").text
    return f"{node.attribute_name!r}, {it}, {node.operator == '+>'}"


def titles_to_declare(
    value: Value, body: a.ResourceBody, node: Node, unit: Unit, machine: Machine
) -> list[Value]:
    """Return the titles that a single body declares: each once, and none for `default`.

    Raises:
        EvaluationError: one is no title, or is there twice.
    """
    titles = titles_of(value, body, unit, machine)
    seen: set[Value] = set()
    for one in titles if len(titles) > 1 else ():
        if one in seen:
            message = f"The title '{one}' has already been used in this resource expression"
            raise EvaluationError(message, unit, node)
        seen.add(one)
    return [title for title in titles if title is not DEFAULT]


def type_name_of(node: Node, unit: Unit) -> Thunk:
    """Return a function that yields the type name of a resource expression."""
    if type(node) is a.QualifiedName:
        name = node.value
        return lambda machine, scope: name
    thunk = thunk_of(node, unit)
    left = node.left_expr if type(node) is a.AccessExpression else node
    written = type(left) is a.QualifiedReference

    def named(machine: Machine, scope: Scope) -> Any:
        value = as_resources(thunk(machine, scope))
        if type(value) is Unknown:
            return value
        if written and isinstance(value, ClassType) and value.class_name is None:
            return "class"
        if written and isinstance(value, ResourceType) and value.type_name and value.title is None:
            # The only type of resources whose final spelling tells it apart.
            return "class" if value.folded_name == "class" else value.type_name
        titled = written and isinstance(value, (ClassType, ResourceType))
        message = NO_TYPE.format(value if titled else machine.type_word(value))
        raise EvaluationError(message, unit, node)

    return named


def report_titles(titles: list[Value], body: a.ResourceBody, unit: Unit) -> None:
    """Report whether there are any titles: a list of them is gone through as by a loop.

    Its arms are not counted: most lists are never empty.
    """
    if unit.watch is not None:
        unit.watch.takes(unit, body.title.offset, SOME_TITLES if titles else NO_TITLES)


def titles_of(value: Value, body: a.ResourceBody, unit: Unit, machine: Machine) -> list[Value]:
    """Return the titles that a body declares; `default` is one of them."""
    if type(value) is str and value:
        return [value]
    if value is None:
        raise EvaluationError(
            "Missing title. The title expression resulted in undef", unit, body.title
        )
    titles = flat(value) if type(value) is list else [value]
    if unit.watch is not None and type(value) is list and type(body.title) is not a.LiteralList:
        report_titles(titles, body, unit)
    for index, title in enumerate(titles):
        if title is None:
            message = (
                f"Missing title at index {index}. The title expression resulted in an undef title"
            )
        elif title == "":
            message = (
                f"Empty string title at {index}. "
                "Title strings must have a length greater than zero."
            )
        elif type(title) is Unknown:
            machine.undecided(title, "title", unit, body.title)
            continue
        elif type(title) is not str and title is not DEFAULT:
            word = machine.type_word(title)
            message = f"Illegal title type at index {index}. Expected String, got {word}"
        else:
            continue
        raise EvaluationError(message, unit, body.title)
    return [title for title in titles if type(title) is not Unknown]


def attributes_of(
    operations: list[Thunk], machine: Machine, scope: Scope, node: Node, unit: Unit
) -> dict[str, Attribute]:
    """Return a body's attributes by name, each given once."""
    found: dict[str, Attribute] = {}
    for thunk in operations:
        for one in thunk(machine, scope):
            if one[0] in found:
                message = f"The attribute '{one[0]}' has already been set"
                raise EvaluationError(message, unit, node)
            found[one[0]] = one
    return found


@compiles(a.ResourceDefaultsExpression)
def defaults(node: a.ResourceDefaultsExpression, unit: Unit) -> Thunk:
    """`Type { attributes }`: defaults for resources declared later, in this scope and below."""
    kind = thunk_of(node.type_ref, unit)
    operations = [thunk_of(operation, unit) for operation in node.operations]

    def define(machine: Machine, scope: Scope) -> Any:
        value = as_resources(kind(machine, scope))
        if type(value) is Unknown:
            return machine.undecided(value, "resource type", unit, node)
        if not (isinstance(value, ResourceType) and value.type_name and value.title is None):
            message = NO_TYPE.format(machine.type_word(value))
            raise EvaluationError(message, unit, node.type_ref)
        title = capitalize_type(value.type_name)
        table = scope.defaults.setdefault(title, {})
        for thunk in operations:
            for name, one, _ in thunk(machine, scope):
                if name in table:
                    message = f"Default already defined for {title} {{ {name} }}; cannot redefine"
                    raise EvaluationError(message, unit, node)
                table[name] = one
                scope.default_places[title, name] = (unit, node)
        return value

    return define


@compiles(a.ResourceOverrideExpression)
def override(node: a.ResourceOverrideExpression, unit: Unit) -> Thunk:
    """`Type[title] { attributes }`: sets or changes attributes of a declared resource."""
    refs = thunk_of(node.resources, unit)
    operations = [thunk_of(operation, unit) for operation in node.operations]

    def change(machine: Machine, scope: Scope) -> Any:
        value = refs(machine, scope)
        given = [o for thunk in operations for o in thunk(machine, scope)]
        for ref in flat(value) if type(value) is list else [value]:
            if type(ref) is Unknown:
                machine.undecided(ref, "override", unit, node)
                continue
            if not (isinstance(ref, ResourceType) and ref.type_name):
                message = f"Resource Override can only operate on resources, got: {kind_of(ref)}"
                raise EvaluationError(message, unit, node)
            machine.override(ref, given, scope, node, unit)
        return value

    return change
