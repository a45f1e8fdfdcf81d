"""Puppet's TypeAsserter: values that must be of a type."""

from __future__ import annotations

from typing import TypeVar

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.problems import Mismatch
from analyzer.frontends.puppet.types.unknowns import is_instance

Value = TypeVar("Value")


def assert_instance(subject: str, expected: Type, value: Value) -> Value:
    """Return the value, which is of the type: `subject has wrong type, expects ...` if it is not.

    Raises:
        Mismatch: it is of another type.
    """
    if not is_instance(expected, value):
        actual = infer_set(value)
        said = describe_mismatch(f"{subject} has wrong type,", expected, actual)
        raise Mismatch(said, expected, actual)
    return value


def assert_assignable(subject: str, expected: Type, found: Type) -> Type:
    """Return the type, which is assignable: `subject is incorrect, expects ...` if it is not.

    Raises:
        Mismatch: it is not.
    """
    if not assignable(expected, found):
        said = describe_mismatch(f"{subject} is incorrect,", expected, found)
        raise Mismatch(said, expected, found)
    return found


def assert_type(expected: Type, value: Value) -> Value:
    """Return the function `assert_type` without a block.

    Raises:
        Mismatch: the value is of another type.
    """
    if not is_instance(expected, value):
        actual = infer_set(value)
        raise Mismatch(describe_mismatch("assert_type():", expected, actual), expected, actual)
    return value
