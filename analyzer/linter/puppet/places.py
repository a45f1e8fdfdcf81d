"""Finds statements in manifests, and the conditions under which they are evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.validate.walk import nodes
from analyzer.linter.puppet.ancestors import Ancestors
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.model.resource import Resource
from analyzer.source import Span

DEFINITIONS = (
    a.Program,
    a.HostClassDefinition,
    a.ResourceTypeDefinition,
    a.NodeDefinition,
    a.FunctionDefinition,
    a.PlanDefinition,
)

# Functions that skip the statements after them.
LEAVING = ("return", "next", "break")

# Conditions by the key that equal conditions share, with their descriptions.
Conditions = dict[object, str]


class Place(NamedTuple):
    """The place of a statement: its manifest, its node and its ancestors."""

    manifest: Manifest
    node: Any
    around: Ancestors

    @property
    def inside(self) -> list[Any]:
        """Return the innermost definition around the statement, and the nodes between them."""
        nodes = [*self.around, self.node]
        starts = [n for n, node in enumerate(nodes[:-1]) if isinstance(node, DEFINITIONS)]
        return nodes[starts[-1] :]

    @property
    def body(self) -> tuple[str, type, int]:
        """Return the identity of the innermost definition around the statement."""
        definition = self.inside[0]
        return self.manifest.file, type(definition), definition.offset

    @property
    def conditions(self) -> Conditions:
        """Return the conditions of the statement within its definition."""
        nodes = self.inside
        found = (condition(self.manifest, *pair) for pair in pairwise(nodes))
        return {key: text for one in found for key, text in one}

    def left_before(self, start: int) -> bool:
        """Return whether a call between a character and the statement may leave the body."""
        found = self.manifest.nodes(a.CallNamedFunctionExpression)
        return any(
            getattr(call.functor_expr, "value", "") in LEAVING
            and start < call.offset < self.node.offset
            and Place(self.manifest, call, around).body == self.body
            for call, around in found
        )


def condition(manifest: Manifest, node: Any, part: Any) -> Iterator[tuple[object, str]]:
    """Yield the conditions of a part of a node, or none if it is always evaluated."""
    if isinstance(node, (a.IfExpression, a.UnlessExpression)):
        if part is not node.test:
            test = words(manifest, node.test)
            holds = (part is node.then_expr) == isinstance(node, a.IfExpression)
            # A function may return another value the second time, as `defined` does.
            key = node.offset if calls(node.test) else test
            yield (key, holds), f"only if {test}" if holds else f"only if not ({test})"
    elif isinstance(node, a.CaseExpression):
        if part is not node.test:
            values = ", ".join(words(manifest, value) for value in part.values)
            values = "no other value of the case" if values == "default" else values
            yield part.offset, f"only if {words(manifest, node.test)} is {values}"
    elif isinstance(part, a.LambdaExpression):
        yield part.offset, f"in the block of `{words(manifest, node.functor_expr)}`"
    elif isinstance(node, (a.AndExpression, a.OrExpression)) and part is node.right_expr:
        yield node.offset, f"only in {words(manifest, node)}"
    elif isinstance(node, a.SelectorEntry):
        yield node.offset, f"only where {words(manifest, node.matching_expr)} is chosen"


def words(manifest: Manifest, node: Node) -> str:
    """Return the text of a node on one line."""
    return " ".join(full(manifest, node).split())


def full(manifest: Manifest, node: Node) -> str:
    """Return the whole text of a node; the tree marks only the operator of an operation."""
    found = [*nodes(node)]
    start = min(one.offset for one in found)
    return manifest.text[start : max(one.offset + one.length for one in found)]


def calls(node: Node) -> bool:
    """Return whether a node contains a function call."""
    kinds = (a.CallNamedFunctionExpression, a.CallMethodExpression)
    return any(isinstance(one, kinds) for one in nodes(node))


def manifest_at(compiled: Compiled, span: Span | None) -> Manifest | None:
    """Return the manifest that contains a place, or None if it is unknown or cannot be parsed."""
    return compiled.manifest(span.file) if span else None


def body_of(manifest: Manifest, resource: Resource) -> a.ResourceBody | None:
    """Return the body that declares a resource, or None if it cannot be found."""
    found = manifest.bodies(resource.type.lower(), resource.line or 0, resource.title)
    return found[0] if len(found) == 1 else None


def place_of(compiled: Compiled, resource: Resource) -> tuple[Place, a.ResourceBody] | None:
    """Return the place and the body that declare a resource, or None if they cannot be found."""
    manifest = manifest_at(compiled, resource.span)
    body = body_of(manifest, resource) if manifest else None
    found = manifest.declaring(body) if manifest and body else None
    return (Place(manifest, *found), body) if manifest and body and found else None
