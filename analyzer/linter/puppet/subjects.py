"""The subjects of rules: manifests with text and tree, compilations with catalog and graph."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from analyzer.compiles.outlined import Outlined
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node, Program
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.frontends.puppet.syntax.validate.walk import PARTS
from analyzer.graph.algorithms.reachability import Reachability
from analyzer.graph.algorithms.walks import reached
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.linter.puppet.ancestors import Ancestors
from analyzer.linter.puppet.doubts import Doubts, doubts_of
from analyzer.model.completeness import Gap
from analyzer.model.relationship import Relationship
from analyzer.model.resource import Resource
from analyzer.model.statements import Record
from analyzer.source import Span, place_of

# A node of a tree, and the nodes around it, outermost first.
Placed = tuple[Any, Ancestors]

# The bodies of one declaration by title.
Titles = dict[str | None, list[a.ResourceBody]]

# Statements that several rules need.
INDEXED = frozenset(
    (
        a.CallNamedFunctionExpression,
        a.CollectExpression,
        a.RelationshipExpression,
        a.ResourceDefaultsExpression,
        a.ResourceExpression,
    )
)

# The folder of a module, in the path of one of its manifests.
IN_MODULE = re.compile(r"([\w-]+)/manifests/")


@dataclass(frozen=True)
class Manifest:
    """A manifest, with its text and its tree; `file` is the user's name for it."""

    file: str
    text: str
    program: Program

    def span(self, node: Node) -> Span:
        """Return the place of a node."""
        return self.span_at(node.offset)

    def span_at(self, offset: int) -> Span:
        """Return the place of a character."""
        return Span(self.file, *place_of(self.text, offset))

    @property
    def module(self) -> str:
        """Return the module of the manifest by its folder, or an empty string for a site."""
        found = IN_MODULE.search(self.file)
        return found[1].rpartition("-")[2].lower() if found else ""

    def owns(self, kind: str) -> bool:
        """Return whether a type belongs to the manifest's module, by name or folder."""
        words = kind.lower().removeprefix("::")
        if not self.module:
            return False
        folder = self.file[: self.file.rindex("manifests/")]
        there = os.path.exists(os.path.join(folder, "lib", "puppet", "type", f"{words}.rb"))
        return there or re.match(rf"{self.module}(?:_|::|\Z)", words) is not None

    def source(self, node: Node) -> str:
        """Return the text of a node."""
        return self.text[node.offset : node.offset + node.length]

    def nodes(self, *kinds: type) -> Iterator[Placed]:
        """Yield the nodes of some kinds, each with the nodes around it, outermost first."""
        if not INDEXED.issuperset(kinds):
            yield from self._walk(kinds)
        elif len(kinds) == 1:
            yield from self._index.get(kinds[0], ())
        else:
            found = [one for kind in kinds for one in self._index.get(kind, ())]
            yield from sorted(found, key=lambda one: (one[0].offset, len(one[1])))

    @cached_property
    def _index(self) -> dict[type, list[Placed]]:
        """Return the nodes that rules need often, by kind."""
        found: dict[type, list[Placed]] = {}
        for one in self._walk(INDEXED):
            found.setdefault(type(one[0]), []).append(one)
        return found

    def at(self, kind: type, span: Span) -> list[Placed]:
        """Return the nodes of an indexed kind at a place."""
        return self._places.get((kind, span.line, span.column), [])

    def arrows(self, span: Span) -> list[Placed]:
        """Return the arrows at a place."""
        return self._arrows.get((span.line, span.column), [])

    @cached_property
    def _arrows(self) -> dict[tuple[int, int], list[Placed]]:
        found: dict[tuple[int, int], list[Placed]] = {}
        for one in self.nodes(a.RelationshipExpression):
            left = one[0].left_expr
            at = self.text.find(one[0].operator, left.offset + left.length)
            if at >= 0:
                found.setdefault(place_of(self.text, at), []).append(one)
        return found

    @cached_property
    def _places(self) -> dict[tuple[type, int, int], list[Placed]]:
        found: dict[tuple[type, int, int], list[Placed]] = {}
        for kind, nodes in self._index.items():
            for one in nodes:
                line, column = place_of(self.text, one[0].offset)
                found.setdefault((kind, line, column), []).append(one)
        return found

    def bodies(self, kind: str, line: int, title: str) -> list[a.ResourceBody]:
        """Return the bodies on a line that may declare a resource: alone there, or by its title."""
        found = self._bodies.get((kind, line), ())
        return [body for titles in found for name in (None, title) for body in titles.get(name, ())]

    @cached_property
    def _bodies(self) -> dict[tuple[str, int], list[Titles]]:
        """Return the bodies by the type and lines of a declaration, by title (None if alone)."""
        found: dict[tuple[str, int], list[Titles]] = {}
        for node, _ in self.nodes(a.ResourceExpression):
            kind = str(getattr(node.type_name, "value", "")).lower().removeprefix("::")
            titles: Titles = {}
            for body in node.bodies:
                value = getattr(body.title, "value", None)
                if len(node.bodies) == 1 or isinstance(value, str):
                    titles.setdefault(None if len(node.bodies) == 1 else value, []).append(body)
            for line in {place_of(self.text, one.offset)[0] for one in (node, *node.bodies)}:
                found.setdefault((kind, line), []).append(titles)
        return found

    def declaring(self, body: a.ResourceBody) -> Placed | None:
        """Return the declaration that a body is part of."""
        return self._declaring.get(body.offset)

    @cached_property
    def _declaring(self) -> dict[int, Placed]:
        found = self.nodes(a.ResourceExpression)
        return {body.offset: one for one in found for body in one[0].bodies}

    def _walk(self, kinds: Container[type]) -> Iterator[Placed]:
        pending: list[Placed] = [(self.program, Ancestors())]
        while pending:
            node, around = pending.pop()
            kind = type(node)
            if kind in kinds:
                yield node, around
            inner = Ancestors(around, node)
            for index in PARTS.get(kind, ()):
                part = node[index]
                if type(part) is tuple:
                    pending += [(one, inner) for one in reversed(part)]
                elif part is not None:
                    pending.append((part, inner))


@lru_cache(maxsize=256)
def manifest_of(file: str, text: str) -> Manifest | None:
    """Return a manifest for the rules, or None if it has syntax errors."""
    tree = check_cached(text, file, cache=user_cache()).tree
    return None if tree is None else Manifest(file, text, tree)


# The code of an error about a name that an installed module lacks, so that no other module has it.
MISSING_IN_MODULE = "missing-in-module"


@dataclass(frozen=True)
class Refusal:
    """A compilation that ended with an error; `name` is the input, and the node if several.

    `partial` is true if one class of a module was compiled by itself.
    """

    name: str
    error: CompileError
    partial: bool = False


@dataclass(frozen=True)
class Compiled:
    """A catalog and its graph; `record` is empty if the catalog was not compiled here.

    `name` is the user's name for it. `text_of` returns the text of a manifest by its file, or None.
    `partial` is true for a class that was compiled by itself: a real node may have the resources
    that it lacks. `without_node` is true if no node of its site has the class. `shuffle` is the
    number of random orders to simulate. `files` are the manifests that it was compiled from, and
    `outlined` is what other commands need of it.
    """

    name: str
    graph: RelationshipGraph
    record: Record = field(default_factory=Record)
    puppet_version: int = 8
    partial: bool = False
    shuffle: int = 0
    files: frozenset[str] = frozenset()
    text_of: Callable[[str], str | None] = lambda file: None
    without_node: bool = False
    outlined: Outlined | None = None

    def manifest(self, file: str) -> Manifest | None:
        """Return a manifest by its file, or None if it is unknown or cannot be parsed."""
        if file not in self._manifests:
            text = self.text_of(file)
            self._manifests[file] = None if text is None else manifest_of(file, text)
        return self._manifests[file]

    @cached_property
    def _manifests(self) -> dict[str, Manifest | None]:
        return {}

    @property
    def path(self) -> str:
        """Return the input of the catalog."""
        return self.graph.catalog.path

    @property
    def machine(self) -> tuple[str, str] | None:
        """Return a name of the machine of the catalog, or None if it has none."""
        name = "" if self.partial else self.graph.catalog.name
        return (self.path, name) if self.partial or name else None

    @property
    def gaps(self) -> Sequence[Gap]:
        """Return the gaps of the catalog's graph."""
        return self.graph.gaps

    @property
    def size(self) -> int:
        """Return the number of resources."""
        return len(self.graph.resources)

    @cached_property
    def complete(self) -> bool:
        """Return whether all resources and relationships of the node are known."""
        return self.graph.is_complete

    @cached_property
    def doubts(self) -> Doubts:
        """Return the places where an incomplete catalog may lack relationships."""
        return doubts_of(self.graph, self.record, self.container)

    @cached_property
    def cyclic(self) -> bool:
        """Return whether the graph has a cycle, and so no order."""
        return self.graph.has_cycle

    @cached_property
    def explicit(self) -> list[Relationship]:
        """Return the explicit relationships; each end of a many-to-many statement occurs once."""
        made = self.graph.provenance.explicit(once=True)
        return [one for one in made if not one.origin.automatic]

    @cached_property
    def by_type(self) -> dict[str, list[Resource]]:
        """Return the resources by type, without generated resources, which code cannot name."""
        found: dict[str, list[Resource]] = {}
        for resource in self.graph.resources:
            if resource.generator is None:
                found.setdefault(resource.type, []).append(resource)
        return found

    @cached_property
    def ways(self) -> Reachability:
        """Return the successors of each node of the graph."""
        return Reachability(self.graph.successors)

    @cached_property
    def events(self) -> list[list[int]]:
        """Return the edges that events follow."""
        return self.graph.event_edges()

    @cached_property
    def event_ways(self) -> Reachability:
        """Return the targets of events."""
        return Reachability(self.events)

    def after(self, nodes: Iterable[int]) -> set[int]:
        """Return the nodes of the graph that come after any of the given nodes."""
        return reached(self.graph.successors, nodes)

    @cached_property
    def after_resources(self) -> set[int]:
        """Return the nodes of the graph that come after some resource."""
        return self.after(self._plain)

    @cached_property
    def before_resources(self) -> set[int]:
        """Return the nodes of the graph that come before some resource."""
        return reached(self.graph.predecessors(), self._plain)

    @property
    def _plain(self) -> list[int]:
        completed = self.graph.completed
        return [v for v, end in enumerate(completed) if v == end]

    def first_by_place(self, first: object, second: object) -> str | None:
        """Return which of two unordered resources Puppet reaches first, or None in a cycle."""
        a, b = self._turns.get(self.number(first)), self._turns.get(self.number(second))
        return None if a is None or b is None else str(first if a < b else second)

    @cached_property
    def _turns(self) -> dict[int | None, int]:
        return {node: turn for turn, node in enumerate(self.graph.traverse())}

    @cached_property
    def container(self) -> dict[int, int]:
        """Return the innermost container of each resource, as ids of the graph."""
        return self.graph.nearest_containers()

    def number(self, ref: object) -> int | None:
        """Return the id of a resource in the graph, or None if it is missing."""
        return self.graph.id_of(str(ref))

    def resource(self, ref: object) -> Resource | None:
        """Return a resource by reference."""
        found = self.number(ref)
        return None if found is None else self.graph.resources[found]

    def is_before(self, first: object, second: object) -> bool:
        """Return whether the relationships put one resource before another."""
        a, b = self.number(first), self.number(second)
        if a is None or b is None:
            return False
        return self.ways.reaches(self.graph.completed[a], b)

    def is_notified(self, first: object, second: object) -> bool:
        """Return whether events of one resource reach another."""
        a, b = self.number(first), self.number(second)
        return a is not None and b is not None and self.event_ways.reaches(a, b)

    def ordered(self, first: object, second: object) -> bool:
        """Return whether two resources are ordered, in either direction."""
        return self.is_before(first, second) or self.is_before(second, first)

    def is_container(self, ref: object) -> bool:
        """Return whether a resource is a class, an instance of a define or a stage."""
        found = self.number(ref)
        return found is not None and self.graph.completed[found] != found

    def types_in(self, ref: object) -> set[str]:
        """Return the types of all resources in a container, at any depth."""
        found = self.number(ref)
        return set() if found is None else self._types.get(found, set())

    @cached_property
    def _types(self) -> dict[int, set[str]]:
        """Return the types in each container, found upwards from each resource."""
        graph = self.graph
        around: dict[int, list[int]] = {}
        for x, contents in graph.contents.items():
            for v in contents:
                around.setdefault(v, []).append(x)
        found: dict[int, set[str]] = {x: set() for x in graph.contents}
        for v, resource in enumerate(graph.resources):
            pending = [v] if graph.completed[v] == v else []
            while pending:
                for x in around.get(pending.pop(), ()):
                    if resource.type not in found[x]:
                        found[x].add(resource.type)
                        pending.append(x)
        return found

    def resources_in(self, ref: object) -> list[Resource]:
        """Return all resources in a container, at any depth, without inner containers."""
        graph, pending, found = self.graph, [self.number(ref)], []
        while pending:
            at = pending.pop()
            for v in graph.contents.get(at, ()) if at is not None else ():
                if graph.completed[v] == v:
                    found.append(graph.resources[v])
                else:
                    pending.append(v)
        return found

    def class_around(self, ref: object) -> str:
        """Return the class or define that contains a resource, or an empty string."""
        at = self.number(ref)
        at = None if at is None else self.container.get(at)
        return "" if at is None else str(self.graph.resources[at])
