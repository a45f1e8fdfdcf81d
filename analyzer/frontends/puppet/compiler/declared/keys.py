"""Title patterns and keys, by which a resource is found besides its title (Puppet::Resource)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.regex.translate import UnsupportedRegexp, compiled
from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Value, flat

# What a resource is found by: its type, and its title or the values of its keys.
TableKey = tuple[Any, ...]


def parse_title(type: RubyType, title: str) -> dict[str, Value]:
    """Return the parameters that a title stands for, none where the type's patterns are not known.

    Raises:
        EvaluationError: no pattern is for such a title.
    """
    if type.sole_key:
        return {type.sole_key: title}
    if type.titles is None:
        return {}
    for pattern in type.titles:
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
    type: RubyType, title: str, parameters: dict[str, Value], name: Value
) -> list[Value] | None:
    """Return the values of a type's keys (uniqueness_key), None where they are not known.

    `name` is what a resource is called that has no name among them.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    if type.titles is None:
        return None
    titled = parse_title(type, title)
    found = [given(parameters, titled, key) for key in type.sorted_keys]
    if len(found) == 1:
        found = [first(found[0], given(parameters, titled, "name"), name)]
    elif "name" in type.keys:
        place = type.sorted_keys.index("name")
        found[place] = first(found[place], name)
    return None if any(map(is_vague, found)) else found


def given(parameters: dict[str, Value], titled: dict[str, Value], key: str) -> Value:
    """Return the value of a parameter, or else the one that the title has for it."""
    value = parameters.get(key)
    return titled.get(key) if value is None else value


def first(*values: Value) -> Value:
    """Return the first value that is neither undef nor false, None for none."""
    return next((one for one in values if one is not None and one is not False), None)


def is_vague(value: Value) -> bool:
    """Return whether a value is not known, or is like no other one."""
    if type(value) is str:
        return False
    if isinstance(value, list):
        return any(map(is_vague, value))
    return isinstance(value, (ResourceType, ClassType)) or find_unknown((value,)) is not None


def is_title(entry: Entry, type: RubyType) -> bool:
    """Return whether the key of a resource is its title, as nearly always.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    if len(type.keys) != 1 or not type.isomorphic or type.titles is None:
        return False
    key, parameters = type.keys[0], entry.parameters
    if parameters.get(key) is not None or parameters.get("name") is not None:
        return False
    return type.sole_key != "" or parse_title(type, entry.title).get(key) == entry.title


def key_of(entry: Entry, type: RubyType) -> list[Value] | None:
    """Return the key under which a resource is entered besides its title, None for none.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    if not type.isomorphic:
        return None
    if type.sole_key and entry.parameters.get(type.sole_key) is None:
        return None
    name = first(entry.parameters.get("name"), entry.title)
    values = key_values(type, entry.title, entry.parameters, name)
    if values is None or values == [entry.title]:
        return None
    return None if first(*values) is None else values


def table_key(kind: str, values: list[Value]) -> TableKey:
    """Return a key in which nested values are laid flat, and each can be looked up."""
    return (kind, *(one if isinstance(one, str) else (repr(one),) for one in flat(values)))


def sought_key(kind: str, title: str, type: RubyType) -> TableKey | None:
    """Return the key that a reference's title stands for, None where it is the title itself.

    Raises:
        EvaluationError: the title has not the form that the type asks for.
    """
    values = key_values(type, title, {}, f"{kind}/{title}")
    return None if values is None or values == [title] else table_key(kind, values)
