"""Assertions that a value or type is of a type (Puppet's TypeAsserter)."""

from __future__ import annotations

from typing import TypeVar

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.problems import MismatchProblem
from analyzer.frontends.puppet.types.unknowns import is_instance

Value = TypeVar("Value")


def assert_instance(subject: str, expected: Type, value: Value) -> Value:
    """Return the value if it is of the type, else raise `subject has wrong type, expects ...`.

    Raises:
        MismatchProblem: it is of another type.
    """
    if not is_instance(expected, value):
        actual = infer_set(value)
        problem = describe_mismatch(f"{subject} has wrong type,", expected, actual)
        raise MismatchProblem(problem, expected, actual)
    return value


def assert_assignable(subject: str, expected: Type, found: Type) -> Type:
    """Return the type if it is assignable, else raise `subject is incorrect, expects ...`.

    Raises:
        MismatchProblem: it is not.
    """
    if not assignable(expected, found):
        problem = describe_mismatch(f"{subject} is incorrect,", expected, found)
        raise MismatchProblem(problem, expected, found)
    return found


def assert_type(expected: Type, value: Value) -> Value:
    """Return the value if it is of a type, as the function `assert_type` without a block.

    Raises:
        MismatchProblem: the value is of another type.
    """
    if not is_instance(expected, value):
        actual = infer_set(value)
        raise MismatchProblem(
            describe_mismatch("assert_type():", expected, actual), expected, actual
        )
    return value
