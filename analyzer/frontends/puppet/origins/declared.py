"""The trails of resources and classes: why they are there, and of each of their attributes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from analyzer.frontends.puppet.compiler.declared.entry import Attribute, Entry
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.origins.contributors import (
    ANYTHING,
    Contributor,
    Trail,
    flat,
    union,
)
from analyzer.frontends.puppet.origins.parts import (
    ATTRIBUTES,
    Part,
)
from analyzer.frontends.puppet.origins.variables import Variables
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType

# The kind of contributor that the name or regular expression of a node block is.
NODE_NAME = "node name"
# The stand-in for the title of a resource that is no key of a hash.
NO_KEY = object()
# Functions that declare resources, with attributes in a hash beside the titles.
CREATING = frozenset({
    "create_resources", "ensure_packages", "ensure_resource", "ensure_resources",
    "stdlib::ensure_packages",
})  # fmt: skip


def is_data_type(value: object) -> bool:
    """Return whether a value is a type of data, as parameters have, and names no resource."""
    return isinstance(value, Type) and not isinstance(value, (ClassType, ResourceType))


def names(value: object, entry: Entry) -> bool:
    """Return whether a title is that of a resource; classes are spelled in several ways."""
    if entry.type != "Class":
        return value == entry.named
    return str(value).removeprefix("::").lower() == entry.title.lower()


def key_in(value: object, entry: Entry) -> object:
    """Return the key of a hash that is the title of a resource, NO_KEY if none is."""
    if type(value) is not dict:
        return NO_KEY
    if isinstance(entry.named, Hashable) and entry.named in value:
        return entry.named
    for key in value:
        several = key if isinstance(key, (list, tuple)) else [key]
        if any(one == entry.named for one in several):
            return key
        if entry.type == "Class" and names(key, entry):
            return key
    return NO_KEY


def without_text(entry: Entry, part: Part, declared: Declared) -> Trail:
    """Return the trail of a part of a statement as far as it decides that there is a title."""
    _, value, trail = part
    if type(value) is str and value == entry.named:
        return Trail(())
    if trail.elements is not None and type(value) is list:
        return Trail(trail.shape)
    return declared.of_title(entry, part)


class Declared(Variables):
    """The declarations of a compile, with the contributors of presence and attributes."""

    parts: list[Part]
    around: Contributor | None
    function: str

    def forget_declared(self) -> None:
        """Forget the declarations of the compile before."""
        self.presence: dict[int, Contributor] = {}
        # Further statements that bring a class in, or realize a resource.
        self.others: dict[int, list[Contributor]] = {}
        # What decides that resources are there, of whatever title: how many contributors of their
        # presence it replaces, and the constructs around what they contain.
        self._certain: dict[int, tuple[int, tuple[Contributor, ...]]] = {}
        self._bodies: dict[int, tuple[Contributor, Contributor]] = {}
        self.values: dict[tuple[int, str], Trail] = {}
        # The parameters that were not given where their class or define was declared.
        self._open: set[tuple[int, str]] = set()
        self._rows: dict[int, tuple[object, Trail]] = {}
        self._defaults: dict[tuple[int, str, str], tuple[Scope, Trail]] = {}
        self._noted: dict[int, tuple[object, Contributor]] = {}
        # What contributes to the right sides of arrows.
        self._rights: dict[int, tuple[Contributor, ...]] = {}

    def keep_row(self, row: Attribute, trail: Trail) -> None:
        """Keep the trail of an attribute as it is given."""
        self._rows[id(row)] = row, trail

    def keep_default(self, scope: Scope, kind: str, name: str, trail: Trail) -> None:
        """Keep the trail of a default of a type in a scope."""
        self._defaults[id(scope), kind, name] = scope, trail

    def note(
        self,
        one: object,
        kind: str,
        name: str,
        node: Any,
        unit: Unit | None,
        inner: tuple[Contributor, ...] | None = None,
    ) -> None:
        """Record what contributes to something that has its effect later."""
        if inner is None:
            inner = flat(trail for *_, trail in self.parts)
        place = None if unit is None or node is None else (unit, node.offset)
        self._noted[id(one)] = one, Contributor(kind, name, inner, self.around, place)

    def noted(self, one: object) -> Contributor:
        """Return the contributor that was noted for something."""
        found = self._noted.get(id(one))
        return ANYTHING if found is None else found[1]

    def presence_at(self, entry: Entry) -> Contributor:
        """Return why a resource is there."""
        found = self.presence.get(id(entry))
        if found is None:
            kind = "node block" if entry.type == "Node" else "class"
            name = entry.title if entry.type == "Node" else entry.ref
            unit = entry.definition.unit if entry.definition is not None else None
            place = None
            if entry.definition is not None and unit is not None:
                place = unit, entry.definition.node.offset
            inner = self.node_names(entry) if entry.type == "Node" else ()
            found = self.presence[id(entry)] = Contributor(kind, name, inner, None, place)
        return found

    def node_names(self, entry: Entry) -> tuple[Contributor, ...]:
        """Return the names that decide which node block is that of the node.

        A block with the name of the node counts before all regular expressions, the first of these
        before the others, and the default last.
        """
        chosen, own = entry.definition, Contributor("setting", "name of the node")
        if chosen is None:
            return (own,)
        found = [chosen]
        if getattr(chosen.match, "pattern", None) is not None or chosen.name == "default":
            found += self.compilation.definitions.nodes
        matches = [(one.unit, one.match.offset) for one in found if one.match is not None]
        return (own, *(Contributor(NODE_NAME, "", place=at) for at in dict.fromkeys(matches)))

    def body_at(self, entry: Entry) -> Contributor:
        """Return why the body of a class, node or define is evaluated.

        That of a define is evaluated whatever the title is.
        """
        found = self.presence_at(entry)
        if id(entry) not in self._certain:
            return found
        before, body = self._bodies.get(id(entry), (None, found))
        if before is not found:
            count, certain = self._certain[id(entry)]
            inner = (*certain, *found.inner[count:])
            body = Contributor(found.kind, found.name, inner, found.around)
            body.unit, body.offset = found.unit, found.offset
            self._bodies[id(entry)] = found, body
        return body

    def declare(self, entry: Entry, given: Sequence[Attribute]) -> None:
        """Record the declaration of a resource or class, with attributes and defaults."""
        kind = "class" if entry.type == "Class" else "resource"
        place = None if entry.unit is None else (entry.unit, entry.node.offset)
        titles = flat(self.of_title(entry, part) for part in self.parts)
        self.presence[id(entry)] = Contributor(kind, entry.ref, titles, self.around, place)
        if kind == "resource":
            certain = flat(without_text(entry, part, self) for part in self.parts)
            self._certain[id(entry)] = len(titles), certain
        for row in given:
            self.values[id(entry), row[0]] = self.of_row(entry, row)
        for name in entry.parameters.keys() - {row[0] for row in given}:
            by = entry.set_by.get(name)
            found = by and self._defaults.get((id(by.scope), entry.type, name))
            if found:
                self.values[id(entry), name] = found[1]

    def of_title(self, entry: Entry, part: Part) -> Trail:
        """Return the trail of a part of a statement as far as it decides about a title."""
        node, value, trail = part
        title, key = entry.named, key_in(value, entry)
        if type(node) in ATTRIBUTES or is_data_type(value):
            return Trail(())
        if not self.function and type(value) is str and value != title:
            # The title of another body of the statement.
            return Trail(())
        if trail.elements is not None and key is not NO_KEY:
            # It exists because of the key: what the key has are its attributes.
            return Trail(trail.shape)
        if type(value) is dict and key is NO_KEY and self.function in CREATING:
            # Attributes of this one, or defaults of all.
            return Trail(())
        if trail.elements is not None and type(value) is list:
            own = [trail.element(at) for at, one in enumerate(value) if names(one, entry)]
            return Trail(union(trail.shape, flat(own))) if own else trail
        return trail

    def of_row(self, entry: Entry, row: Attribute) -> Trail:
        """Return the trail of an attribute as it is given."""
        kept = self._rows.get(id(row))
        if kept is not None:
            return kept[1]
        # A function declares: the attribute is in a hash of its own, or in one by title.
        name, found = row[0], list[Trail]()
        for _, value, trail in self.parts:
            key = key_in(value, entry)
            own = value[key] if key is not NO_KEY else None
            if type(own) is dict and name in own:
                found.append(trail.element(key).element(name))
            elif type(value) is dict and name in value:
                found.append(trail.element(name))
        if len(found) == 1:
            return found[0]
        # The function gives it by itself; that no hash does is a matter of their keys.
        keys = (trail.shape for _, value, trail in self.parts if type(value) is dict)
        titles = flat(self.of_title(entry, part) for part in self.parts)
        return Trail(flat(found) or union(titles, *keys))

    def bring_in(self, entry: Entry, name: str, node: Any, unit: Unit | None) -> None:
        """Record a statement that brings a class in which is there already."""
        place = None if unit is None or node is None else (unit, node.offset)
        inner = flat(self.of_title(entry, part) for part in self.parts)
        one = Contributor("class", name, inner, self.around, place)
        self.others.setdefault(id(entry), []).append(one)

    def begin_parameters(self, entry: Entry, frame: dict[str, Any]) -> None:
        """Record the parameters that were given, which the defaults of others see."""
        for name in entry.parameters:
            self.set_trail(frame, name, self.of_parameter(entry, name))

    def give(self, entry: Entry, name: str, how: str, frame: dict[str, Any] | None = None) -> None:
        """Record that a parameter has the value that was evaluated last."""
        trail = self.parts[-1][2] if self.parts and how in ("data", "default") else Trail(())
        before = self.values.get((id(entry), name))
        if before is not None and how == "nothing":
            return
        # What is given as undef leaves the value to data and to the default.
        given = () if before is None else before.everything()
        why = self.parameter(entry, name, how, union(trail.shape, given))
        self.values[id(entry), name] = made = Trail((why,), trail.elements)
        self._open.add((id(entry), name))
        if frame is not None:
            self.set_trail(frame, name, made)

    def parameter(
        self, entry: Entry, name: str, how: str, inner: Iterable[Contributor]
    ) -> Contributor:
        """Return the contributor that a parameter of a class or defined type is."""
        definition = entry.definition
        place = None
        full = name if definition is None else f"{definition.name}::{name}"
        for one in definition.node.parameters if definition is not None else ():
            if one.name == name and definition is not None:
                place = definition.unit, one.offset
        around = self.body_at(entry)
        return Contributor("parameter", f"${full}", tuple(inner), around, place, how)

    def of_parameter(self, entry: Entry, name: str) -> Trail:
        """Return the trail of a parameter as a variable of the body."""
        trail = self.values.get((id(entry), name))
        if trail is None:
            return Trail((self.body_at(entry),))
        if (id(entry), name) in self._open:
            return trail
        return Trail((self.parameter(entry, name, "declared", trail.shape),), trail.elements)

    def bind_parameters(self, entry: Entry, scope: Scope) -> None:
        """Record the variables of a body."""
        variables = scope.variables()
        for name in entry.parameters:
            if name not in ("title", "name"):
                self.set_trail(variables, name, self.of_parameter(entry, name))

    def of_resource(self, name: str, scope: Scope) -> Trail:
        """Return the trail of a variable that comes with a class, node or define.

        The title is a value by itself: it decides more than that the body is evaluated.
        """
        body = self.body_at(scope.resource)
        if name not in ("name", "title"):
            return Trail((body,))
        titles = self.presence_at(scope.resource).inner
        return Trail((Contributor("variable", f"${name}", titles, body),))

    def inherit(self, entry: Entry, name: str, container: Entry) -> None:
        """Record that a metaparameter comes from a container."""
        trail = self.values.get((id(container), name), Trail(()))
        why = Contributor("metaparameter", container.ref, tuple(trail.everything()))
        self.values[id(entry), name] = Trail((why,))
