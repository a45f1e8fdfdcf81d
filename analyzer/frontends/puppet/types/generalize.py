"""Types without limits of size, range or value (Puppet's `generalize`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.types.model.aliases import TypeAliasType
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.collections import (
    ARRAY,
    COLLECTION,
    EMPTY_HASH,
    HASH,
    ArrayType,
    CollectionType,
    HashType,
)
from analyzer.frontends.puppet.types.model.numbers import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    BooleanType,
    FloatType,
    IntegerType,
)
from analyzer.frontends.puppet.types.model.objects import ParameterizedObject
from analyzer.frontends.puppet.types.model.rich_data import (
    TIMESPAN,
    TIMESTAMP,
    URI,
    TimespanType,
    TimestampType,
    URIType,
)
from analyzer.frontends.puppet.types.model.strings import STRING, EnumType, StringType
from analyzer.frontends.puppet.types.model.wrappers import SensitiveType


def generalize(found: Type) -> Type:
    """Return the type without limits; itself if it has none."""
    known = _GENERALIZE.get(type(found))
    return found.map(generalize) if known is None else known(found)


def sensitive_of(found: Type | None) -> SensitiveType:
    """Return the Sensitive of a type, which Puppet keeps without limits."""
    return SensitiveType(ANY if found is None else generalize(found))


def _array(found: ArrayType) -> Type:
    if found.element == ANY:
        return ARRAY
    changed = generalize(found.element)
    return found if found.size is None and changed is found.element else ArrayType(changed)


def _hash(found: HashType) -> Type:
    if found in (HASH, EMPTY_HASH):
        return found
    key, value = generalize(found.key), generalize(found.value)
    same = found.size is None and key is found.key and value is found.value
    return found if same else HashType(key, value)


def _enum(found: EnumType) -> Type:
    if not found.values:
        return STRING
    lengths = [len(value) for value in found.values]
    return StringType(IntegerType(min(lengths), max(lengths)))


_GENERALIZE: dict[type[Type], Callable[[Any], Type]] = {
    ArrayType: _array,
    BooleanType: lambda found: BOOLEAN,
    CollectionType: lambda found: COLLECTION,
    EnumType: _enum,
    FloatType: lambda found: FLOAT,
    HashType: _hash,
    IntegerType: lambda found: INTEGER,
    ParameterizedObject: lambda found: found.base,
    StringType: lambda found: STRING,
    TimespanType: lambda found: TIMESPAN,
    TimestampType: lambda found: TIMESTAMP,
    # Only the meaning of an alias could be changed: it stays as it is.
    TypeAliasType: lambda found: found,
    URIType: lambda found: URI,
}
