"""Evaluates on after an error, so that all errors of a program are reported.

Puppet stops at the first error; that is the first here, too. The value of a statement that failed
is Unknown. An internal error is recorded as a gap of the catalog.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import HOW_TO_SEE, PASSED_ON, words_of
from analyzer.frontends.puppet.evaluate.errors import (
    PROBLEMS,
    BodyJump,
    EvaluationError,
    Problem,
    Refusal,
    Unit,
)
from analyzer.frontends.puppet.evaluate.limits import place_of_trace
from analyzer.frontends.puppet.evaluate.machine import Machine
from analyzer.frontends.puppet.evaluate.thunks import Thunk, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.validate.walk import PARTS
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.scope import Scope
    from analyzer.frontends.puppet.syntax.ast import Node

FAILED = Unknown("the statement that gives it its value cannot be evaluated")


class RecoveringMachine(Machine):
    """An evaluator that remembers errors; `programs` are the manifests of the site."""

    def __init__(
        self,
        programs: Sequence[tuple[Node, Unit]],
        *,
        strict_variables: bool,
        puppet_version: int,
    ) -> None:
        super().__init__(strict_variables=strict_variables, puppet_version=puppet_version)
        self.programs = programs
        self.errors: list[EvaluationError | ParseError] = []
        # The identities of the errors: each is recorded once.
        self.identities: set[object] = set()

    def recover(self, error: Problem, unit: Unit | None, node: Node | None) -> Value:
        """Record the error of an expression; its value is Unknown, and what is around goes on.

        Raises:
            Refusal: the program refuses to go on.
            EvaluationError, ParseError, TypeProblem: the expression may never be evaluated.
        """
        if self.trials or isinstance(error, Refusal):
            raise error
        record_error(self, error, unit, node)
        return FAILED

    def skip(self, error: Problem, unit: Unit, node: Node, scope: Scope) -> Value:
        """Record the error of a statement; the variables that it would have set are Unknown."""
        value = self.recover_part(error, unit, node)
        make_unknown([node], scope)
        return value


class RecordingErrors:
    """Records an error that ends the block within, so that others can be found."""

    def __init__(
        self,
        machine: RecoveringMachine,
        unit: Unit | None = None,
        node: Node | None = None,
    ) -> None:
        self.machine = machine
        self.unit = unit
        self.node = node

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, error: Any, trace: object) -> bool:
        """Record an error of the program or an internal one; let others pass."""
        if isinstance(error, BodyJump):
            error = error.illegal()
        if isinstance(error, PROBLEMS):
            record_error(self.machine, error, self.unit, self.node)
            return True
        return is_internal(error) and record_fault(self.machine, error, self.unit, self.node)


def is_internal(error: BaseException | None) -> bool:
    """Return whether an error is internal, and not one that ends the whole compile."""
    return isinstance(error, Exception) and not isinstance(error, PASSED_ON)


def record_fault(
    machine: RecoveringMachine, error: Exception, unit: Unit | None, node: Node | None
) -> bool:
    """Record an internal error; return whether there is a place to record it at.

    The statement is left out, and the catalog is made all the same.
    """
    found = place_of_trace(error.__traceback__)
    if found is None and (unit is None or node is None):
        found = next(((unit, program) for program, unit in machine.programs), None)
    unit, node = found or (unit, node)
    if unit is None or node is None:
        return False
    words, name = words_of(error), resource_of_trace(error.__traceback__) or "the catalog"
    machine.leave_out("internal error", name, words, unit, node, hint=HOW_TO_SEE)
    machine.warnings.append(f"{unit.file}:{unit.line(node)}: {words}, in {name} ({HOW_TO_SEE})")
    return True


def resource_of_trace(trace: TracebackType | None) -> str:
    """Return the innermost class, define or resource that was evaluated where an error arose."""
    found = ""
    while trace is not None:
        names = trace.tb_frame.f_locals
        one = names.get("entry") or getattr(names.get("scope"), "resource", None)
        found = getattr(one, "ref", found)
        trace = trace.tb_next
    return found


def record_error(
    machine: RecoveringMachine,
    error: Problem,
    unit: Unit | None,
    node: Any,
) -> None:
    """Record an error, unless it is recorded: from a loop, or another use of a missing name."""
    problem = EvaluationError(str(error)) if isinstance(error, TypeProblem) else error
    if isinstance(problem, EvaluationError) and unit is not None:
        problem.at(unit, node)
    identified = identity(problem)
    if identified not in machine.identities:
        machine.identities.add(identified)
        machine.errors.append(problem)


def identity(problem: EvaluationError | ParseError) -> object:
    """Return the identity of an error: place and message; of a missing name the message."""
    if isinstance(problem, ParseError):
        return problem.diagnostic
    if problem.message.startswith(MISSING):
        return problem.message
    return problem.place, problem.message


MISSING = ("Could not find", "Resource type not found", "Unknown function", "Unknown resource type")


def body_of(node: Node | None, unit: Unit) -> Thunk:
    """Return the thunk of a body; it evaluates the statements after one that fails too."""
    statements = node.statements if type(node) is a.BlockExpression else (node,) if node else ()
    pairs = [(statement, thunk_of(statement, unit)) for statement in statements]

    def run(machine: Any, scope: Scope) -> Value:
        # A body is no part of the lambda, or of the expression, that declares it.
        around = machine.lambdas, machine.trials
        machine.lambdas = machine.trials = 0
        try:
            return evaluate(machine, scope)
        finally:
            machine.lambdas, machine.trials = around

    def evaluate(machine: Any, scope: Scope) -> Value:
        value = None
        for number, (statement, thunk) in enumerate(pairs):
            try:
                value = thunk(machine, scope)
            except PROBLEMS as error:
                record_error(machine, error, unit, statement)
                value = FAILED
                if isinstance(error, Refusal):
                    make_unknown(statements[number:], scope)
                    break
                make_unknown([statement], scope)
            except Exception as error:
                if not (is_internal(error) and record_fault(machine, error, unit, statement)):
                    raise
                value = FAILED
                make_unknown([statement], scope)
        return value

    return run


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
