"""The other names of a resource: its aliases and its key (Catalog#create_resource_aliases)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import finish
from analyzer.frontends.puppet.compiler.declared import keys
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.compiler.declared.places import place_of_entry
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.values import flat

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler


def add_aliases(compiler: Compiler, entry: Entry, node: Node | None, unit: Unit | None) -> None:
    """Have a resource found by its aliases and by its key.

    Raises:
        EvaluationError: another one is found by them, or the title has not the form it should.
    """
    try:
        for name in finish.aliases_of(entry):
            add_alias(compiler, entry, (kind_of(entry), name), name, [name])
        type = compiler.known.ruby_type(entry.type) if entry.definition is None else None
        values = None if type is None else keys.key_of(entry, type)
        if values is not None:
            key = keys.table_key(kind_of(entry), values)
            add_alias(compiler, entry, key, values, flat(values))
    except EvaluationError as error:
        raise (error.at(unit, node) if unit and node else error) from None


def add_alias(
    compiler: Compiler, entry: Entry, key: keys.TableKey, name: Any, parts: list[Any]
) -> None:
    """Have a resource found by a key.

    Raises:
        EvaluationError: another one is found by it.
    """
    found = compiler.entry_at(key)
    if found is not None and found is not entry:
        raise EvaluationError(cannot_alias(entry, name, parts, found))
    compiler.aliases[key] = entry


def kind_of(entry: Entry) -> str:
    """Return the type under which other names are kept: all before the last bracket of the ref.

    Of a title with brackets they are not found (Catalog#alias).
    """
    return entry.ref.rpartition("[")[0]


def duplicate(entry: Entry, known: Entry) -> str:
    """Return what is said of a second declaration."""
    place = f" at {place_of_entry(known)}" if known.line else ""
    return f"Duplicate declaration: {entry.ref} is already declared{place}; cannot redeclare"


def cannot_alias(entry: Entry, name: Any, parts: list[Any], known: Entry) -> str:
    """Return what is said of a second resource for the same thing."""
    # What another node exported has no place here.
    place = f" at {place_of_entry(entry)}" if entry.line else ""
    other = f" {place_of_entry(known)}" if known.line else ""
    return (
        f"Cannot alias {entry.ref} to {inspect(name)}{place}; "
        f"resource {inspect([kind_of(entry), *parts])} already declared{other}"
    )
