"""The built-in names: of types, aliases, objects and resources."""

from __future__ import annotations

from typing import Final

from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, TypeReferenceType
from analyzer.frontends.puppet.types.model.base import (
    ANY,
    DEFAULT_TYPE,
    SCALAR,
    SCALAR_DATA,
    UNDEF,
    Type,
)
from analyzer.frontends.puppet.types.model.callables import CALLABLE, CallableType
from analyzer.frontends.puppet.types.model.catalog import (
    CATALOG_ENTRY,
    CLASS,
    RESOURCE,
    RUNTIME,
    ResourceType,
)
from analyzer.frontends.puppet.types.model.collections import (
    ARRAY,
    COLLECTION,
    HASH,
    STRUCT,
    TUPLE,
    ArrayType,
    HashType,
    TupleType,
    exactly,
)
from analyzer.frontends.puppet.types.model.numbers import BOOLEAN, FLOAT, INTEGER, NUMERIC
from analyzer.frontends.puppet.types.model.objects import (
    INIT,
    OBJECT,
    TYPE_SET,
    Member,
    ObjectType,
    optional_attribute,
)
from analyzer.frontends.puppet.types.model.rich_data import (
    BINARY,
    SEMVER,
    SEMVER_RANGE,
    TIMESPAN,
    TIMESTAMP,
    URI,
)
from analyzer.frontends.puppet.types.model.strings import (
    ENUM,
    NON_EMPTY_STRING,
    PATTERN,
    REGEXP,
    STRING,
    PatternType,
)
from analyzer.frontends.puppet.types.model.wrappers import (
    ITERABLE,
    ITERATOR,
    NOT_UNDEF,
    OPTIONAL,
    SENSITIVE,
    TYPE,
    VARIANT,
    OptionalType,
    TypeType,
    VariantType,
)

DATA: Final = TypeAliasType("Data")
RICH_DATA_KEY: Final = TypeAliasType("RichDataKey")
RICH_DATA: Final = TypeAliasType("RichData")
LOOKUP_KEY: Final = TypeAliasType("Puppet::LookupKey")
LOOKUP_VALUE: Final = TypeAliasType("Puppet::LookupValue")
ALIASES: Final = (DATA, RICH_DATA_KEY, RICH_DATA, LOOKUP_KEY, LOOKUP_VALUE)
ALIAS_NAMES: Final = frozenset(alias.alias_name for alias in ALIASES)

RICH_DATA_KEY.stand_for(VariantType((STRING, NUMERIC)))
DATA.stand_for(VariantType((SCALAR_DATA, UNDEF, HashType(STRING, DATA), ArrayType(DATA))))
RICH_DATA.stand_for(
    VariantType(
        (
            *(SCALAR, SEMVER_RANGE, BINARY, SENSITIVE, TYPE, TYPE_SET, URI, OBJECT, UNDEF),
            *(DEFAULT_TYPE, HashType(RICH_DATA_KEY, RICH_DATA), ArrayType(RICH_DATA)),
        )
    )
)
LOOKUP_KEY.stand_for(RICH_DATA_KEY)
LOOKUP_VALUE.stand_for(RICH_DATA)


def _of_error(name: str) -> Member:
    """Return a type parameter of Error: what an attribute must match."""
    kinds = (ENUM, PATTERN, NOT_UNDEF, UNDEF)
    choice = VariantType((STRING, REGEXP, *(TypeType(each) for each in kinds)))
    return Member(name, OptionalType(choice), feature="type_parameter")


ERROR: Final = ObjectType(
    "Error",
    None,
    (
        Member("msg", NON_EMPTY_STRING),
        optional_attribute("kind", NON_EMPTY_STRING),
        optional_attribute("details", HashType(NON_EMPTY_STRING, DATA)),
        optional_attribute("issue_code", NON_EMPTY_STRING),
    ),
    (
        Member(
            "message",
            CallableType(TupleType((), exactly(0)), None, NON_EMPTY_STRING),
            feature="function",
        ),
    ),
    (_of_error("kind"), _of_error("issue_code")),
)
DEFERRED: Final = ObjectType(
    "Deferred",
    None,
    (
        Member("name", PatternType((r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z",))),
        optional_attribute("arguments", ArrayType(ANY)),
    ),
)
ANNOTATION: Final = ObjectType("Annotation")
PCORE: Final = ObjectType("Pcore")
LOOKUP_CONTEXT: Final = ObjectType("Puppet::LookupContext")
OBJECTS: Final = {
    "Annotation": ANNOTATION,
    "Error": ERROR,
    "Deferred": DEFERRED,
    "Pcore": PCORE,
    "Puppet::LookupContext": LOOKUP_CONTEXT,
}

# Names are found in any case.
TYPES: Final[dict[str, Type]] = {
    "any": ANY,
    "array": ARRAY,
    "binary": BINARY,
    "boolean": BOOLEAN,
    "callable": CALLABLE,
    "catalogentry": CATALOG_ENTRY,
    "class": CLASS,
    "collection": COLLECTION,
    "default": DEFAULT_TYPE,
    "enum": ENUM,
    "float": FLOAT,
    "hash": HASH,
    "init": INIT,
    "integer": INTEGER,
    "iterable": ITERABLE,
    "iterator": ITERATOR,
    "notundef": NOT_UNDEF,
    "numeric": NUMERIC,
    "object": OBJECT,
    "optional": OPTIONAL,
    "pattern": PATTERN,
    "regexp": REGEXP,
    "resource": RESOURCE,
    "runtime": RUNTIME,
    "scalar": SCALAR,
    "scalardata": SCALAR_DATA,
    "semver": SEMVER,
    "semverrange": SEMVER_RANGE,
    "sensitive": SENSITIVE,
    "string": STRING,
    "struct": STRUCT,
    "timespan": TIMESPAN,
    "timestamp": TIMESTAMP,
    "tuple": TUPLE,
    "type": TYPE,
    "typealias": TypeAliasType("UnresolvedAlias").stand_for(TypeReferenceType()),
    "typereference": TypeReferenceType(),
    "typeset": TYPE_SET,
    "undef": UNDEF,
    "uri": URI,
    "variant": VARIANT,
}
RESOURCES: Final = {
    name.lower(): ResourceType(name)
    for name in (
        *("Component", "Exec", "File", "Filebucket", "Group", "Node", "Notify", "Package"),
        *("Resources", "Schedule", "Service", "Stage", "Tidy", "User", "Whit"),
    )
}
MEMBER_NAME = PatternType((r"\A[a-z_]\w*\z",))
_TYPE_NAME = PatternType((r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z",))
PCORE_ALIASES: Final = {
    name: TypeAliasType(name).stand_for(target)
    for name, target in {
        "Pcore::MemberName": MEMBER_NAME,
        "Pcore::SimpleTypeName": PatternType((r"\A[A-Z]\w*\z",)),
        "Pcore::TypeName": _TYPE_NAME,
        "Pcore::QRef": _TYPE_NAME,
    }.items()
}
# Names that are looked up after the types, before those that modules define.
DEFINED: Final[dict[str, Type]] = {
    **{alias.alias_name.lower(): alias for alias in ALIASES},
    **{name.lower(): found for name, found in (OBJECTS | PCORE_ALIASES).items()},
    **RESOURCES,
}
