"""Finds the part of a catalog that Puppet would not write, by its JSON path.

The reader calls it only for a catalog in which something is wrong.
"""

from __future__ import annotations

from typing import NoReturn

from analyzer.frontends.json_document import (
    MOST_NESTED,
    json_name,
    key_of,
    nesting,
    reject,
    text_of,
)

# The types of a resource's fields, besides null (Puppet::Resource#to_data_hash, and PuppetDB's
# wire format of catalogs).
FIELDS: dict[str, tuple[type, str]] = {
    "parameters": (dict, "an object"),
    "tags": (list, "a list"),
    "sensitive_parameters": (list, "a list"),
    "file": (str, "a string"),
    "line": (int, "a whole number"),
    "kind": (str, "a string"),
}


def refuse(place: str, wanted: str, value: object, path: str) -> NoReturn:
    """Raise the error for a value that is not what it should be."""
    reject(f"{place}: expected {wanted}, got {json_name(value)}", path)


def refuse_head(body: dict[str, object], names: tuple[str, ...], path: str) -> NoReturn:
    """Raise the error for one of the catalog's names, or for its classes."""
    for name in names:
        if isinstance(body.get(name), (dict, list)):
            refuse(name, "a string", body[name], path)
    if type(body["classes"]) is not list:
        refuse("classes", "a list", body["classes"], path)
    odd = next(i for i, name in enumerate(body["classes"]) if type(name) is not str)
    refuse(f"classes[{odd}]", "a string", body["classes"][odd], path)


def checked_row(row: object, index: int, path: str, warnings: list[str]) -> dict[str, object]:
    """Return a resource as the reader takes it: a title that is a number is made a text.

    As in Ruby, any value of `exported` other than false and null is true, with a warning.

    Raises:
        InputError: it is not what Puppet writes.
    """
    place = f"resources[{index}]"
    if type(row) is not dict:
        refuse(place, "an object", row, path)
    kind = named(row, place, "type", path)
    if type(kind) is not str:
        refuse(f"{place}.type", "a string", kind, path)
    if not kind:
        reject(f"{place}.type is empty", path)
    title = named(row, place, "title", path)
    if title is None or isinstance(title, (dict, list)):
        refuse(f"{place}.title", "a string", title, path)
    for name, (wanted, words) in FIELDS.items():
        value = row.get(name)
        if value is not None and type(value) is not wanted:
            refuse(f"{place}.{name}", words, value, path)
    for name in ("tags", "sensitive_parameters"):
        expect_texts(row.get(name) or [], f"{place}.{name}", path)
    for name, value in (row.get("parameters") or {}).items():
        if isinstance(value, (dict, list)) and nesting(value) > MOST_NESTED:
            reject(
                f"{place}.parameters{key_of(name)}: nested more than {MOST_NESTED} deep, "
                "which Puppet does not read",
                path,
            )
    return {**row, "title": text_of(title), "exported": truth(row, place, warnings)}


def truth(row: dict[str, object], place: str, warnings: list[str]) -> bool:
    """Return whether a resource is exported for Ruby, with a warning for an odd value."""
    exported = row.get("exported")
    if exported is not None and type(exported) is not bool:
        wanted = f"expected a boolean, got {json_name(exported)}"
        warnings.append(f"{place}.exported: {wanted}, which Puppet takes for true")
        return True
    return exported is True


def named(row: dict[str, object], place: str, name: str, path: str) -> object:
    """Return the fields that a resource must have."""
    if name not in row:
        reject(f"{place}: it has no '{name}'", path)
    return row[name]


def expect_texts(values: list[object], place: str, path: str) -> None:
    """Refuse a list in which something is no text."""
    for position, value in enumerate(values):
        if type(value) is not str:
            refuse(f"{place}[{position}]", "a string", value, path)


def checked_edge(edge: object, index: int, path: str) -> tuple[str, str, str]:
    """Return source, target and relationship of an edge that is not the usual one.

    PuppetDB's query rows are flat: `source_type`, `source_title`, ...

    Raises:
        InputError: it is not what Puppet or PuppetDB write.
    """
    place = f"edges[{index}]"
    if type(edge) is not dict:
        refuse(place, "an object", edge, path)
    label = edge.get("relationship", "contains")
    if type(label) is not str:
        refuse(f"{place}.relationship", "a string", label, path)
    return end_of(edge, place, "source", path), end_of(edge, place, "target", path), label


def end_of(edge: dict[str, object], place: str, end: str, path: str) -> str:
    """Return the reference of one end of an edge."""
    if end in edge:
        found = edge[end]
        if type(found) is str:
            return found
        if type(found) is not dict:
            refuse(f"{place}.{end}", "a string", found, path)
        names = (
            (f"{place}.{end}.type", found.get("type")),
            (f"{place}.{end}.title", found.get("title")),
        )
    elif f"{end}_type" in edge:
        kind, title = f"{end}_type", f"{end}_title"
        names = (f"{place}.{kind}", edge.get(kind)), (f"{place}.{title}", edge.get(title))
    else:
        reject(f"{place}: it has no '{end}'", path)
    for name, value in names:
        if value is None or isinstance(value, (dict, list)):
            refuse(name, "a string", value, path)
    return f"{text_of(names[0][1])}[{text_of(names[1][1])}]"
