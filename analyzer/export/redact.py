"""Prepares parameters for display: removes secrets and shortens long values."""

from __future__ import annotations

import json

from analyzer.model.secrets import is_secret
from analyzer.model.values import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.model.resource import Resource

HIDDEN = "[redacted]"
LONGEST = 600

# These are shown as edges.
RELATIONS = frozenset({"require", "subscribe", "before", "notify"})


def shown_parameters(resource: Resource) -> list[list[str]]:
    """Return `[name, text]` of a resource's parameters without relationships, sorted by name.

    Values that Puppet marks as Sensitive, and all whose names sound like secrets, are redacted.
    """
    sensitive = frozenset(resource.sensitive or ())
    return [
        [name, HIDDEN if name in sensitive or is_secret(name) else text_of(value)]
        for name, value in sorted(resource.parameters.items())
        if name not in RELATIONS
    ]


def visible_parameters(resource: Resource, names: Iterable[str]) -> dict[str, object]:
    """Return the wanted parameters that a resource has, as data without secrets."""
    sensitive = frozenset(resource.sensitive or ())
    return {
        name: HIDDEN
        if name in sensitive or is_secret(name)
        else data(cleaned(resource.parameters[name]))
        for name in names
        if resource.parameters.get(name) is not None
    }


def data(found: object) -> object:
    """Return a value as JSON; an unknown value is an object with the reason."""
    if isinstance(found, dict):
        return {str(key): data(one) for key, one in found.items()}
    if isinstance(found, list):
        return [data(one) for one in found]
    if isinstance(found, Unknown):
        return {"__unknown": found.reason}
    return found if isinstance(found, str | int | float | bool | None) else str(found)


def text_of(value: object) -> str:
    """Return a value as text: strings unchanged, other data as JSON; long texts are cut."""
    clean = cleaned(value)
    plain = str(clean) if isinstance(clean, str | Unknown) else None
    text = json.dumps(data(clean), ensure_ascii=False) if plain is None else plain
    if len(text) > LONGEST:
        return f"{text[:LONGEST]}... ({len(text):,} characters)"
    return text


def cleaned(value: object) -> object:
    """Return data without secrets: Sensitive values, and entries of hashes with such names."""
    if isinstance(value, list):
        return [cleaned(one) for one in value]
    if not isinstance(value, dict):
        return value
    rich = value.get("__ptype", value.get("__pcore_type__"))
    if rich == "Sensitive":
        return HIDDEN
    if rich == "Deferred":
        return f"Deferred({value.get('name')})"
    return {key: HIDDEN if is_secret(str(key)) else cleaned(one) for key, one in value.items()}
