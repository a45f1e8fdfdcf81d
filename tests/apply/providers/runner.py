"""Applies a catalog in order, with as little of an engine as the tests of providers need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import analyzer
from analyzer.apply.host import Host
from analyzer.apply.provider import Change, Note, ProviderError, UnsuitableError
from analyzer.apply.providers.parameters import display
from analyzer.apply.providers.sources import Sources
from analyzer.apply.providers.table import Providers
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

Line = tuple[str, str, str]
ORDER = {"Stage", "Class"}


@dataclass
class Run:
    """One run: the log, and which resources changed, failed or were skipped."""

    host: Host
    noop: bool = False
    modulepath: tuple[str, ...] = ()
    log: list[Line] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    bad: set[str] = field(default_factory=set)
    events: list[str] = field(default_factory=list)

    def apply(self, catalog: Catalog) -> None:
        """Apply a catalog."""
        graph = analyzer.relate(catalog, 7)
        by_ref = {resource.ref: resource for resource in catalog.resources}
        self._parents = {child: parent for parent, child in catalog.containment}
        self._catalog = catalog
        providers = Providers(Sources(self.modulepath))
        for ref in graph.order():
            resource = by_ref.get(ref)
            if resource and self.noop:
                resource.parameters["noop"] = True
            if resource and self._has_failed_before(graph, resource):
                self.bad.add(str(ref))
            elif resource:
                self._turn(graph, resource, providers)

    def _turn(self, graph: RelationshipGraph, resource: Resource, providers: Providers) -> None:
        provider = providers.find(resource.type)
        if provider is None:
            return
        children: tuple[Resource, ...] = ()
        if hasattr(provider, "generate"):
            children = tuple(self._generated(provider, resource))
        done = len(self.events)
        self._one(resource, provider)
        for child in children:
            self._parents[str(child.ref)] = self._parents.get(str(resource.ref), "")
            self._one(child, providers.find(child.type))
            self.changed |= {str(resource.ref)} & {str(child.ref)}
        started = "service_started" in self.events[done:]
        if started or self.noop or not provider.refreshable:
            return
        if self._is_notified(graph, resource):
            self._refresh(resource, provider)

    def _generated(self, provider: object, resource: Resource) -> Iterator[Resource]:
        try:
            generate = provider.generate  # type: ignore[attr-defined]
            yield from generate(resource, self.host, self._catalog.resources)
        except ProviderError as error:
            text = f"Failed to generate additional resources using 'eval_generate': {error}"
            self._say("err", resource, "", text)

    def _one(self, resource: Resource, provider: object) -> None:
        try:
            state = provider.retrieve(resource, self.host)  # type: ignore[attr-defined]
            plan = provider.plan(resource, state)  # type: ignore[attr-defined]
        except (ProviderError, UnsuitableError) as error:
            self.bad.add(str(resource.ref))
            for note in getattr(error, "notes", ()):
                self._note(resource, note)
            self._say("err", resource, "", f"Could not evaluate: {error}")
            return
        for note in plan.notes:
            self._note(resource, note)
        for change in plan.changes:
            self._change(resource, change, provider)

    def _change(self, resource: Resource, change: Change, provider: object) -> None:
        is_, should = change.shown or (display(change.old), display(change.new))
        if change.sensitive:
            is_ = should = "[redacted]"
        level = str(resource.parameters.get("loglevel", "notice"))
        if self.noop or resource.parameters.get("noop") is True:
            text = f"current_value {is_}, should be {should} (noop)"
            self._say(level, resource, change.property, text)
            return
        try:
            notes = provider.apply(resource, change, self.host)  # type: ignore[attr-defined]
        except ProviderError as error:
            self.bad.add(str(resource.ref))
            for note in error.notes:
                self._note(resource, note)
            text = f"change from {is_} to {should} failed: {error}"
            self._say("err", resource, change.property, text)
            return
        for note in notes:
            self._note(resource, note)
        self._say(level, resource, change.property, change.message)
        self.changed.add(str(resource.ref))
        self.events.append(change.event)

    def _refresh(self, resource: Resource, provider: object) -> None:
        try:
            for note in provider.refresh(resource, self.host):  # type: ignore[attr-defined]
                self._note(resource, note)
        except ProviderError as error:
            for note in error.notes:
                self._note(resource, note)
            self._say("err", resource, "", f"Failed to call refresh: {error}")
            self._say("err", resource, "", str(error))
            self.bad.add(str(resource.ref))

    def _is_notified(self, graph: RelationshipGraph, resource: Resource) -> bool:
        return any(
            edge.event
            and str(edge.target) == str(resource.ref)
            and str(edge.source) in self.changed
            for edge in graph.relationships()
        )

    def _has_failed_before(self, graph: RelationshipGraph, resource: Resource) -> bool:
        return any(
            str(edge.target) == str(resource.ref) and str(edge.source) in self.bad
            for edge in graph.relationships()
        )

    def _note(self, resource: Resource, note: Note) -> None:
        if note.part is None:
            self.log.append((note.level, "Puppet", note.message))
        else:
            self._say(note.level, resource, note.part, note.message)

    def _say(self, level: str, resource: Resource, part: str, text: str) -> None:
        path = self._path(str(resource.ref))
        self.log.append((level, f"{path}/{part}" if part else path, text))

    def _path(self, ref: str) -> str:
        parent = self._parents.get(ref)
        name = ref
        if ref.startswith("Class["):
            name = "::".join(part.capitalize() for part in ref[len("Class[") : -1].split("::"))
        return f"{self._path(parent)}/{name}" if parent else f"/{name}"


def compiled(folder: Path, code: str, modulepath: tuple[str, ...]) -> Catalog:
    """Compile a manifest; the places in it are as Puppet has them for a text without a file."""
    file = folder / "site.pp"
    file.write_text(code)
    facts = folder / "facts.json"
    facts.write_text('{"osfamily": "Debian", "clientversion": "7.23.0"}')
    catalog = analyzer.compile(
        file, modulepath=modulepath, facts=(str(facts),), puppet_version=7, node="vm"
    )
    for resource in catalog.resources:
        if resource.file == str(file):
            resource.file = None
    return catalog
