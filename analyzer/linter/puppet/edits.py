"""Edits that rules propose: add an attribute, replace a word, remove a relationship."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.linter.puppet.list_layout import aligned, append, first_attribute
from analyzer.linter.puppet.places import body_of, manifest_at
from analyzer.linter.puppet.presence import reference
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.linter.rule import Proposal
from analyzer.model.relationship import Relationship
from analyzer.model.resource import Resource
from analyzer.source import Span

# Expressions that refer to resources.
REFERENCES = (a.AccessExpression, a.LiteralString, a.VariableExpression)


def replace_word(compiled: Compiled, span: Span, word: str, by: str) -> tuple[Proposal, ...]:
    """Return the proposal to replace a word at a place, or none if the word is missing."""
    manifest = manifest_at(compiled, span)
    if manifest is None:
        return ()
    for node, _ in manifest.at(a.CallNamedFunctionExpression, span):
        functor = node.functor_expr
        if manifest.source(functor) == word:
            edit = Edit(span.file, functor.offset, functor.offset + functor.length, by)
            return (Proposal(f"replace `{word}` with `{by}` at {span.file}:{span.line}", (edit,)),)
    return ()


def contain_below(compiled: Compiled, span: Span, name: str) -> tuple[Proposal, ...]:
    """Return the proposal to contain a class in the line below its declaration."""
    manifest = manifest_at(compiled, span)
    for node, _ in manifest.at(a.ResourceExpression, span) if manifest else ():
        if manifest is None or len(node.bodies) != 1:
            continue
        start = manifest.text.rfind("\n", 0, node.offset) + 1
        indent, end = manifest.text[start : node.offset], node.offset + node.length
        if indent.isspace() and manifest.text[end : end + 1] in ("\n", ""):
            edit = Edit(span.file, end, end, f"\n{indent}contain {name}")
            return (Proposal(f"add `contain {name}` below its declaration", (edit,)),)
    return ()


def add_reference(
    compiled: Compiled, resource: Resource, name: str, other: Resource
) -> tuple[Proposal, ...]:
    """Return the proposal to add a reference to a relationship parameter of a resource."""
    value = reference(compiled, resource, other)
    manifest = manifest_at(compiled, resource.span)
    body = body_of(manifest, resource) if manifest else None
    if manifest is None or body is None:
        return ()
    written = [one for one in body.operations if isinstance(one, a.AttributeOperation)]
    if len(written) < len(body.operations):
        return ()
    there = [one for one in written if one.attribute_name == name]
    if there:
        edits = add_entry(manifest, there[0].value_expr, value)
        what = f"add `{value}` to `{name}` of {resource}"
    elif body.operations:
        begin, others = aligned(manifest, body.operations, name)
        edits = others + append(manifest, body.operations, f"{begin}=> {value}")
        what = f"add `{name} => {value}` to {resource}"
    else:
        edits = first_attribute(manifest, body, f"{name} => {value}")
        what = f"add `{name} => {value}` to {resource}"
    needs = str(resource), str(other)
    return (Proposal(what, edits, needs=needs),) if edits else ()


def add_entry(manifest: Manifest, there: object, value: str) -> tuple[Edit, ...]:
    """Return the edits that add a reference to a value, or none if it has an unknown form."""
    if isinstance(there, a.LiteralList) and there.values:
        return append(manifest, there.values, value)
    if isinstance(there, a.AccessExpression):
        end = there.offset + there.length
        start = Edit(manifest.file, there.offset, there.offset, "[")
        return start, Edit(manifest.file, end, end, f", {value}]")
    return ()


def drop(compiled: Compiled, relationship: Relationship) -> tuple[Proposal, ...]:
    """Return the proposal to remove a relationship, or none if no statement declares it."""
    origin = relationship.origin
    manifest = manifest_at(compiled, origin.span)
    if manifest is None or origin.automatic:
        return ()
    edits = tuple(
        drop_arrow(manifest, origin.span)
        if origin.arrow
        else drop_entry(compiled, manifest, relationship)
    )
    what = f"drop {relationship}"
    return (Proposal(what, edits, unsafe=True),) if edits else ()


def drop_arrow(manifest: Manifest, span: Span | None) -> Iterator[Edit]:
    """Yield the edit that removes an arrow: with its line, or leaving two statements."""
    text = manifest.text
    for node, around in manifest.arrows(span) if span else ():
        left, right = node.left_expr, node.right_expr
        at = text.find(node.operator, left.offset + left.length)
        alone = not any(isinstance(n, a.RelationshipExpression) for n in (around[-1], left))
        if alone and is_reference(left) and is_reference(right):
            start, end = left.offset, right.offset + right.length
            yield Edit(manifest.file, *whole_lines(text, start, end), "")
        elif isinstance(right, a.ResourceExpression) and not is_reference(left):
            indent = text[text.rfind("\n", 0, right.offset) + 1 : right.offset]
            start = len(text[:at].rstrip())
            yield Edit(
                manifest.file, start, right.offset, f"\n{indent if indent.isspace() else ''}"
            )


def is_reference(node: object) -> bool:
    """Return whether an operand only refers to resources: it declares and collects nothing."""
    if isinstance(node, a.LiteralList):
        return all(map(is_reference, node.values))
    return isinstance(node, REFERENCES)


def whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range of a part of a text, extended to whole lines if nothing else is on them."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last + 1
    alone = not text[first:start].strip() and not text[end:last].strip()
    return (first, last) if alone else (start, end)


def drop_entry(
    compiled: Compiled, manifest: Manifest, relationship: Relationship
) -> Iterator[Edit]:
    """Yield the edit that removes an entry from a relationship parameter."""
    origin = relationship.origin
    resource = compiled.resource(origin.declared_by)
    body = body_of(manifest, resource) if resource else None
    for number, operation in enumerate(body.operations if body else ()):
        if not isinstance(operation, a.AttributeOperation):
            continue
        if operation.attribute_name != origin.form:
            continue
        value = operation.value_expr
        if isinstance(value, a.LiteralList) and len(value.values) > 1:
            if origin.position < len(value.values):
                yield without(manifest, value.values, origin.position)
        elif is_reference(value) and single(value):
            yield without(manifest, body.operations if body else (), number)


def single(value: object) -> bool:
    """Return whether a value is a single reference."""
    if isinstance(value, a.LiteralList):
        return len(value.values) == 1 and single(value.values[0])
    return not isinstance(value, a.AccessExpression) or len(value.keys) == 1


def without(manifest: Manifest, parts: tuple[Node, ...], number: int) -> Edit:
    """Return the edit that removes one of several comma-separated parts."""
    part, text = parts[number], manifest.text
    start, end = part.offset, part.offset + part.length
    if number + 1 < len(parts):
        return Edit(manifest.file, start, parts[number + 1].offset, "")
    if number:
        return Edit(manifest.file, parts[number - 1].offset + parts[number - 1].length, end, "")
    if text[end : end + 1] == ",":
        end += 1
    start = len(text[:start].rstrip())
    return Edit(manifest.file, start, end, "")
