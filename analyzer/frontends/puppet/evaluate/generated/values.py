"""Writes literals, variables, strings and parts of values."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.evaluate.generated.writer import Atom, Writer, emits
from analyzer.frontends.puppet.evaluate.literals import name_of
from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.evaluate.thunks import without_parentheses
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.values import DEFAULT, Regexp


@emits(a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean, a.QualifiedName)
def literal(writer: Writer, node: Any) -> Atom:
    """Write a value as it stands."""
    return writer.literal(node.value)


@emits(a.LiteralUndef, a.Nop)
def undef(writer: Writer, node: object) -> Atom:
    """Write undef."""
    return writer.literal(None)


@emits(a.LiteralDefault)
def default(writer: Writer, node: object) -> Atom:
    """Write `default`."""
    return writer.literal(DEFAULT)


@emits(a.LiteralRegularExpression)
def regular_expression(writer: Writer, node: a.LiteralRegularExpression) -> Atom:
    """Write a regular expression."""
    return writer.literal(Regexp(node.pattern))


@emits(a.ParenthesizedExpression)
def parenthesized(writer: Writer, node: a.ParenthesizedExpression) -> Atom:
    """Write what stands in parentheses."""
    return writer.write(node.expr)


@emits(a.QualifiedReference)
def reference(writer: Writer, node: a.QualifiedReference) -> Atom:
    """Write a type by its name."""
    return writer.temporary(f"machine.type_named({writer.constant(node)}, unit)")


@emits(a.LiteralList)
def array(writer: Writer, node: a.LiteralList) -> Atom:
    """Write an array; one with splats is left to its closure."""
    values = [without_parentheses(value) for value in node.values]
    if any(type(value) is a.UnfoldExpression for value in values):
        return writer.aside(node)
    parts = [writer.write(value).text for value in values]
    return writer.temporary(f"[{', '.join(parts)}]", "list")


@emits(a.LiteralHash)
def hash_(writer: Writer, node: a.LiteralHash) -> Atom:
    """Write a hash; one with keys that are computed is left to its closure."""
    names = [name_of(entry.key) for entry in node.entries]
    if None in names:
        return writer.aside(node)
    parts = [
        f"{writer.literal(name).text}: {writer.write(entry.value).text}"
        for name, entry in zip(names, node.entries, strict=True)
    ]
    return writer.temporary(f"{{{', '.join(parts)}}}", "dict")


@emits(a.VariableExpression)
def variable(writer: Writer, node: a.VariableExpression) -> Atom:
    """Write a variable: a local one of Python, or one of a scope around."""
    name = getattr(node.expr, "value", None)
    name = name if isinstance(name, str) else str(name)
    number = writer.constant(node)
    if "::" in name:
        return writer.temporary(f"machine.qualified_variable({name!r}, scope, {number}, unit)")
    perhaps: list[str] = []
    for level in reversed(writer.levels):
        if name in level.definite:
            return local(writer, perhaps, Atom(level.names[name]))
        if name in level.possible:
            perhaps.append(level.names[name])
    found = writer.outer.get(name)
    if found is None:
        found = writer.outer[name] = writer.local(name)
    # One without a value may get it, or is warned of each time.
    absent = f"machine.variable({name!r}, scope, {number}, unit)"
    return local(writer, [*perhaps, found], Atom(absent))


def local(writer: Writer, perhaps: list[str], otherwise: Atom) -> Atom:
    """Write the first value that is there."""
    if not perhaps:
        return otherwise
    made = writer.temporary(perhaps[0])
    for place in [*perhaps[1:], otherwise.text]:
        writer.add(f"if {made.text} is MISSING: {made.text} = {place}")
    return made


@emits(a.ConcatenatedString)
def interpolated(writer: Writer, node: a.ConcatenatedString) -> Atom:
    """Write a string with interpolations."""
    parts, open_parts = [], []
    for segment in node.segments:
        if type(segment) is a.LiteralString:
            if segment.value:
                parts.append(writer.literal(segment.value).text)
            continue
        inner = segment.expr if type(segment) is a.TextExpression else segment
        made = text_of(writer, writer.write(inner))
        parts.append(made.text)
        if made.kind != "str":
            open_parts.append(made.text)
    whole = f"''.join(({', '.join(parts)},))"
    if 1 < len(parts) <= 4:
        whole = " + ".join(parts)
    if not open_parts:
        return writer.temporary(whole if parts else "''", "str")
    if len(parts) == 1:
        return Atom(parts[0])
    result = writer.name("t")
    with writer.inside("try:"):
        writer.add(f"{result} = {whole}")
    with writer.inside("except TypeError:"):
        writer.add(f"{result} = first_unknown({', '.join(open_parts)},)")
    return Atom(result)


@emits(a.TextExpression)
def interpolation(writer: Writer, node: a.TextExpression) -> Atom:
    """Write an expression's value as text."""
    return text_of(writer, writer.write(node.expr))


def text_of(writer: Writer, value: Atom) -> Atom:
    """Write a value as text."""
    if value.kind == "str":
        return value
    if value.kind == "int":
        return writer.temporary(f"str({value.text})", "str")
    it = value.text
    return writer.temporary(
        f"{it} if type({it}) is str else str({it}) if type({it}) is int "
        f"else machine.known_text({it})"
    )


@emits(a.AccessExpression)
def access(writer: Writer, node: a.AccessExpression) -> Atom:
    """Write a part of a value: an entry of a hash, an element of an array, or any other."""
    if any(type(key) is a.QualifiedReference for key in node.keys):
        return writer.aside(node)
    left = writer.write(node.left_expr)
    keys = [writer.write(key) for key in node.keys]
    here, made = left.text, writer.name("t")
    every = ", ".join(key.text for key in keys)
    general = f"part({here}, [{every}], {writer.constant(node)}, unit, machine)"
    if len(keys) != 1 or type(node.left_expr) is a.QualifiedReference:
        return writer.temporary(general)
    key = keys[0]
    with writer.inside(f"if type({here}) is dict:"):
        if key.kind == "str":
            writer.add(f"{made} = {here}.get({key.text})")
            writer.add(f"if {made} is None: {made} = entry_of({here}, {key.text})")
        else:
            writer.add(f"{made} = entry_of({here}, {key.text})")
    if key.kind != "str":
        whole = "" if key.kind == "int" else f"type({key.text}) is int and "
        place = f"-len({here}) <= {key.text} < len({here})"
        with writer.inside(f"elif type({here}) is list and {whole}{place}:"):
            writer.add(f"{made} = {here}[{key.text}]")
    with writer.inside("else:"):
        writer.add(f"{made} = {general}")
    return Atom(made)


def is_literal(value: Atom) -> bool:
    """Return whether a value is written out."""
    return value.value is not MISSING
