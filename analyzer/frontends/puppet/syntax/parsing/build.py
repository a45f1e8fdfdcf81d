"""The actions of the grammar: each production's function makes its node (Model::Factory).

A function gets the builder and the values of its production: tokens and nodes. Functions that only
pick or collect values stand in the table at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isinf
from typing import Any, NoReturn

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.diagnostic import parse_error
from analyzer.frontends.puppet.syntax.lexing.numbers import value_of
from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.frontends.puppet.syntax.parsing.operators import APPLIED, climb

# Functions that may be called without parentheses (Factory::STATEMENT_CALLS).
STATEMENT_CALLS = frozenset(
    [
        "require",
        "realize",
        "include",
        "contain",
        "tag",
        "debug",
        "info",
        "notice",
        "warning",
        "err",
        "fail",
        "import",
        "break",
        "next",
        "return",
    ]
)

Values = list[Any]

# Makes a node of its fields in half the time; for the kinds that most nodes are of.
quick = tuple.__new__


class Builder:
    """The state of the productions of one text: enclosing names, and definitions so far."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.names: list[str] = []
        self.definitions: list[a.Node] = []

    def error(self, code: str, offset: int, **arguments: str) -> NoReturn:
        """Raise the error of an issue at an offset."""
        raise parse_error(code, self.text, offset, self.file, **arguments)

    def qualified(self, name: str) -> str:
        """Return a name within the classes it stands in."""
        return f"{'::'.join(self.names)}::{name}".removeprefix("::")

    def define(self, definition: a.Node) -> a.Node:
        """Remember a definition."""
        self.definitions.append(definition)
        return definition


class Unfolded(list[a.KeyedEntry]):
    """Hash entries without braces among arguments; neighbours become one hash."""

    def __init__(self, entry: a.KeyedEntry) -> None:
        super().__init__([entry])
        self.offset = entry.offset
        self.length = entry.length


class CommaList(list[Any]):
    """A statement that is a list: expressions with the commas between them."""


def start_of(value: Any) -> int:
    """Return where a token or a node starts."""
    start: int = value[2] if type(value) is tuple else value.offset
    return start


def end_of(value: Any) -> int:
    """Return where a token or a node ends."""
    end: int = value[2] + value[3] if type(value) is tuple else value.offset + value.length
    return end


def span(first: object, last: object) -> tuple[int, int]:
    """Return offset and length from the start of one value to the end of another."""
    start = start_of(first)
    return start, end_of(last) - start


# ---- programs and statements


def program(b: Builder, c: Values) -> a.Program:
    """Build a manifest."""
    body = block_or_expression(c[0])
    return a.Program(body.offset, body.length, body, tuple(b.definitions))


def program_of_template(b: Builder, c: Values) -> a.Program:
    """Build a template."""
    return a.Program(c[0].offset, c[0].length, c[0], tuple(b.definitions))


def empty_program(b: Builder, c: Values) -> a.Program:
    """Build a manifest without a statement."""
    end = len(b.text)
    return a.Program(end, 0, a.Nop(end, 0), ())


def block_or_expression(nodes: list[Any], left: Token | None = None, right: object = None) -> Any:
    """Build one statement as it is, several as a block, which spans the braces where there are
    any.
    """
    if len(nodes) == 1:
        return nodes[0]
    first, last = (left, right) if left is not None else (nodes[0], nodes[-1])
    return a.BlockExpression(*span(first, last), tuple(nodes))


def statements(b: Builder, c: Values) -> list[object]:
    """Build statements; names of statement functions become calls with what follows
    (transform_calls).
    """
    found: list[object] = []
    for node in c[0]:
        name = found[-1] if found else None
        if type(name) is a.QualifiedName and name.value in STATEMENT_CALLS:
            arguments = list(node[::2]) if type(node) is CommaList else [node]
            offset, length = span(name, arguments[-1])
            found[-1] = a.CallNamedFunctionExpression(
                offset, length, name, False, tuple(arguments), None
            )
        elif type(node) is CommaList:
            if type(name) is a.QualifiedName:
                b.error("ARGUMENTS_WITHOUT_PARENTHESES", node[1][2], name=name.value)
            b.error("ILLEGAL_COMMA_LIST", node[1][2])
        elif type(node) is a.CallNamedFunctionExpression:
            found.append(node._replace(rval_required=False))
        else:
            found.append(node)
    return found


def statement_list_with_comma(b: Builder, c: Values) -> CommaList:
    """Build expressions with commas: arguments of a statement function."""
    items = c[0] if type(c[0]) is CommaList else CommaList([c[0]])
    items += c[1:]
    return items


def assignment(b: Builder, c: Values) -> a.AssignmentExpression:
    """Build `left = right`."""
    return a.AssignmentExpression(c[1][2], c[1][3], c[1][1], c[0], c[2])


def relationship(b: Builder, c: Values) -> a.RelationshipExpression:
    """Build `left -> right`."""
    return a.RelationshipExpression(c[1][2], c[1][3], c[1][1], c[0], c[2])


# ---- resources


RESOURCES = (a.ResourceExpression, a.ResourceDefaultsExpression, a.ResourceOverrideExpression)


def virtual(b: Builder, c: Values) -> object:
    """Build `@resource`."""
    if not isinstance(c[1], RESOURCES):
        b.error("NOT_VIRTUALIZABLE", c[0][2])
    return placed(c[1]._replace(form="virtual"), c[0][2])


def exported(b: Builder, c: Values) -> object:
    """Build `@@resource`."""
    if not isinstance(c[1], RESOURCES):
        b.error("NOT_EXPORTABLE", c[0][2])
    return placed(c[1]._replace(form="exported"), c[0][2])


def placed(resource: Any, offset: int) -> Any:
    """Build the resource at another offset, with its bodies."""
    if type(resource) is a.ResourceExpression:
        bodies = bodies_at(offset, resource.bodies)
        return resource._replace(offset=offset, bodies=bodies)
    return resource._replace(offset=offset)


def bodies_at(offset: int, bodies: Iterable[a.ResourceBody]) -> tuple[a.ResourceBody, ...]:
    """Build bodies, which have no place of their own, at the offset of their resource."""
    return tuple(a.ResourceBody(offset, 0, one.title, one.operations) for one in bodies)


def resource(b: Builder, c: Values) -> a.ResourceExpression:
    """Build `type { title: operations; more bodies }`."""
    offset, length = span(c[0], c[6])
    first = a.ResourceBody(offset, 0, c[2], tuple(c[4]))
    bodies = (first, *bodies_at(offset, c[5]))
    return a.ResourceExpression(offset, length, c[0], bodies, "regular")


def class_resource(b: Builder, c: Values) -> a.ResourceExpression:
    """Build `class { title: operations }`."""
    offset, length = span(c[0], c[-1])
    name = a.QualifiedName(offset, 0, c[0][1])
    return a.ResourceExpression(offset, length, name, bodies_at(offset, c[2]), "regular")


def body(b: Builder, c: Values) -> a.ResourceBody:
    """Build `title: operations`."""
    return a.ResourceBody(0, 0, c[0], tuple(c[2]))


def untitled_resource(b: Builder, c: Values) -> object:
    """Build `Type { }`, `Type[x] { }`, or `name { }`, which is a call with a hash."""
    left = c[0]
    operations = tuple(c[2])
    place = span(left, c[-1])
    shape = type(left)
    if shape is a.QualifiedName:
        if any(type(o) is not a.AttributeOperation or o.operator == "+>" for o in operations):
            b.error("UNTITLED_RESOURCE", c[1][2])
        brace = c[1][2]
        entries = tuple(
            a.KeyedEntry(brace, 0, a.LiteralString(brace, 0, o.attribute_name), o.value_expr)
            for o in operations
        )
        argument = a.LiteralHash(*span(c[1], c[-1]), entries)
        result = block_or_expression(statements(b, [[left, argument]]))
        return result._replace(offset=place[0], length=place[1])
    if shape is a.QualifiedReference:
        return a.ResourceDefaultsExpression(*place, left, operations, "regular")
    if shape is a.AccessExpression:
        return a.ResourceOverrideExpression(*place, left, operations, "regular")
    return b.error("NOT_A_RESOURCE", start_of(left))


def attribute(b: Builder, c: Values) -> a.AttributeOperation:
    """Build `name => value`."""
    (_, name, offset, _), (_, arrow, _, _), value = c
    if type(name) is not str:
        name = str(name).lower()
    length = value.offset + value.length - offset
    return quick(a.AttributeOperation, (offset, length, name, arrow, value))


def attributes(b: Builder, c: Values) -> a.AttributesOperation:
    """Build `* => hash`."""
    return a.AttributesOperation(*span(c[0], c[2]), c[2])


# ---- expressions


def negation(b: Builder, c: Values) -> a.NotExpression:
    """Build `!expr`."""
    return a.NotExpression(c[0][2], c[0][3], c[1])


def minus(b: Builder, c: Values) -> a.UnaryMinusExpression:
    """Build `-expr`."""
    return a.UnaryMinusExpression(c[0][2], c[0][3], c[1])


def unfold(b: Builder, c: Values) -> a.UnfoldExpression:
    """Build `*expr`."""
    return a.UnfoldExpression(c[0][2], c[0][3], c[1])


def paren(b: Builder, c: Values) -> a.ParenthesizedExpression:
    """Build `(expr)`."""
    return a.ParenthesizedExpression(c[0][2], c[0][3], c[1])


def expression(b: Builder, c: Values) -> object:
    """Build operands and operators, by precedence."""
    return climb(c[0])


def applied(make: Callable[[Builder, Values], object]) -> Callable[[Builder, Values], Values]:
    """Build what stands behind a selector and is applied to its value: an access or a call."""

    def add(b: Builder, c: Values) -> Values:
        c[0] += (APPLIED, lambda left: make(b, [left, *c[1:]]))
        return c[0]  # type: ignore[no-any-return]

    return add


def first_operands(b: Builder, c: Values) -> Values:
    """Build the first operator between two operands."""
    return c


def more_operands(b: Builder, c: Values) -> Values:
    """Build one operator and operand more."""
    c[0] += c[1:]
    return c[0]  # type: ignore[no-any-return]


def access(b: Builder, c: Values) -> a.AccessExpression:
    """Build `left[keys]`."""
    return a.AccessExpression(*span(c[0], c[-1]), c[0], folded(c[2]))


def folded(arguments: Values) -> tuple[Any, ...]:
    """Build arguments with their runs of bare hash entries as hashes."""
    return tuple(
        a.LiteralHash(v.offset, v.length, tuple(v)) if type(v) is Unfolded else v for v in arguments
    )


def argument_list(b: Builder, c: Values) -> Values:
    """Build one argument more; a bare hash entry joins one before it."""
    arguments: Values = c[0]
    if type(c[2]) is Unfolded and type(arguments[-1]) is Unfolded:
        arguments[-1] += c[2]
    else:
        arguments.append(c[2])
    return arguments


def unfolded(b: Builder, c: Values) -> Unfolded:
    """Build a bare hash entry."""
    return Unfolded(c[0])


def variable(b: Builder, c: Values) -> a.VariableExpression:
    """Build `$name`."""
    _, value, offset, length = c[0]
    name = quick(a.QualifiedName, (offset + 1, length - 1, value))
    return quick(a.VariableExpression, (offset, length, name))


def number(b: Builder, c: Values) -> object:
    """Build a number."""
    _, text, offset, length = c[0]
    found = value_of(text)
    if found is None:
        raise AssertionError(f"the lexer let {text} pass as a number")
    value, radix = found
    if isinstance(value, float):
        if isinf(value):
            b.error("NUMBER_OUT_OF_RANGE", offset, value=text)
        return a.LiteralFloat(offset, length, value)
    return a.LiteralInteger(offset, length, value, radix)


def boolean(b: Builder, c: Values) -> a.LiteralBoolean:
    """Build `true` or `false`."""
    return a.LiteralBoolean(c[0][2], c[0][3], c[0][1])


def default(b: Builder, c: Values) -> a.LiteralDefault:
    """Build `default`."""
    return a.LiteralDefault(c[0][2], c[0][3])


def undef(b: Builder, c: Values) -> a.LiteralUndef:
    """Build `undef`."""
    return a.LiteralUndef(c[0][2], c[0][3])


def name(b: Builder, c: Values) -> a.QualifiedName:
    """Build a name."""
    _, value, offset, length = c[0]
    return quick(a.QualifiedName, (offset, length, value))


def reserved(b: Builder, c: Values) -> a.ReservedWord:
    """Build a reserved word."""
    return a.ReservedWord(c[0][2], c[0][3], c[0][1])


def regex(b: Builder, c: Values) -> a.LiteralRegularExpression:
    """Build a regular expression."""
    return a.LiteralRegularExpression(c[0][2], c[0][3], c[0][1])


def type_reference(b: Builder, c: Values) -> a.QualifiedReference:
    """Build a type's name."""
    return a.QualifiedReference(c[0][2], c[0][3], c[0][1])
