"""The trails of relationships, of overrides, and of what collectors find and realize."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.compiler.collectors import Collector
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.origins.contributors import Contributor, Trail, flat, union
from analyzer.frontends.puppet.origins.declared import Declared
from analyzer.frontends.puppet.origins.parts import asks_for_title, attributes_asked


def containers_of(entry: Entry) -> Iterator[Entry]:
    """Yield a resource and what it was declared in, outwards; the main class is in itself."""
    at: Entry | None = entry
    above: Entry | None = None
    while at is not None and at is not above:
        yield at
        above, at = at, at.scope.resource if at.scope is not None else None


class Related(Declared):
    """The declarations of a compile, with what changes them after they were evaluated."""

    def note_right(self, arrow: object, right: Trail) -> None:
        """Record what contributes to the right side of an arrow that was noted."""
        self._rights[id(arrow)] = tuple(right.everything())

    def alike(self, one: Any, collector: Any) -> None:
        """Record that the overrides of a collector contribute as it does."""
        self._noted[id(one)] = one, self.noted(collector)

    def override(self, entry: Entry, change: Any) -> None:
        """Record the attributes that an override or a collector changed."""
        why = self.noted(change)
        for row in change.of(entry):
            if entry.set_by.get(row[0]) is not change:
                continue
            trail = self.of_row(entry, row) if id(row) in self._rows else Trail(())
            before = self.values.get((id(entry), row[0])) if row[2] else None
            matched = () if change is None else self.matched(entry, change.node)[1:]
            earlier = () if before is None else before.everything()
            # What is added to an array is not where the elements of it alone would be.
            elements = trail.elements if before is None else None
            own = trail.shape if before is None else trail.everything()
            self.values[id(entry), row[0]] = Trail(union([why], own, matched, earlier), elements)

    def realize(self, entry: Entry, by: object) -> None:
        """Record that a virtual resource was realized."""
        first, node = self.presence_at(entry), getattr(by, "node", None)
        if asks_for_title(node):
            self._certain.pop(id(entry), None)
        inner = (*first.inner, self.noted(by), *self.matched(entry, node)[1:])
        found = Contributor(first.kind, first.name, inner, first.around)
        found.unit, found.offset = first.unit, first.offset
        self.presence[id(entry)] = found

    def relate(
        self, entry: Entry, name: str, by: Any, source: object = None, target: object = None
    ) -> None:
        """Record that an arrow or a call added to a relationship parameter.

        `source` and `target` are resources if collectors found them.
        """
        before = self.values.get((id(entry), name), Trail(()))
        also = [self.of_arrow(by, source)]
        found = [one for one in (source, target) if isinstance(one, Entry)]
        also += [row for one in found for row in self.matched(one, getattr(by, "node", None))]
        self.values[id(entry), name] = before.within(*also)

    def of_arrow(self, by: Any, source: object) -> Contributor:
        """Return the contributor that an arrow is to a relationship of a resource.

        Where a collector found the resource, what stands before the collector takes no part.
        """
        why, asked = self.noted(by), getattr(by, "source", None)
        if not (isinstance(asked, Collector) and isinstance(source, Entry)):
            return why
        inner = (self.noted(asked), *self._rights.get(id(by), ()))
        place = None if why.unit is None else (why.unit, why.offset)
        return Contributor(why.kind, why.name, inner, why.around, place)

    def matched(self, entry: Entry, node: Any) -> list[Contributor]:
        """Return the contributors that decide that a collector is for a resource.

        `node` has the query: these are the attributes that it asks for.
        """
        found = [self.presence_at(entry)]
        for name, text in attributes_asked(node):
            own = self.with_tag(entry, text) if name == "tag" and text is not None else None
            if own is not None:
                found += own
                continue
            # What is in a container has its tags.
            if name == "tag":
                found += map(self.presence_at, containers_of(entry))
            for one in containers_of(entry) if name == "tag" else [entry]:
                if (id(one), name) in self.values:
                    found += self.values[id(one), name].everything()
        return found

    def with_tag(self, entry: Entry, tag: str) -> tuple[Contributor, ...] | None:
        """Return why a resource has a tag itself, None if it does not: then others decide."""
        trail, value = self.values.get((id(entry), "tag")), entry.parameters.get("tag")
        if trail is None or value is None:
            return None
        if type(value) is not list:
            return tuple(trail.everything()) if str(value).lower() == tag.lower() else None
        wanted = [i for i, one in enumerate(value) if str(one).lower() == tag.lower()]
        return flat(map(trail.element, wanted)) if wanted else None

    def settle(self) -> None:
        """Forget the queries of collectors that have nothing to ask: no value depends on these."""
        types = {entry.type for entry in self.compilation.entries.values()}
        for one, noted in self._noted.values():
            if isinstance(one, Collector) and not one.exported and one.type not in types:
                noted.inner = ()
