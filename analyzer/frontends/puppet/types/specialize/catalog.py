"""Brackets behind Class and the types of resources."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of
from analyzer.frontends.puppet.types.mismatches.mismatch import article
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import (
    ClassType,
    ResourceType,
    capitalize_segments,
)
from analyzer.frontends.puppet.types.parsing import make
from analyzer.frontends.puppet.types.problems import AccessProblem
from analyzer.frontends.puppet.types.specialize.problems import arity_problem, capital, key_name
from analyzer.model.values import Value, flat

_NAME = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*\Z", re.ASCII)


def resource_access(base: ResourceType, keys: list[object]) -> Value:
    """Return the resources of titles: one, or a list of several."""
    if not keys:
        raise arity_problem(str(base), 1, -1, keys)
    name: Value = base.type_name
    if name is None:
        name, *keys = keys
        name = capitalize_segments(name) if isinstance(name, str) else name
    if isinstance(name, ResourceType):
        name = name.type_name
    if not isinstance(name, str):
        raise AccessProblem(
            "ILLEGAL_RESOURCE_SPECIALIZATION",
            f"First argument to Resource[] must be a resource type or a String. "
            f"Got {key_name(name)}.",
            0,
        )
    if not make.CLASS_REFERENCE.match(name):
        raise AccessProblem(
            "ILLEGAL_CLASSREF",
            f"Illegal type reference. The given name '{name}' does not conform to the naming rule",
            0,
        )
    if len(keys) == 1 and type(keys[0]) is str:
        return ResourceType(name, keys[0])
    several = len(keys) > 1 or (bool(keys) and isinstance(keys[0], list))
    titles = [key for key in flat(keys) if key is not None]
    if not titles and keys:
        raise _empty()
    for index, title in enumerate(titles):
        if not isinstance(title, str):
            raise AccessProblem(
                "BAD_TYPE_SPECIALIZATION",
                f"Error creating type specialization of {_label_of_resource(base)}, Cannot use "
                f"{key_name(title)} where a resource title String is expected",
                index,
            )
    made = [ResourceType(name, title) for title in titles] or [ResourceType(name)]
    return made if several else made[-1]


def _label_of_resource(base: ResourceType) -> str:
    shown = f"{base}-Type"
    return f"{article(shown)} {shown}"


def is_empty(base: Type, keys: list[object]) -> bool:
    """Return whether the titles are all undef."""
    generic = isinstance(base, ResourceType) and base.type_name is None
    titles = keys[1:] if generic else keys
    return bool(titles) and all(key is None for key in flat(titles))


def _empty() -> AccessProblem:
    return AccessProblem(
        "EMPTY_RESOURCE_SPECIALIZATION",
        "Arguments to Resource[] are all empty/undefined",
        0,
    )


def class_access(base: ClassType, keys: list[object]) -> Value:
    """Return the classes of names: one, or a list of several."""
    if not keys:
        raise arity_problem(str(base), 1, -1, keys)
    several = len(keys) > 1 or isinstance(keys[0], list)
    names = [key for key in flat(keys) if key is not None]
    if not names:
        raise _empty()
    made = [ClassType(_class_name(name, index)) for index, name in enumerate(names)]
    return made if several else made[-1]


def _class_name(name: object, index: int) -> str:
    if not isinstance(name, str):
        raise AccessProblem(
            "ILLEGAL_HOSTCLASS_NAME",
            f"Illegal Class name in class reference. {capital(a_kind_of(name))} cannot be "
            "used where a String is expected",
            index,
        )
    low = name.lower().removeprefix("::")
    if not _NAME.match(low):
        raise AccessProblem(
            "ILLEGAL_NAME",
            f"Illegal name. The given name '{name}' does not conform to the naming rule "
            "/^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/",
            index,
        )
    return low
