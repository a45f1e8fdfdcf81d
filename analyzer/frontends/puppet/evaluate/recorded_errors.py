"""The errors of a program after which the evaluation goes on: each is recorded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Problem, Unit
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.validate.walk import PARTS
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.scope import Scope
    from analyzer.frontends.puppet.syntax.ast import Node

FAILED = Unknown("the statement that gives it its value cannot be evaluated")

# The beginnings of messages about a missing name, each of which is one error wherever it occurs.
OF_MISSING = (
    "Could not find",
    "Resource type not found",
    "Unknown function",
    "Unknown resource type",
)


class RecordedErrors:
    """The errors of a compile; `programs` are the manifests of the site."""

    __slots__ = ("errors", "identities", "programs")

    def __init__(self) -> None:
        self.programs: Sequence[tuple[Node, Unit]] = ()
        self.errors: list[EvaluationError | ParseError] = []
        # The identities of the errors: each is recorded once.
        self.identities: set[object] = set()

    def add(self, error: Problem, unit: Unit | None, node: Any) -> None:
        """Record an error, unless it is recorded: from a loop, or another use of a missing name."""
        problem = EvaluationError(str(error)) if isinstance(error, TypeProblem) else error
        if isinstance(problem, EvaluationError) and unit is not None:
            problem.at(unit, node)
        identified = identity(problem)
        if identified not in self.identities:
            self.identities.add(identified)
            self.errors.append(problem)


def identity(problem: EvaluationError | ParseError) -> object:
    """Return the identity of an error: place and message; of a missing name the message."""
    if isinstance(problem, ParseError):
        return problem.diagnostic
    if problem.message.startswith(OF_MISSING):
        return problem.message
    return problem.place, problem.message


def make_unknown(statements: Iterable[Any], scope: Scope) -> None:
    """Make the variables Unknown that statements would have set."""
    pending = list(statements)
    while pending:
        node = pending.pop()
        if type(node) is a.AssignmentExpression:
            for name in names_in(node.left_expr):
                if not scope.bound(name):
                    scope.set(name, FAILED)
        for index in PARTS.get(type(node), ()):
            part = node[index]
            pending += part if type(part) is tuple else [] if part is None else [part]


def names_in(node: Node) -> list[str]:
    """Return the variables on the left of an assignment."""
    if type(node) is a.LiteralList:
        return [name for value in node.values for name in names_in(value)]
    name = getattr(getattr(node, "expr", None), "value", None)
    return [name] if isinstance(name, str) else []
