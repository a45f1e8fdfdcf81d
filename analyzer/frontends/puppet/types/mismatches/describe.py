"""Explains why a type is not assignable to another, in Puppet's words (TypeMismatchDescriber)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.generalize import generalize
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.mismatches.mismatch import (
    BLOCK,
    RETURN,
    CountMismatch,
    ExtraneousKey,
    InvalidParameter,
    Mismatch,
    MissingBlock,
    MissingKey,
    MissingParameter,
    Path,
    SizeMismatch,
    TypeMismatch,
    UnexpectedBlock,
    UnresolvedType,
    pattern_mismatch,
    type_mismatch,
)
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, unresolved
from analyzer.frontends.puppet.types.model.base import ANY, UNDEF, Type, UndefType
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
    exactly,
)
from analyzer.frontends.puppet.types.model.numbers import ANY_SIZE, IntegerType
from analyzer.frontends.puppet.types.model.strings import EnumType, PatternType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType, VariantType
from analyzer.frontends.puppet.types.normalize import normalize
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.values import Deferred

Found = list[Mismatch]
Kind = TypeVar("Kind", bound=Mismatch)


def describe_mismatch(subject: str, expected: Type, actual: Type) -> str:
    """Return the message about a type where another is expected; empty if it fits."""
    found = describe(expected, actual, (("subject", subject),))
    if len(found) == 1:
        return found[0].text().strip()
    return "\n ".join(each.text() for each in found)


def _not_said(value: Deferred) -> Type | None:
    return None


def describe_parameters(
    subject: str,
    params: StructType,
    given: Mapping[str, object],
    returns: Callable[[Deferred], Type | None] = _not_said,
) -> str:
    """Return the message about named arguments; empty if they fit.

    Of a Deferred value, `returns` says the type that its function returns, None if it does not.
    """
    known = params.by_name()
    found: Found = [InvalidParameter((), name) for name in given if name not in known]
    for each in params.elements:
        if each.name not in given:
            if not isinstance(each.key, OptionalType):
                found.append(MissingParameter((), each.name))
            continue
        value = given[each.name]
        path = (("parameter", each.name),)
        if isinstance(value, Deferred):
            actual = returns(value)
            if actual and not assignable(generalize(each.value), generalize(actual)):
                found += describe(each.value, actual, path)
        elif not is_instance(each.value, value):
            found += describe(each.value, infer_set(value), path)
    return _joined(subject, found)


def _joined(subject: str, found: Found) -> str:
    if len(found) > 1:
        return f"{subject}:\n " + "\n ".join(each.text() for each in found)
    return f"{subject}:{found[0].text()}" if found else ""


def describe(expected: Type, actual: Type, path: Path) -> Found:
    """Return the mismatches of a type where another is expected."""
    missing = unresolved(expected)
    if missing is not None:
        return [UnresolvedType(path, missing)]
    return _describe(normalize(expected), expected, actual, path)


def _describe(expected: Type, original: Type, actual: Type, path: Path) -> Found:
    known = _DESCRIBE.get(type(expected))
    if known is not None:
        return known(expected, original, actual, path)
    return [] if assignable(expected, actual) else [type_mismatch(path, original, actual)]


def _variant(expected: VariantType, original: Type, actual: Type, path: Path) -> Found:
    types: tuple[Type, ...] = expected.types
    if isinstance(original, OptionalType):
        types = (UNDEF, *types)
    found = []
    for index, each in enumerate(types):
        one = describe(each, actual, (*path, ("variant", index)))
        if not one:
            return []
        found.append(one)
    merged = merge(len(path), SizeMismatch, found)
    if isinstance(original, TypeAliasType) and len(merged) == 1:
        return [type_mismatch(path, original, actual)]
    return merged


def merge(position: int, size_kind: type[SizeMismatch], found: Sequence[Found]) -> Found:
    """Return the mismatches of several choices: one if all say the same of the same place."""
    every = list(chain.from_iterable(found))
    for kind in (size_kind, MissingBlock, UnexpectedBlock, TypeMismatch):
        alike = [each for each in every if isinstance(each, kind)]
        if len(alike) != len(found) or any(x.place != alike[0].place for x in alike):
            continue
        if alike:
            every = [_together(alike)]
            break
    distinct: Found = []
    for each in every:
        if not any(each.same(other) for other in distinct):
            distinct.append(each)
    return [distinct[0].without(position)] if len(distinct) == 1 else distinct


def _together(alike: Sequence[Mismatch]) -> Mismatch:
    whole = alike[0]
    for each in alike[1:]:
        whole = whole.merge(each)
    return whole


def _optional(expected: OptionalType, original: Type, actual: Type, path: Path) -> Found:
    if isinstance(actual, UndefType) or expected.type is None:
        return []
    kept = original if isinstance(original, TypeAliasType) else expected
    return _describe(expected.type, kept, actual, path)


def _pattern(expected: Type, original: Type, actual: Type, path: Path) -> Found:
    return [pattern_mismatch(path, original, actual)]


def _alias(expected: TypeAliasType, original: Type, actual: Type, path: Path) -> Found:
    return _describe(normalize(expected.resolved), expected, actual, path)


def _array(expected: ArrayType, original: Type, actual: Type, path: Path) -> Found:
    if not isinstance(actual, TupleType | ArrayType):
        return [type_mismatch(path, original, actual)]
    count = len(actual.types) if isinstance(actual, TupleType) else 0
    size = actual.size or (exactly(count) if isinstance(actual, TupleType) else ANY_SIZE)
    if not assignable(expected.sizes, size):
        return [SizeMismatch(path, expected.sizes, size)]
    if isinstance(actual, ArrayType):
        return [type_mismatch(path, original, ArrayType(actual.element))]
    found: Found = []
    for index, each in enumerate(actual.types):
        if not assignable(expected.element, each):
            found += describe(expected.element, each, (*path, ("index", index)))
    return found


def _hash(expected: HashType, original: Type, actual: Type, path: Path) -> Found:
    if isinstance(actual, HashType):
        return _other_hash(expected.sizes, original, actual, path)
    if not isinstance(actual, StructType):
        return [type_mismatch(path, original, actual)]
    size = IntegerType(sum(each.required for each in actual.elements), len(actual.elements))
    if not assignable(expected.sizes, size):
        return [SizeMismatch(path, expected.sizes, size)]
    found: Found = []
    for each in actual.elements:
        if not assignable(expected.key, each.key):
            found += describe(expected.key, each.key, (*path, ("key", each.name)))
        if not assignable(expected.value, each.value):
            found += describe(expected.value, each.value, (*path, ("entry", each.name)))
    return found


def _other_hash(size: IntegerType, original: Type, actual: HashType, path: Path) -> Found:
    if not assignable(size, actual.sizes):
        return [SizeMismatch(path, size, actual.sizes)]
    return [type_mismatch(path, original, HashType(actual.key, actual.value))]


def _struct(expected: StructType, original: Type, actual: Type, path: Path) -> Found:
    if isinstance(actual, HashType):
        required = sum(each.required for each in expected.elements)
        size = IntegerType(required, len(expected.elements))
        return _other_hash(size, original, actual, path)
    if not isinstance(actual, StructType):
        return [type_mismatch(path, original, actual)]
    theirs = actual.by_name()
    found: Found = []
    for mine in expected.elements:
        other = theirs.pop(mine.name, None)
        if other is None:
            if mine.required:
                found.append(MissingKey(path, mine.name))
            continue
        if not assignable(mine.key, other.key):
            found += describe(mine.key, other.key, (*path, ("key", mine.name)))
        if not assignable(mine.value, other.value):
            found += describe(mine.value, other.value, (*path, ("entry", mine.name)))
    return found + [ExtraneousKey(path, name) for name in theirs]


def _tuple(expected: TupleType, original: Type, actual: Type, path: Path) -> Found:
    return _elements(expected, original, actual, path, SizeMismatch)


def _elements(
    expected: TupleType, original: Type, actual: Type, path: Path, kind: type[SizeMismatch]
) -> Found:
    if expected == actual or (not expected.types and isinstance(actual, ArrayType)):
        return []
    if not isinstance(actual, TupleType | ArrayType):
        return [type_mismatch(path, original, actual)]
    if not assignable(expected.sizes, actual.sizes):
        return [kind(path, expected.sizes, actual.sizes)]
    found: Found = []
    if isinstance(actual, ArrayType):
        for index, each in enumerate(expected.types):
            found += describe(each, actual.element, (*path, ("index", index)))
        return found
    for index, each in enumerate(actual.types if expected.types else ()):
        at = min(index, len(expected.types) - 1)
        found += describe(expected.types[at], each, (*path, ("index", at)))
    return found


def _callable(expected: CallableType, original: Type, actual: Type, path: Path) -> Found:
    if not isinstance(actual, CallableType):
        return [type_mismatch(path, original, actual)]
    if expected.params is None and expected.returns is None:
        return []
    found = _elements(
        expected.params or TupleType(),
        expected.params or TupleType(),
        actual.params or UNDEF,
        path,
        CountMismatch,
    )
    if found:
        return found
    returns, block = expected.returns or ANY, expected.block or UNDEF
    if not assignable(returns, actual.returns or ANY):
        return [type_mismatch((*path, RETURN), returns, actual.returns or ANY)]
    if assignable(actual.block or UNDEF, block):
        return []
    return [type_mismatch((*path, BLOCK), block, actual.block or UNDEF)]


_DESCRIBE: dict[type[Type], Callable[[Any, Type, Type, Path], Found]] = {
    VariantType: _variant,
    StructType: _struct,
    HashType: _hash,
    TupleType: _tuple,
    ArrayType: _array,
    CallableType: _callable,
    OptionalType: _optional,
    PatternType: _pattern,
    EnumType: _pattern,
    TypeAliasType: _alias,
}
