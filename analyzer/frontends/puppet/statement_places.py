"""Finds the statements that made the relationships of a catalog, in the source text at hand.

A catalog says in which line a resource is declared, not where its relationships are written. An
attribute is looked up in the declaration, an arrow by its two ends. What is not certain has no
place: several arrows that may be meant, or a value that is computed.
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from analyzer.frontends.puppet.operands import TypeOperand, operands_of
from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.validate.walk import nodes
from analyzer.frontends.source_texts import SourceText, Texts
from analyzer.model.names import split_ref
from analyzer.source import Span, place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.frontends.puppet.syntax.ast import Node
    from analyzer.model.catalog import Catalog
    from analyzer.model.resource import Resource

# Files and characters that are read in search of statements, and operands that are compared.
MOST_FILES, MOST_TEXT, MOST_COMPARED = 500, 5_000_000, 2_000_000

ARROW = re.compile(r"[-~]>|<[-~]")
FORMS = {"->": "before", "<-": "before", "~>": "notify", "<~": "notify"}

# Statements that set attributes of resources that are declared somewhere else.
SETTERS = (
    ast.ResourceDefaultsExpression,
    ast.ResourceOverrideExpression,
    ast.CollectExpression,
)


class Body(NamedTuple):
    """A declaration: its type, the lines that a catalog may give it, titles, and attributes."""

    kind: str
    lines: frozenset[int]
    titles: tuple[TypeOperand, ...]
    attributes: dict[str, tuple[Span, Node]]


class ArrowPlace(NamedTuple):
    """An arrow: its place, and what stands on its two sides."""

    form: str
    span: Span
    sources: tuple[TypeOperand, ...]
    targets: tuple[TypeOperand, ...]


class StatementPlaces:
    """Answers for one catalog where the entries of relationship parameters are written."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.texts = Texts(catalog.path)
        self.left = MOST_TEXT
        self.compared = 0
        # Attributes that are also set outside of declarations, by defaults, overrides, collectors.
        self.elsewhere: set[str] = set()
        self._read: dict[str, tuple[list[Body], list[ArrowPlace]]] = {}

    def place(self, resource: Resource, form: str, position: int) -> Span | None:
        """Return the place of the arrow behind an entry of a parameter; at -1, of the attribute.

        None where no statement is found, or none for certain.
        """
        attribute = self.attribute(resource, form)
        if position < 0:
            return attribute[0] if attribute else None
        value = resource.parameters.get(form)
        entries = value if isinstance(value, list) else [value]
        if form not in FORMS.values() or position >= len(entries):
            return None
        parts = split_ref(str(entries[position]))
        target = self.known.get((parts[0].lower(), parts[1].lower())) if parts else None
        if target is None or (attribute and says(attribute[1], target)):
            return None
        return self.arrow(form, resource, target, alone=attribute is None)

    def attribute(self, resource: Resource, form: str) -> tuple[Span, Node] | None:
        """Return the place and the value of an attribute in the declaration of a resource."""
        if not resource.file or not resource.line:
            return None
        bodies = [
            body
            for body in self.read(resource.file)[0]
            if resource.line in body.lines and body.kind == resource.type.lower()
        ]
        sure = [one for one in bodies if any(t.fits(resource) for t in one.titles)]
        found = sure or [b for b in bodies if any(t.fits(resource) is None for t in b.titles)]
        return found[0].attributes.get(form) if len(found) == 1 else None

    def arrow(self, form: str, source: Resource, target: Resource, *, alone: bool) -> Span | None:
        """Return the place of the arrow between two resources.

        The first one that certainly relates them; without any, the only one that may, if nothing
        else can have made the entry (`alone`).
        """
        maybe = []
        kinds = (source.type.lower(), ""), (target.type.lower(), "")
        near = {n for key in product((form,), *kinds) for n in self.by_kinds.get(key, ())}
        for number in sorted(near):
            arrow = self.arrows[number]
            self.compared += len(arrow.sources) + len(arrow.targets)
            if self.compared > MOST_COMPARED:
                return None
            fit = both(some(arrow.sources, source), some(arrow.targets, target))
            if fit:
                return arrow.span
            if fit is None:
                maybe.append(arrow.span)
        alone = alone and form not in self.elsewhere
        return maybe[0] if alone and len(maybe) == 1 else None

    @cached_property
    def known(self) -> dict[tuple[str, str], Resource]:
        """Return the resources by type and title in small letters."""
        return {(r.type.lower(), r.title.lower()): r for r in self.catalog.resources}

    @cached_property
    def arrows(self) -> list[ArrowPlace]:
        """Return the arrows of all files that the catalog names, and of those of its classes."""
        named = {r.file: None for r in self.catalog.resources if r.file}
        classes = [r.title.lower() for r in self.catalog.resources if r.type == "Class"]
        files = dict.fromkeys([*named, *class_files(named, classes)])
        return [arrow for file in [*files][:MOST_FILES] for arrow in self.read(file)[1]]

    @cached_property
    def by_kinds(self) -> dict[tuple[str, str, str], list[int]]:
        """Return the numbers of arrows by form and the types of their ends, empty for any."""
        found: dict[tuple[str, str, str], list[int]] = {}
        for number, arrow in enumerate(self.arrows):
            sources, targets = ({o.kind for o in side} for side in (arrow.sources, arrow.targets))
            for key in product((arrow.form,), sources, targets):
                found.setdefault(key, []).append(number)
        return found

    def read(self, file: str) -> tuple[list[Body], list[ArrowPlace]]:
        """Return the declarations and arrows of a file; none if it is not at hand or is broken."""
        if file not in self._read:
            self._read[file] = [], []
            found = self.texts.get(file) if len(self._read) <= MOST_FILES else None
            if isinstance(found, SourceText) and len(found.text) <= self.left:
                self.left -= len(found.text)
                self._read[file] = self.statements(file, found.text)
        return self._read[file]

    def statements(self, file: str, text: str) -> tuple[list[Body], list[ArrowPlace]]:
        """Return the declarations and arrows of a manifest."""
        if "=>" not in text and not ARROW.search(text):
            return [], []
        from analyzer.frontends.puppet.syntax.cache import user_cache
        from analyzer.frontends.puppet.syntax.checked import check_cached

        tree = check_cached(text, file, cache=user_cache()).tree
        bodies: list[Body] = []
        arrows: list[ArrowPlace] = []
        for node in nodes(tree):
            if isinstance(node, ast.ResourceExpression):
                bodies += bodies_of(node, file, text)
            elif isinstance(node, ast.RelationshipExpression):
                arrows.append(arrow_of(node, file, text))
            elif isinstance(node, ast.AttributesOperation):
                self.elsewhere.update(FORMS.values())
            elif isinstance(node, SETTERS):
                self.elsewhere |= {getattr(one, "attribute_name", "") for one in node.operations}
        return bodies, arrows


def class_files(known: Iterable[str], classes: Iterable[str]) -> Iterator[str]:
    """Yield the files in which Puppet would look for classes beside known manifests."""
    folders: dict[str, None] = {}
    for file in known:
        module, found, _ = file.rpartition("/manifests/")
        if found:
            folders[module.rpartition("/")[0]] = None
    for folder in folders:
        yield os.path.join(os.path.dirname(folder), "manifests/site.pp")
        for name in classes:
            module, _, rest = name.partition("::")
            path = rest.replace("::", "/") or "init"
            yield f"{folder}/{module}/manifests/{path}.pp"


def bodies_of(node: ast.ResourceExpression, file: str, text: str) -> Iterator[Body]:
    """Yield the declarations of a statement."""
    kind = str(getattr(node.type_name, "value", "")).lower().removeprefix("::")
    for body in node.bodies:
        places = (node.offset, body.offset, body.title.offset)
        lines = frozenset(place_of(text, at)[0] for at in places)
        attributes = {
            one.attribute_name: (Span(file, *place_of(text, one.offset)), one.value_expr)
            for one in body.operations
            if isinstance(one, ast.AttributeOperation)
        }
        yield Body(kind, lines, operands_of(body.title, kind), attributes)


def arrow_of(node: ast.RelationshipExpression, file: str, text: str) -> ArrowPlace:
    """Return an arrow; in a chain, its ends are the statements right beside it."""
    sides = operands_of(node.left_expr, right=True), operands_of(node.right_expr)
    sources, targets = sides[::-1] if node.operator.startswith("<") else sides
    return ArrowPlace(
        FORMS[node.operator], Span(file, *place_of(text, node.offset)), sources, targets
    )


def some(operands: tuple[TypeOperand, ...], resource: Resource) -> bool | None:
    """Return whether one of several operands is a resource, None if that is not known."""
    fits = [operand.fits(resource) for operand in operands]
    return True if True in fits else None if None in fits else False


def both(one: bool | None, other: bool | None) -> bool | None:
    """Return whether two answers hold, None if that is not known."""
    return False if False in (one, other) else None if None in (one, other) else True


def says(value: Node, target: Resource) -> bool:
    """Return whether the value of an attribute has a reference to a resource, as it is written."""
    return some(operands_of(value), target) is True
