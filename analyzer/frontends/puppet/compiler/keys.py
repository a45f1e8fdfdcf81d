"""What names a resource besides its title: title patterns and keys (Puppet::Resource)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.compiler.entry import Entry
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.regex import UnsupportedRegexp, compiled
from analyzer.frontends.puppet.ruby_types.ruby_type import WHOLE, RubyType
from analyzer.frontends.puppet.types.base import Type
from analyzer.model.values import Sensitive, Unknown

# What a resource is found by: its type, and its title or the values of its keys.
TableKey = tuple[Any, ...]


def parse_title(type: RubyType, title: str) -> dict[str, Any]:
    """Return the parameters that a title stands for, none where the type's patterns are not known.

    Raises:
        EvaluationError: no pattern is for such a title.
    """
    patterns = type.titles
    if patterns is None:
        return {}
    for pattern in patterns:
        if pattern.pattern == WHOLE:
            return {pattern.names[0]: title}
        try:
            match = compiled(pattern.pattern).search(title)
        except UnsupportedRegexp:
            return {}
        if match is not None:
            return dict(zip(pattern.names, match.groups(), strict=False))
    raise EvaluationError(f'No set of title patterns matched the title "{title}".')


def namevar(type: RubyType | None) -> str:
    """Return the parameter that a title stands for, `name` where a type has several keys."""
    return type.keys[0] if type is not None and len(type.keys) == 1 else "name"


def key_values(
    type: RubyType, title: str, parameters: dict[str, Any], name: Any
) -> list[Any] | None:
    """Return the values of a type's keys (uniqueness_key), None where they are not known.

    `name` is what a resource is called that has no name among them.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    if type.titles is None:
        return None
    given = {key: value for key, value in parameters.items() if value is not None}
    values = {**parse_title(type, title), **given}
    for key in (namevar(type), "name"):
        if values.get(key) in (None, False):
            values[key] = values.get(namevar(type)) or values.get("name") or name
    found = [values.get(key) for key in sorted(type.keys)]
    return None if any(map(is_vague, found)) else found


def is_vague(value: Any) -> bool:
    """Tell whether a value is not known, or is like no other one."""
    if isinstance(value, list):
        return any(map(is_vague, value))
    return isinstance(value, (Unknown, Sensitive, Type))


def key_of(entry: Entry, type: RubyType) -> list[Any] | None:
    """Return the key under which a resource is entered besides its title, None for none.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    if not type.isomorphic:
        return None
    name = entry.parameters.get("name") or entry.title
    values = key_values(type, entry.title, entry.parameters, name)
    if values is None or values == [entry.title]:
        return None
    return values if any(value not in (None, False) for value in values) else None


def table_key(kind: str, values: list[Any]) -> TableKey:
    """Return a key in which nested values are laid flat, and each can be looked up."""
    return (kind, *(one if isinstance(one, str) else (repr(one),) for one in flat(values)))


def flat(values: list[Any]) -> list[Any]:
    """Return nested lists laid flat."""
    found: list[Any] = []
    for value in values:
        found += flat(value) if isinstance(value, list) else [value]
    return found


def sought_key(kind: str, title: str, type: RubyType) -> TableKey | None:
    """Return the key that a reference's title stands for, None where it is the title itself.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    values = key_values(type, title, {}, f"{kind}/{title}")
    return None if values is None or values == [title] else table_key(kind, values)
