"""The other names of a resource: its aliases and its key (Catalog#create_resource_aliases)."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.puppet.compiler.declared import keys
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.compiler.declared.places import place_of_entry
from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType
from analyzer.model.values import Value, flat


def names_of(
    entry: Entry, type: RubyType | None
) -> Iterator[tuple[keys.TableKey, Value, list[Value]]]:
    """Yield the other names of a resource: the key to enter it under, its value and its parts.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    alias = entry.parameters.get("alias")
    for one in alias if isinstance(alias, list) else [alias]:
        if isinstance(one, str) and one != entry.title:
            yield (kind_of(entry), one), one, [one]
    values = None if type is None else keys.key_of(entry, type)
    if values is not None:
        yield keys.table_key(kind_of(entry), values), values, flat(values)


def kind_of(entry: Entry) -> str:
    """Return the type under which other names are kept: all before the last bracket of the ref.

    Of a title with brackets they are not found (Catalog#alias).
    """
    return entry.ref.rpartition("[")[0]


def duplicate(entry: Entry, known: Entry) -> str:
    """Return the message for a second declaration."""
    place = f" at {place_of_entry(known)}" if known.line else ""
    return f"Duplicate declaration: {entry.ref} is already declared{place}; cannot redeclare"


def cannot_alias(entry: Entry, name: Value, parts: list[Value], known: Entry) -> str:
    """Return the message for a second resource with the same name."""
    # A resource of another node has no place here.
    place = f" at {place_of_entry(entry)}" if entry.line else ""
    other = f" {place_of_entry(known)}" if known.line else ""
    return (
        f"Cannot alias {entry.ref} to {inspect(name)}{place}; "
        f"resource {inspect([kind_of(entry), *parts])} already declared{other}"
    )
