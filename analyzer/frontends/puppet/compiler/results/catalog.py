"""The compiled catalog as values, with data that JSON can hold (Resource::Catalog#to_data_hash)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS, Entry, shown
from analyzer.frontends.puppet.compiler.declared.keys import namevar, parse_title
from analyzer.frontends.puppet.compiler.declared.places import attribute_in, span_of
from analyzer.frontends.puppet.compiler.results.automatic import relations_of
from analyzer.frontends.puppet.compiler.results.rich_data import data
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.model.objects import ObjectValue
from analyzer.model.catalog import Catalog
from analyzer.model.documents import JsonObject
from analyzer.model.keys import of_key
from analyzer.model.names import capitalize_type, split_ref
from analyzer.model.releases import RESOLVES_FIRST, has
from analyzer.model.resource import Resource
from analyzer.model.values import DEFAULT, Regexp, Sensitive, Unknown, Value, flat
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
    from analyzer.frontends.puppet.ruby_types import RubyType


def to_catalog(compilation: Compilation, path: str) -> Catalog:
    """Return the catalog with the places of the arrows that made its relationships.

    Virtual resources are left out.
    """
    kept = [entry for entry in compilation.entries.values() if not entry.virtual]
    resources = [resource_of(entry, compilation.definitions) for entry in kept]
    numbers = {entry.ref: number for number, entry in enumerate(kept)}
    place_contained(compilation, numbers, resources)
    containment = containment_of(compilation, kept)
    catalog = Catalog(resources, containment)
    catalog.name, catalog.environment = compilation.inputs.node, compilation.inputs.environment
    catalog.resolves_first = has(compilation.puppet_version, RESOLVES_FIRST)
    catalog.classes, catalog.path, catalog.format = compilation.class_names, path, 2
    types = compilation.definitions.ruby_types.types_read()
    keyed = {capitalize_type(type.name) for type in types if not type.sole_key}
    catalog.aliases = dict(aliases_in(resources, keyed, compilation)) if keyed else {}
    catalog.namevars = {
        capitalize_type(type.name): type.second_name for type in types if not type.unsure
    }
    catalog.refreshable = frozenset(capitalize_type(t.name) for t in types if t.refreshable)
    catalog.self_refreshing = frozenset(capitalize_type(t.name) for t in types if t.self_refresh)
    catalog.relations = tuple(relations_of(resources, compilation))
    catalog.properties = {capitalize_type(t.name): t.properties for t in types if not t.open}
    return catalog


def containment_of(compilation: Compilation, kept: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return the references of containers and their contents, by the places of the contents."""
    places = {id(entry): number for number, entry in enumerate(kept)}
    edges = [
        (places[id(content)], number, container, content)
        for number, (container, content) in enumerate(compilation.edges)
        if id(container) in places and id(content) in places
    ]
    edges.sort(key=lambda edge: edge[:2])
    return [(container.ref, content.ref) for _, _, container, content in edges]


def aliases_in(
    resources: Iterable[Resource], kinds: Container[str], compilation: Compilation
) -> Iterator[tuple[str, str]]:
    """Yield references to resources of these types by their keys, with those by their titles."""
    parameters = (resource.parameters for resource in resources)
    for value in (given[name] for given in parameters for name in RELATIONSHIPS if name in given):
        for ref in value if isinstance(value, list) else [value]:
            kind, title = (split_ref(ref) if isinstance(ref, str) else None) or ("", "")
            found = compilation.find(kind, title) if kind in kinds else None
            if found is not None and found.ref != ref:
                yield ref, found.ref


def resource_of(entry: Entry, known: DefinitionTable) -> Resource:
    """Return the resource of an entry."""
    resource = Resource(
        entry.type,
        "Main" if entry.ref == "Class[main]" else entry.title,
        parameters_of(entry, known),
        entry.file if entry.line else None,
        entry.line or None,
        entry.kind,
        list(entry.tags),
        entry.exported,
        sensitive_in(entry) or None,
    )
    resource.written = places_of(entry) or None
    if entry.exporter is not None:
        resource.exporter = (entry.exporter.node, entry.exporter.span)
    return resource


def place_contained(
    compilation: Compilation, numbers: dict[str, int], resources: list[Resource]
) -> None:
    """Note where the function `contain` put a class into another; `numbers` are those by ref."""
    for form, content, scope, unit, node in compilation.class_uses:
        container = scope.resource.ref if scope.resource is not None else "Class[main]"
        if form == "contain" and container in numbers and content in numbers:
            resource = resources[numbers[container]]
            resource.written = written = resource.written or {}
            written.setdefault("contain", {}).setdefault(numbers[content], span_of(unit, node))


def places_of(entry: Entry) -> dict[str, dict[int, Span]]:
    """Return where the entries of relationship parameters were written, -1 for the others."""
    found: dict[str, dict[int, Span]] = {}
    for name in RELATIONSHIPS:
        if name not in entry.parameters:
            continue
        place = place_set(entry, name)
        places = {} if place is None else {-1: place}
        calls = entry.required if name == "require" else {}
        places |= {position: span_of(unit, call) for position, (unit, call) in calls.items()}
        arrows = entry.written.get(name, {})
        places |= {position: arrow.span for position, arrow in arrows.items()}
        if places:
            found[name] = places
    return found


def place_set(entry: Entry, name: str) -> Span | None:
    """Return where a parameter was set: by a default, an override, or where it was declared."""
    setter = entry.set_by.get(name) or entry
    node = attribute_in(setter.node, entry.title, name)
    return None if node is None else span_of(setter.unit, node)


def parameters_of(
    entry: Entry, known: DefinitionTable, convert: Callable[[Value], Value] = data
) -> JsonObject:
    """Return the parameters of a resource; `convert` makes data of their values."""
    type = known.ruby_type(entry.type) if entry.definition is None else None
    key = namevar(type)
    main = entry.title == "main" and entry.type in ("Class", "Stage")
    parameters = from_title(entry, type)
    for name, value in entry.parameters.items():
        bare = value.value if isinstance(value, Sensitive) else value
        if name in RELATIONSHIPS:
            plain = relations(bare)
        else:
            plain = convert(flat_references(bare) if isinstance(bare, list) else bare)
        if plain is not None:
            parameters[name] = plain
    if key != "name" and "name" in parameters:
        parameters[key] = parameters.pop("name")
    if not main and parameters.get(key) == entry.named:
        del parameters[key]
    return parameters


def sensitive_in(entry: Entry) -> list[str]:
    """Return the parameters whose values are Sensitive."""
    return [name for name, value in entry.parameters.items() if isinstance(value, Sensitive)]


def from_title(entry: Entry, type: RubyType | None) -> dict[str, Value]:
    """Return the parameters that a title sets; they come first."""
    if type is None:
        return {} if isinstance(entry.named, str) else {"name": entry.title}
    return parse_title(type, entry.title)


def relations(value: Value) -> Any:
    """Return a relationship parameter: references as texts, lists flat, nothing for undef."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, list):
        return [one for part in value for one in as_list(relations(part))]
    return stringified(value)


def flat_references(values: list[Value]) -> list[Value]:
    """Return an array, flat if there is a reference in it (Puppet::Resource#initialize)."""
    found = flat(values)
    is_flat = any(isinstance(one, (ResourceType, ClassType)) for one in found)
    return found if is_flat else values


def as_list(value: Value) -> list[Value]:
    """Return a value as a list; undef is an empty one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def stringified(value: Value) -> Value:
    """Return a value as data without types: references and other rich values are texts."""
    if isinstance(value, (ResourceType, ClassType)):
        return shown(value)
    if isinstance(value, Sensitive):
        return {"__ptype": "Sensitive", "__pvalue": stringified(value.value)}
    if isinstance(value, list):
        return [stringified(one) for one in value]
    if isinstance(value, dict):
        return {key_text(key): stringified(one) for key, one in value.items()}
    if isinstance(value, (ObjectValue, Regexp, Type)):
        return text_of(value)
    return "default" if value is DEFAULT else value


def key_text(key: Value) -> str:
    """Return a key of a hash as data has it: a text (ToDataConverter)."""
    return key if isinstance(key, str) else to_s(stringified(of_key(key)))
