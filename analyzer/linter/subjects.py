"""What rules look at: a manifest as text and tree, or a compile as catalog and graph."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet import ast as a
from analyzer.frontends.puppet.ast import Node, Program
from analyzer.frontends.puppet.cache import user_cache
from analyzer.frontends.puppet.checked import check_cached
from analyzer.frontends.puppet.diagnostic import place_of
from analyzer.frontends.puppet.validate.walk import PARTS
from analyzer.graph.containers import nearest_containers
from analyzer.graph.queries import reachable
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.relationship import Relationship
from analyzer.model.resource import Resource
from analyzer.model.statements import Record
from analyzer.source import Span

# A node of a tree, and the nodes around it, outermost first.
Around = tuple[Any, tuple[Any, ...]]

# Statements that several rules ask for.
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
    """One manifest: `file` as the user names it, its text and its tree."""

    file: str
    text: str
    program: Program

    def span(self, node: Node) -> Span:
        """Return where a node stands."""
        return self.span_at(node.offset)

    def span_at(self, offset: int) -> Span:
        """Return the place of a character."""
        return Span(self.file, *place_of(self.text, offset))

    @property
    def module(self) -> str:
        """The module that the manifest is in, by its folder; empty for one of a site."""
        found = IN_MODULE.search(self.file)
        return found[1].rpartition("-")[2].lower() if found else ""

    def owns(self, kind: str) -> bool:
        """Tell whether a type is of the manifest's own module: named after it, or in its folder."""
        words = kind.lower().removeprefix("::")
        if not self.module:
            return False
        folder = self.file[: self.file.rindex("manifests/")]
        there = os.path.exists(os.path.join(folder, "lib", "puppet", "type", f"{words}.rb"))
        return there or re.match(rf"{self.module}(?:_|::|\Z)", words) is not None

    def source(self, node: Node) -> str:
        """Return the text of a node."""
        return self.text[node.offset : node.offset + node.length]

    def nodes(self, *kinds: type) -> Iterator[Around]:
        """Yield the nodes of some kinds, each with the nodes around it, outermost first."""
        if not INDEXED.issuperset(kinds):
            yield from self._walk(kinds)
        elif len(kinds) == 1:
            yield from self._index.get(kinds[0], ())
        else:
            found = [one for kind in kinds for one in self._index.get(kind, ())]
            yield from sorted(found, key=lambda one: (one[0].offset, len(one[1])))

    @cached_property
    def _index(self) -> dict[type, list[Around]]:
        """The nodes that rules ask for again and again, by kind."""
        found: dict[type, list[Around]] = {}
        for one in self._walk(INDEXED):
            found.setdefault(type(one[0]), []).append(one)
        return found

    def _walk(self, kinds: Container[type]) -> Iterator[Around]:
        pending: list[Around] = [(self.program, ())]
        while pending:
            node, around = pending.pop()
            kind = type(node)
            if kind in kinds:
                yield node, around
            inner = (*around, node)
            for index in PARTS.get(kind, ()):
                part = node[index]
                if type(part) is tuple:
                    pending += [(one, inner) for one in reversed(part)]
                elif part is not None:
                    pending.append((part, inner))


@lru_cache(maxsize=256)
def manifest_of(file: str, text: str) -> Manifest | None:
    """Return a manifest as rules look at it, None if it is no Puppet program."""
    tree = check_cached(text, file, cache=user_cache()).tree
    return None if tree is None else Manifest(file, text, tree)


@dataclass(frozen=True)
class Refusal:
    """A compile that ended with an error; `name` is the input, with its node if there are more.

    `partial` tells that one class of a module was compiled by itself.
    """

    name: str
    error: CompileError
    partial: bool = False


@dataclass(frozen=True)
class Compiled:
    """One catalog and its graph; `record` is empty where it was not compiled here.

    `name` is what the user calls it, `text_of` gives the text of a manifest by its file, None if
    there is none. `partial` tells that it is one class of a module by itself: what is not there
    may well be on a real node. `shuffle` is how many random orders are to be walked,
    `files` are the manifests that it was compiled from.
    """

    name: str
    graph: RelationshipGraph
    record: Record = field(default_factory=Record)
    puppet_version: int = 8
    partial: bool = False
    shuffle: int = 0
    files: frozenset[str] = frozenset()
    text_of: Callable[[str], str | None] = lambda file: None

    @cached_property
    def cyclic(self) -> bool:
        """Whether the graph has a cycle: then nothing has an order."""
        return self.graph.has_cycle

    @cached_property
    def explicit(self) -> list[Relationship]:
        """The relationships that somebody wrote."""
        return self.graph.provenance.explicit()

    @cached_property
    def by_type(self) -> dict[str, list[Resource]]:
        """The resources by type."""
        found: dict[str, list[Resource]] = {}
        for resource in self.graph.kernel.resources:
            found.setdefault(resource.type, []).append(resource)
        return found

    @cached_property
    def _after(self) -> dict[int, set[int]]:
        return {}

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """The graph turned round: what comes directly before each node."""
        found: list[list[int]] = [[] for _ in self.graph.kernel.succ]
        for v, targets in enumerate(self.graph.kernel.succ):
            for t in targets:
                found[t].append(v)
        return found

    @cached_property
    def container(self) -> dict[int, int]:
        """What each resource is in: ids of the graph's kernel; the innermost comes first."""
        return nearest_containers(self.graph.kernel)

    def number(self, ref: object) -> int | None:
        """Return the id of a resource in the graph's kernel, None if it is not there."""
        return self.graph.kernel.lookup.find_ref(str(ref))

    def resource(self, ref: object) -> Resource | None:
        """Return a resource by reference."""
        found = self.number(ref)
        return None if found is None else self.graph.kernel.resources[found]

    def is_before(self, first: object, second: object) -> bool:
        """Tell whether one is applied before another of necessity."""
        kernel = self.graph.kernel
        a, b = self.number(first), self.number(second)
        if a is None or b is None:
            return False
        if a not in self._after:
            self._after[a] = reachable(kernel.succ, kernel.completed[a])
        return b in self._after[a]

    def ordered(self, first: object, second: object) -> bool:
        """Tell whether two have an order, whichever it is."""
        return self.is_before(first, second) or self.is_before(second, first)

    def is_container(self, ref: object) -> bool:
        """Tell whether it is a class, a define's instance or a stage."""
        found = self.number(ref)
        return found is not None and self.graph.kernel.completed[found] != found

    def members(self, ref: object) -> list[Resource]:
        """Return the resources in a container, at any depth, containers left out."""
        kernel = self.graph.kernel
        start = self.number(ref)
        found: list[Resource] = []
        pending = [] if start is None else [start]
        seen: set[int] = set()
        while pending:
            for v in kernel.contents.get(pending.pop(), ()):
                if v in seen:
                    continue
                seen.add(v)
                if kernel.completed[v] != v:
                    pending.append(v)
                else:
                    found.append(kernel.resources[v])
        return found

    def classes_around(self, ref: object) -> list[str]:
        """Return the classes and defines that a resource is in, the innermost first."""
        at = self.number(ref)
        found: list[str] = []
        while at is not None and (at := self.container.get(at)) is not None:
            found.append(str(self.graph.kernel.resources[at]))
        return found
