"""The words of queries that are compared, and those that hold or do not hold of a resource."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analyzer.graph.query.compare import dig, texts_of
from analyzer.graph.query.relations import is_refreshable
from analyzer.graph.query.world import Ids, World, reached
from analyzer.model.resource import REDACTED
from analyzer.model.tags import tags_of

PARAMETER = "param."


@dataclass(frozen=True, slots=True)
class Field:
    """A row: the word, what it is, its texts for a resource, and how they are compared."""

    name: str
    what: str
    texts: Callable[[World, int], list[str]]
    style: str = "exact"


@dataclass(frozen=True, slots=True)
class Property:
    """A row: the word, for what it holds, and all of that."""

    name: str
    what: str
    find: Callable[[World], Ids]


def class_names(world: World, i: int) -> list[str]:
    """Return the class that a resource is declared in, by its name and as a reference."""
    x = world.classes.get(i)
    return (
        []
        if x is None or x == i
        else [world.kernel.resources[x].title, str(world.kernel.resources[x])]
    )


def places(world: World, i: int) -> list[str]:
    """Return the file of a resource, without and with its line."""
    span = world.kernel.resources[i].span
    return [] if span is None else [span.file, f"{span.file}:{span.line}"]


def lines(world: World, i: int) -> list[str]:
    """Return the line of a resource."""
    span = world.kernel.resources[i].span
    return [str(span.line)] if span and span.line else []


def titles(world: World, i: int) -> list[str]:
    """Return a resource's title; that of a class in small letters too, as people write it."""
    resource = world.kernel.resources[i]
    small = [resource.title.lower()] if resource.type == "Class" else []
    return [resource.title, *small]


def parameter(world: World, i: int, name: str) -> tuple[list[str], str]:
    """Return the texts of a parameter, and why some are not known."""
    resource = world.kernel.resources[i]
    first, *rest = name.split(".")
    if first in (resource.sensitive or ()) and first in resource.parameters:
        return [REDACTED], ""
    value: Any = resource.parameters.get(first)
    return texts_of(dig(value, rest) if rest else value)


def ready(world: World) -> Ids:
    """Return the resources that wait for no resource."""
    return world.plain - reached(world.kernel.succ, world.plain)


def last(world: World) -> Ids:
    """Return the resources that no resource waits for."""
    return world.plain - reached(world.pred, world.plain)


def cyclic(world: World) -> Ids:
    """Return what is on a cycle."""
    completed, found = world.kernel.completed, world.in_cycle
    return {i for i in world.everything if i in found or completed[i] in found}


def where(holds: Callable[[World, int], object]) -> Callable[[World], Ids]:
    """Return what a test holds for."""
    return lambda world: {i for i in world.everything if holds(world, i)}


def has_secrets(world: World, i: int) -> bool:
    """Return whether a resource has a Sensitive value."""
    shown = world.kernel.resources[i].shown_parameters()
    return any(value == REDACTED for value in shown.values())


FIELDS = {
    row.name: row
    for row in (
        Field("type", "its type", lambda w, i: [w.kernel.resources[i].type], "word"),
        Field("title", "its title", titles),
        Field("tag", "its tags", lambda w, i: [*tags_of(w.kernel.resources[i])], "word"),
        Field("class", "the class that it is declared in", class_names, "word"),
        Field("file", "where it is declared: 'site.pp', 'site.pp:12'", places, "path"),
        Field("line", "the line of that", lines),
    )
}

PROPERTIES = {
    row.name: row
    for row in (
        Property("ready", "waits for no other resource", ready),
        Property("last", "no other resource waits for it", last),
        Property("isolated", "both: it has no place in the order", lambda w: ready(w) & last(w)),
        Property("cyclic", "is on a dependency cycle", cyclic),
        Property(
            "container",
            "is a class, a define or a stage",
            where(lambda w, i: not w.is_plain(i)),
        ),
        Property("refreshable", "its type can refresh", where(is_refreshable)),
        Property("exported", "is exported", where(lambda w, i: w.kernel.resources[i].exported)),
        Property(
            "generated",
            "another resource brings it, no manifest declares it",
            where(lambda w, i: w.kernel.resources[i].generator is not None),
        ),
        Property("sensitive", "has a Sensitive value", where(has_secrets)),
    )
}
