"""Errors of the keys in brackets behind a type."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from analyzer.frontends.puppet.types.infer import infer_generic
from analyzer.frontends.puppet.types.mismatches.mismatch import article
from analyzer.frontends.puppet.types.model.base import Type, ruby_class
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.problems import AccessProblem
from analyzer.model.values import DEFAULT


def label(base: Type) -> str:
    """Return the name of a type in messages."""
    shown = f"{base}-Type"
    return f"{article(shown)} {shown}"


def capital(text: str) -> str:
    """Return a text with a capital."""
    return text[:1].upper() + text[1:]


def arity_problem(base: str, low: int, high: float | None, keys: Sequence[object]) -> AccessProblem:
    """Return the error of too many or too few keys."""
    if high in (inf, -1):
        accepted = f"{low} or more arguments"
    elif high is not None and high != low:
        accepted = f"{low} to {high:.0f} arguments"
    else:
        accepted = f"{low} argument{'' if low == 1 else 's'}"
    message = f"{base}[] accepts {accepted}. Got {len(keys)}"
    return AccessProblem("BAD_TYPE_SLICE_ARITY", message)


def key_name(value: object) -> str:
    """Return the name of a key in messages."""
    if value is None or value is DEFAULT:
        return "Undef" if value is None else "Default"
    return str(infer_generic(value))


def assert_keys(
    base: Type,
    keys: Sequence[object],
    high: float,
    classes: tuple[type, ...],
    names: str,
    low: int = 1,
) -> None:
    """Refuse too many or too few keys, and those of other classes."""
    if not low <= len(keys) <= high:
        raise arity_problem(capital(label(base)), 1, high, keys)
    for index, key in enumerate(keys):
        if not isinstance(key, classes):
            raise AccessProblem(
                "BAD_TYPE_SPECIALIZATION",
                f"Error creating type specialization of {label(base)}, "
                f"Cannot use {key_name(key)} where {names} is expected",
                index,
            )


def type_problem(name: str, value: object, index: int = 0) -> AccessProblem:
    """Return the error of a key that is no type."""
    return AccessProblem(
        "BAD_TYPE_SLICE_TYPE", f"{name}[] arguments must be types. Got {ruby_class(value)}", index
    )


def size_of(keys: Sequence[Any], start: int) -> IntegerType:
    """Return the size of some keys; the first of them has the index `start`."""
    if len(keys) == 1 and isinstance(keys[0], IntegerType):
        return keys[0]
    for index, key in enumerate(keys):
        if type(key) is not int and key is not DEFAULT:
            shown = ruby_class(key)
            raise AccessProblem(
                "BAD_COLLECTION_SLICE_TYPE",
                "A Type's size constraint arguments must be a single Integer type, or 1-2 "
                f"integers (or default). Got {class_label(shown)}",
                start + index,
            )
    return IntegerType(*(None if key is DEFAULT else key for key in keys))


def class_label(name: str) -> str:
    """Return the name of a class of Ruby in messages."""
    short = name.rpartition("::")[2]
    if short.startswith("P") and short.endswith("Type"):
        name = f"{short[1:-4]}-Type"
    return f"{article(name)} {name}"
