"""A question that code asks of one of its inputs."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.frontends.puppet.worlds.expressions import EMPTY
from analyzer.frontends.puppet.worlds.tests import Test, Value


@dataclass(frozen=True, slots=True)
class Question:
    """An input that a construct's choice depends on, with values that may lead to its arms.

    `offset` is that of the construct: `if`, `unless`, `case`, a selector, or an operator within.
    `tests` are those that the code makes of the input itself. `naming` is a regular expression for
    the names of classes that the construct computes, with a group for the input; empty for others.
    """

    input: str
    values: tuple[Value, ...]
    offset: int
    tests: tuple[Test, ...] = ()
    naming: str = ""


def is_of_loop(question: Question) -> bool:
    """Return whether a question is that of a loop: whether there is anything to go through."""
    return question.tests == EMPTY and not question.values
