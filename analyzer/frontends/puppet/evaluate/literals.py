"""Literals, variables and strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.frontends.puppet.evaluate.thunks import (
    Thunk,
    compiles,
    constant,
    nothing,
    thunk_of,
    unfolding,
)
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.keys import CONFUSED, as_key, confused
from analyzer.model.values import DEFAULT, Regexp, Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope


@compiles(a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean, a.QualifiedName)
def literal(node: Any, unit: Unit) -> Thunk:
    """Compile a literal; a bare name is its text."""
    return constant(node.value)


@compiles(a.LiteralUndef, a.Nop)
def undef(node: object, unit: Unit) -> Thunk:
    """Compile `undef`, or nothing at all."""
    return nothing


@compiles(a.LiteralDefault)
def default(node: a.LiteralDefault, unit: Unit) -> Thunk:
    """Compile `default`."""
    return constant(DEFAULT)


@compiles(a.LiteralRegularExpression)
def regular_expression(node: a.LiteralRegularExpression, unit: Unit) -> Thunk:
    """Compile a regular expression."""
    return constant(Regexp(node.pattern))


@compiles(a.LiteralList)
def array(node: a.LiteralList, unit: Unit) -> Thunk:
    """Compile an array."""
    return unfolding(node.values, unit)


@compiles(a.LiteralHash)
def hash_(node: a.LiteralHash, unit: Unit) -> Thunk:
    """Compile a hash; a later entry replaces an equal key's value."""
    entries = [(thunk_of(e.key, unit), thunk_of(e.value, unit)) for e in node.entries]
    names = [name_of(e.key) for e in node.entries]
    if None not in names:
        named = [(name, value) for name, (_, value) in zip(names, entries, strict=True)]
        return lambda machine, scope: {name: value(machine, scope) for name, value in named}

    def make(machine: Machine, scope: Scope) -> Any:
        pairs = [(as_key(key(machine, scope)), value(machine, scope)) for key, value in entries]
        made = dict(pairs)
        two = confused(key for key, _ in pairs) if len(made) < len(pairs) else None
        return Unknown(CONFUSED.format(*map(text_of, two))) if two else made

    return make


def name_of(key: object) -> str | None:
    """Return a key that is a text, None if it is another thing."""
    return key.value if isinstance(key, a.LiteralString | a.QualifiedName) else None


@compiles(a.VariableExpression)
def variable(node: a.VariableExpression, unit: Unit) -> Thunk:
    """Compile a variable's value."""
    named = node.expr
    name = getattr(named, "value", None)
    if not isinstance(name, str):
        name = text_of(name)
    if "::" in name:
        return lambda machine, scope: machine.qualified_variable(name, scope, node, unit)

    def look(machine: Machine, scope: Scope) -> Any:
        # The innermost variables are where most are found.
        frame = scope.frames[-1]
        if name in frame:
            return frame[name]
        return machine.variable(name, scope, node, unit)

    return look


@compiles(a.ConcatenatedString)
def interpolated(node: a.ConcatenatedString, unit: Unit) -> Thunk:
    """Compile a string with interpolations; an Unknown in it makes it Unknown."""
    # What is said as it stands is there already, what is in `${}` has its place among that; it is
    # made text here: a call less for each.
    fixed = [s.value if type(s) is a.LiteralString else "" for s in node.segments]
    holes = [
        (place, thunk_of(s.expr if type(s) is a.TextExpression else s, unit))
        for place, s in enumerate(node.segments)
        if type(s) is not a.LiteralString
    ]

    def join(machine: Machine, scope: Scope) -> Any:
        texts: list[Any] = fixed[:]
        for place, thunk in holes:
            value = thunk(machine, scope)
            texts[place] = value if type(value) is str else machine.known_text(value)
        try:
            return "".join(texts)
        except TypeError:
            return next(text for text in texts if type(text) is Unknown)

    return join


@compiles(a.TextExpression)
def interpolation(node: a.TextExpression, unit: Unit) -> Thunk:
    """Compile an expression's value as text."""
    thunk = thunk_of(node.expr, unit)

    def text(machine: Machine, scope: Scope) -> Any:
        value = thunk(machine, scope)
        if type(value) is str:
            return value
        return machine.known_text(value)

    return text


@compiles(a.HeredocExpression)
def heredoc(node: a.HeredocExpression, unit: Unit) -> Thunk:
    """Compile a heredoc's text; interpolated parts must have the syntax that its tag names."""
    text = thunk_of(node.text_expr, unit)
    if not node.syntax or type(node.text_expr) is a.LiteralString:
        return text
    # Not at the top: few programs have such a heredoc, and a stored tree needs no validation.
    from analyzer.frontends.puppet.syntax.validate import syntax_error

    def checked(machine: Machine, scope: Scope) -> Any:
        value = text(machine, scope)
        if type(value) is str:
            wrong = syntax_error(node.syntax, value)
            if wrong is not None:
                raise EvaluationError(wrong, unit, node.text_expr)
        return value

    return checked


@compiles(a.ParenthesizedExpression)
def parenthesized(node: a.ParenthesizedExpression, unit: Unit) -> Thunk:
    """Compile what stands in parentheses."""
    return thunk_of(node.expr, unit)


@compiles(
    a.HostClassDefinition,
    a.ResourceTypeDefinition,
    a.NodeDefinition,
    a.FunctionDefinition,
    a.PlanDefinition,
    a.TypeAlias,
    a.TypeMapping,
    a.TypeDefinition,
)
def definition(node: object, unit: Unit) -> Thunk:
    """Compile a definition does nothing where it stands: it was read before."""
    return nothing
