"""The names of values in messages (Puppet's ModelLabelProvider)."""

from __future__ import annotations

from analyzer.frontends.puppet.types.mismatches.mismatch import article
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ResourceType

# By the name of a value's class; others are objects.
KINDS = {
    "Binary": "Binary",
    "NoneType": "Undef Value",
    "Regexp": "Regexp",
    "SemVer": "Semver",
    "SemVerRange": "SemverRange",
    "Sensitive": "Sensitive",
    "Timespan": "Timespan",
    "Timestamp": "Timestamp",
    "bool": "Boolean",
    "dict": "Hash",
    "float": "Float",
    "int": "Integer",
    "list": "Array",
    "str": "String",
}


def kind_of(value: object) -> str:
    """Return the name of a value's kind: its `label`, where it has one."""
    if isinstance(value, Type):
        titled = isinstance(value, ResourceType) and value.title is not None
        return f"{value} Resource-Reference" if titled else f"{value}-Type"
    return KINDS.get(type(value).__name__) or str(getattr(value, "label", "Object"))


def a_kind_of(value: object) -> str:
    """Return the name of a value's kind with its article."""
    word = kind_of(value)
    return f"{article(word)} {word}"
