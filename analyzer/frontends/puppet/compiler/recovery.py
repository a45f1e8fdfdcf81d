"""Evaluates on after an error, so that all errors of a program are reported.

Puppet stops at the first error; that is the first here, too. The value of a statement that failed
is Unknown. An internal error is recorded as a gap of the catalog.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import HOW_TO_SEE, PASSED_ON, words_of
from analyzer.frontends.puppet.evaluate.errors import (
    PROBLEMS,
    BodyJump,
    Refusal,
    Unit,
)
from analyzer.frontends.puppet.evaluate.limits import place_of_trace
from analyzer.frontends.puppet.evaluate.machine import Machine
from analyzer.frontends.puppet.evaluate.recorded_errors import FAILED, make_unknown
from analyzer.frontends.puppet.evaluate.thunks import Thunk, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.values import Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.scope import Scope
    from analyzer.frontends.puppet.syntax.ast import Node


class RecordingErrors:
    """Records an error that ends the block within, so that others can be found."""

    def __init__(
        self,
        machine: Machine,
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
            self.machine.recorded_errors.add(error, self.unit, self.node)
            return True
        return is_internal(error) and record_fault(self.machine, error, self.unit, self.node)


def is_internal(error: BaseException | None) -> bool:
    """Return whether an error is internal, and not one that ends the whole compile."""
    return isinstance(error, Exception) and not isinstance(error, PASSED_ON)


def record_fault(machine: Machine, error: Exception, unit: Unit | None, node: Node | None) -> bool:
    """Record an internal error; return whether there is a place to record it at.

    The statement is left out, and the catalog is made all the same.
    """
    found = place_of_trace(error.__traceback__)
    if found is None and (unit is None or node is None):
        found = next(((unit, program) for program, unit in machine.recorded_errors.programs), None)
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
                machine.recorded_errors.add(error, unit, statement)
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
