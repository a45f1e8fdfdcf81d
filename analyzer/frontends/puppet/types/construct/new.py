"""`Type.new`: a value of a type, made of others (Puppet's function `new`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.construct import numbers as new_numbers
from analyzer.frontends.puppet.types.construct import values as new_values
from analyzer.frontends.puppet.types.construct.constructor import Constructor
from analyzer.frontends.puppet.types.construct.objects import object_constructor
from analyzer.frontends.puppet.types.generalize import generalize
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance
from analyzer.frontends.puppet.types.model.aliases import resolved
from analyzer.frontends.puppet.types.model.base import Type, UnitType
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.numbers import (
    BooleanType,
    FloatType,
    IntegerType,
    NumericType,
)
from analyzer.frontends.puppet.types.model.objects import (
    InitType,
    ObjectType,
    ParameterizedObject,
)
from analyzer.frontends.puppet.types.model.rich_data import (
    BinaryType,
    SemVerRangeType,
    SemVerType,
    TimespanType,
    TimestampType,
    URIType,
)
from analyzer.frontends.puppet.types.model.strings import RegexpType, StringType
from analyzer.frontends.puppet.types.model.wrappers import (
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    union,
)
from analyzer.frontends.puppet.types.problems import ConversionProblem
from analyzer.model.values import Value

_CONSTRUCTORS: dict[type[Type], Callable[[], Constructor]] = {
    NumericType: new_numbers.numeric,
    IntegerType: new_numbers.integer,
    FloatType: new_numbers.floating,
    BooleanType: new_numbers.boolean,
    StringType: new_values.string,
    RegexpType: new_values.regexp,
    ArrayType: new_values.array,
    TupleType: new_values.array,
    HashType: new_values.hash_,
    StructType: new_values.hash_,
    SensitiveType: new_values.sensitive,
    BinaryType: new_values.binary,
    URIType: new_values.uri,
    SemVerType: new_values.semver,
    SemVerRangeType: new_values.semver_range,
    TimespanType: new_values.timespan,
    TimestampType: new_values.timestamp,
    TypeType: new_values.type_,
    UnitType: new_values.unit,
}


def new_instance(wanted: Type, arguments: Sequence[object]) -> Value:
    """Return a value of the type, made of the arguments; a single value of it already is itself.

    Raises:
        TypeProblem: there is none.
    """
    if len(arguments) == 1 and not isinstance(wanted, InitType) and instance(wanted, arguments[0]):
        return arguments[0]
    made = _make(wanted, list(arguments))
    return assert_instance(f"Converted value from {wanted}.new()", wanted, made)


def _make(wanted: Type, arguments: list[object]) -> Value:
    found = resolved(wanted)
    if isinstance(found, InitType) and found.type is not None:
        return _init(found, arguments)
    return constructor_of(wanted)(arguments)


def constructor_of(wanted: Type) -> Constructor:
    """Return the `new` of a type.

    Raises:
        ConversionProblem: it has none.
    """
    found = resolved(wanted)
    while isinstance(found, OptionalType | NotUndefType) and found.type is not None:
        found = resolved(found.type)
    if isinstance(found, NotUndefType):
        return _constructor("Unit")
    if isinstance(found, ParameterizedObject):
        found = found.base
    if isinstance(found, ObjectType) and found.object_name:
        return object_constructor(found)
    if type(found) not in _CONSTRUCTORS:
        raise ConversionProblem(f"Creation of new instance of type '{found}' is not supported")
    return _constructor(found.simple_name)


@cache
def _constructor(name: str) -> Constructor:
    return next(make() for kind, make in _CONSTRUCTORS.items() if kind.simple_name == name)


def accepted_types(wanted: InitType) -> tuple[Type, list[TupleType]]:
    """Return the types that an Init accepts: of a single value, and of lists of arguments.

    Raises:
        ConversionProblem: its type has no `new`, or not with these arguments.
    """
    inner = wanted.type
    assert inner is not None
    if isinstance(inner, InitType | OptionalType | NotUndefType):
        raise _unsupported(inner)
    try:
        tuples = [overload.signature.params for overload in constructor_of(inner).overloads]
    except ConversionProblem:
        raise _unsupported(inner) from None
    if not wanted.arguments:
        single = [each for each in tuples if each.sizes.limits == (1, 1)]
        others = [each for each in tuples if each.sizes.limits != (1, 1)]
        return union([inner, *(each.types[0] for each in single)]), others
    given = tuple(map(infer_set, wanted.arguments))
    fitting = [each for each in tuples if _takes(each, given)]
    if not fitting:
        raise ConversionProblem(
            f"The type '{wanted}' does not represent a valid set of parameters for "
            f"{generalize(inner).name}.new()"
        )
    return union([inner, *(each.types[0] for each in fitting)]), []


def _takes(params: TupleType, given: tuple[Type, ...]) -> bool:
    count = 1 + len(given)
    low, high = params.sizes.limits
    return low <= count <= high and assignable(params, TupleType((params.types[0], *given)))


def _unsupported(found: Type) -> ConversionProblem:
    return ConversionProblem(f"Creation of new instance of type '{found}' is not supported")


def _init(wanted: InitType, arguments: list[object]) -> Value:
    inner = wanted.type
    assert inner is not None
    single, others = accepted_types(wanted)
    if len(arguments) != 1:
        count = "none" if not arguments else len(arguments)
        raise ConversionProblem(f"'new_Init' expects 1 argument, got {count}")
    value = arguments[0]
    if wanted.arguments:
        return new_instance(inner, [value, *wanted.arguments])
    if not isinstance(value, list):
        return new_instance(inner, [value])
    lists = union(others) if others else None
    whole = instance(single, value) or (
        lists is not None
        and not instance(lists, value)
        and any(each.sizes.low == 1 for each in others)
        and instance(lists, [value])
    )
    return new_instance(inner, [value] if whole else value)
