"""Going on after an error: the others that are found are told too, what failed is Unknown.

Puppet stops at the first error; that is the first here, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet import ast as a
from analyzer.frontends.puppet.diagnostic import ParseError
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Jump, Refusal, Unit
from analyzer.frontends.puppet.evaluate.thunks import Thunk, thunk_of
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.frontends.puppet.validate.walk import PARTS
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.ast import Node
    from analyzer.frontends.puppet.compiler.compiler import Compiler
    from analyzer.frontends.puppet.evaluate.scope import Scope

Problem = EvaluationError | ParseError

# What ends an evaluation and is an error of the program.
PROBLEMS = (EvaluationError, ParseError, TypeProblem)

FAILED = Unknown("the statement that gives it its value cannot be evaluated")


class GoingOn:
    """Remembers an error that ends what is done within, so that others can be found."""

    def __init__(self, compiler: Compiler, unit: Unit | None = None, node: Any = None) -> None:
        self.compiler = compiler
        self.unit = unit
        self.node = node

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        """Remember an error of the program, let others pass; nothing is left to jump out of."""
        if isinstance(error, Jump):
            error = error.illegal()
        if not isinstance(error, PROBLEMS):
            return False
        remember(self.compiler, error, self.unit, self.node)
        return True


def remember(compiler: Compiler, error: Exception, unit: Unit | None, node: Any) -> None:
    """Add an error, unless the same is known: of a loop, or of another use of what is missing."""
    problem: Any = EvaluationError(str(error)) if isinstance(error, TypeProblem) else error
    if isinstance(problem, EvaluationError) and unit is not None:
        problem.at(unit, node)
    said = identity(problem)
    if all(identity(other) != said for other in compiler.errors):
        compiler.errors.append(problem)


def identity(problem: Problem) -> object:
    """Return what tells an error from others: its place; its words where a name is missing."""
    if isinstance(problem, ParseError):
        return problem.diagnostic
    if problem.message.startswith(MISSING):
        return problem.message
    return problem.place, problem.message


MISSING = ("Could not find", "Resource type not found", "Unknown function", "Unknown resource type")


def body_of(node: Node | None, unit: Unit) -> Thunk:
    """Return what evaluates a body, the statements after one that fails too."""
    statements = node.statements if type(node) is a.BlockExpression else (node,) if node else ()
    pairs = [(statement, thunk_of(statement, unit)) for statement in statements]

    def run(machine: Any, scope: Scope) -> Any:
        value = None
        for number, (statement, thunk) in enumerate(pairs):
            try:
                value = thunk(machine, scope)
            except PROBLEMS as error:
                remember(machine, error, unit, statement)
                value = FAILED
                if isinstance(error, Refusal):
                    spoil(statements[number:], scope)
                    break
                spoil([statement], scope)
        return value

    return run


def spoil(statements: Any, scope: Scope) -> None:
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


def names_in(node: Any) -> list[str]:
    """Return the variables on the left of an assignment."""
    if type(node) is a.LiteralList:
        return [name for value in node.values for name in names_in(value)]
    name = getattr(getattr(node, "expr", None), "value", None)
    return [name] if isinstance(name, str) else []
