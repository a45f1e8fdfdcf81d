"""Compares catalogs as documents (Puppet::Resource::Catalog#to_data_hash)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown

NOTHING = object()

# Keys of a row that have one value.
PLAIN = ("kind", "file", "line", "exported")
# Those that tell where a resource is.
PLACES = frozenset({"file", "line"})


@dataclass(frozen=True, slots=True)
class VerifyDifference:
    """A difference: its kind, our words and the real tool's, and the place of the resource."""

    kind: str
    ours: str = ""
    theirs: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of catalogs to compare.

    Of a catalog of ours that is not `complete`, only what both have is compared; `places` are the
    files and lines of resources; what is not `ordered` was sorted by who stored it.
    """

    complete: bool = True
    places: bool = True
    ordered: bool = True


ALL = Parts()


def differences(
    ours: JsonObject, theirs: JsonObject, parts: Parts = ALL
) -> Iterator[VerifyDifference]:
    """Yield the differences of two catalogs: resources, parameters, containment, order."""
    mine, other = rows_by_ref(ours), rows_by_ref(theirs)
    both = [ref for ref in mine if ref in other]
    if parts.complete:
        yield from one_sided(mine, other)
    for ref in both:
        yield from of_rows(ref, mine[ref], other[ref], parts)
    shared = set(both)
    order = order_of(both, [ref for ref in other if ref in shared])
    if order and parts.complete and parts.ordered:
        yield VerifyDifference("order of resources", *order)
    edges = [
        [f"{e['source']} > {e['target']}" for e in one["edges"] if {e["source"], e["target"]} <= of]
        for one, of in ((ours, shared), (theirs, shared))
    ]
    if not parts.complete:
        return
    if not parts.ordered:
        edges = [sorted(one) for one in edges]
    if edges[0] != edges[1]:
        yield VerifyDifference("containment", *apart(*edges))
    if ours["classes"] != theirs["classes"] and parts.ordered:
        yield VerifyDifference("classes", str(ours["classes"]), str(theirs["classes"]))


def rows_by_ref(document: JsonObject) -> dict[str, JsonObject]:
    """Return the resources of a catalog by their references."""
    return {f"{row['type']}[{row['title']}]": row for row in document["resources"]}


def one_sided(
    mine: dict[str, JsonObject], other: dict[str, JsonObject]
) -> Iterator[VerifyDifference]:
    """Yield the resources that only one of two catalogs has."""
    for ref, row in mine.items():
        if ref not in other:
            yield VerifyDifference(
                f"resource of ours only: {row['type']}", ref, "nothing", place(row)
            )
    for ref, row in other.items():
        if ref not in mine:
            yield VerifyDifference(
                f"resource of theirs only: {row['type']}", "nothing", ref, place(row)
            )


def of_rows(
    ref: str, mine: JsonObject, other: JsonObject, parts: Parts
) -> Iterator[VerifyDifference]:
    """Yield the differences of a resource."""
    for key in PLAIN:
        if (parts.places or key not in PLACES) and (mine.get(key) or None) != (
            other.get(key) or None
        ):
            one, two = (f"{ref} {key} {row.get(key)!r}" for row in (mine, other))
            yield VerifyDifference(f"resource: {key}", one, two, place(mine))
    if set(mine["tags"]) != set(other["tags"]):
        more, missing = apart(mine["tags"], other["tags"])
        if parts.complete or missing == "[]":
            yield VerifyDifference("tags", f"{ref} {more}", missing, place(mine))
    yield from of_parameters(ref, mine, other, parts)


def of_parameters(
    ref: str, mine: JsonObject, other: JsonObject, parts: Parts
) -> Iterator[VerifyDifference]:
    """Yield the parameters that differ; one that is Unknown may be undef, and so be none."""
    first, second = mine.get("parameters", {}), other.get("parameters", {})
    for name in dict.fromkeys([*first, *second]):
        one, two = first.get(name, NOTHING), second.get(name, NOTHING)
        known = parts.complete or NOTHING not in (one, two)
        if known and not same(one, two):
            kind = f"parameter: {mine['type']}{{{name}}}{how_apart(one, two)}"
            said = [f"{ref} {name} => {side.get(name, 'nothing')!r}" for side in (first, second)]
            yield VerifyDifference(kind, said[0], said[1], place(mine))
    orders = [name for name in first if name in second], [name for name in second if name in first]
    if orders[0] != orders[1] and parts.ordered:
        kind = f"order of parameters: {mine['type']}"
        yield VerifyDifference(kind, f"{ref} {orders[0]}", str(orders[1]), place(mine))


def how_apart(mine: object, other: object) -> str:
    """Return in words how two values differ, so that other values do so in the same way."""
    if mine is NOTHING or other is NOTHING:
        return " of theirs only" if mine is NOTHING else " of ours only"
    if type(mine) is not type(other):
        return f" {type(mine).__name__}, not {type(other).__name__}"
    return ""


def place(row: JsonObject) -> str:
    """Return the place of a resource, empty if it has none."""
    return f"{row.get('file') or ''}:{row['line']}" if row.get("line") else ""


def order_of(mine: list[str], other: list[str]) -> tuple[str, str] | None:
    """Return the first resources that are in another order, None if there are none."""
    for one, two in zip(mine, other, strict=True):
        if one != two:
            return f"{one} first", f"{two} first"
    return None


def apart(mine: list[str], other: list[str]) -> tuple[str, str]:
    """Return the items of only one of two lists; the lists if only their orders differ."""
    one = [item for item in mine if item not in other]
    two = [item for item in other if item not in mine]
    return (str(one), str(two)) if one or two else (str(mine), str(other))


def same(mine: Any, other: Any) -> bool:
    """Return whether two values are the same; an Unknown may be anything."""
    if isinstance(mine, Unknown):
        return True
    if isinstance(mine, list) and isinstance(other, list):
        return len(mine) == len(other) and all(map(same, mine, other))
    if isinstance(mine, dict) and isinstance(other, dict):
        return mine.keys() == other.keys() and all(same(mine[key], other[key]) for key in mine)
    return type(mine) is type(other) and bool(mine == other)
