"""Types of the Resource API: one call with a hash (Puppet::ResourceApi.register_type)."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.ruby_types.declarations import (
    KINDS,
    DeclaredRelation,
    TypeDeclarations,
)
from analyzer.frontends.puppet.ruby_types.ruby_type import WHOLE, TitlePattern
from analyzer.frontends.puppet.ruby_types.tokens import Regex
from analyzer.frontends.puppet.ruby_types.values import Opaque

# Attributes of these behaviours are parameters, all others are properties.
_PARAMETERS = frozenset({"namevar", "parameter", "read_only"})
_GROUP = re.compile(r"\(\?<([A-Za-z_]\w*)>")


def register_type(types: dict[str, TypeDeclarations], arguments: list[object]) -> object:
    """`Puppet::ResourceApi.register_type`."""
    definition = arguments[0] if len(arguments) == 1 else None
    name = definition.get("name") if isinstance(definition, dict) else None
    if not isinstance(definition, dict) or not isinstance(name, str):
        return Opaque("a type")
    type = types[name] = TypeDeclarations(name)
    # Its providers are not those that `provider` chooses.
    type.provides = False
    attributes = definition.get("attributes")
    if not isinstance(attributes, dict):
        type.doubt("the attributes are not known")
        return type
    for key, options in attributes.items():
        declare(type, key, options)
    for kind in KINDS:
        relate(type, kind, definition.get(kind))
    triggers(type, definition.get("features"), attributes)
    type.titles = titles_of(type, definition)
    if type.titles is None:
        type.doubt_keys("the title patterns are not known")
    return type


def relate(type: TypeDeclarations, kind: str, rows: object) -> None:
    """Record the automatic relationships of a type."""
    if rows is None:
        return
    if not isinstance(rows, dict) or not all(isinstance(target, str) for target in rows):
        type.relates = f"{kind} is computed"
        return
    for target, names in rows.items():
        key = kind, target.lower()
        type.relations[key] = DeclaredRelation(*key, names if isinstance(names, list) else [names])


def declare(type: TypeDeclarations, name: object, options: object) -> None:
    """Declare one attribute."""
    if not isinstance(name, str):
        type.doubt("an attribute's name is not known")
        return
    behaviour: object = Opaque("the options")
    if isinstance(options, dict):
        behaviour = options.get("behaviour", options.get("behavior"))
    if isinstance(behaviour, Opaque):
        type.doubt_keys(f"it is unknown whether {name} is a namevar")
    if behaviour in _PARAMETERS:
        type.parameters[name] = None
    else:
        type.properties[name] = None
    if behaviour == "namevar":
        type.keys[name] = None


def triggers(type: TypeDeclarations, features: object, attributes: dict[object, object]) -> None:
    """Declare the hidden property of a type that compares in its own way and has no properties."""
    custom = isinstance(features, list) and "custom_insync" in features
    plain = [o for o in attributes.values() if isinstance(o, dict) and not is_special(o)]
    if custom and not plain:
        type.properties["rsapi_custom_insync_trigger"] = None


def is_special(options: dict[object, object]) -> bool:
    """Return whether an attribute has a behaviour."""
    return bool(options.keys() & {"behaviour", "behavior"})


def titles_of(
    type: TypeDeclarations, definition: dict[object, object]
) -> tuple[TitlePattern, ...] | None:
    """Return the title patterns: the groups are named as the attributes."""
    rows = definition.get("title_patterns")
    if "title_patterns" not in definition:
        first = next(iter(type.keys), None)
        return (TitlePattern(WHOLE, (first,)),) if first else ()
    found = []
    for row in rows if isinstance(rows, list) else [None]:
        pattern = row.get("pattern") if isinstance(row, dict) else None
        if not isinstance(pattern, Regex):
            return None
        found.append(TitlePattern(str(pattern), tuple(_GROUP.findall(pattern.source))))
    return tuple(found)
