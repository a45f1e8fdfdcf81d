"""Calls of functions, in their three forms, and lambdas (Evaluator::Closure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet import ast as a
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, NextJump, Unit
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, thunk_of, unfolding
from analyzer.frontends.puppet.types.base import Type

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# A lambda's code, waiting for the scope that it closes over.
MakeBlock = Callable[["Machine", "Scope"], "Lambda | None"]


class Parameter:
    """A parameter made ready: its name, default and type as thunks, and whether it takes the rest."""

    __slots__ = ("default", "name", "node", "rest", "type")

    def __init__(self, node: a.Parameter, unit: Unit) -> None:
        self.node = node
        self.name = node.name
        self.rest = node.captures_rest
        self.default = thunk_of(node.value, unit) if node.value is not None else None
        self.type = thunk_of(node.type_expr, unit) if node.type_expr is not None else None


class Lambda:
    """A lambda as a value: it is called with arguments, and sees the scope it was written in."""

    def __init__(
        self, parameters: list[Parameter], body: Thunk, machine: Machine, scope: Scope, unit: Unit
    ) -> None:
        self.parameters = parameters
        self.body = body
        self.machine = machine
        self.scope = scope
        self.unit = unit

    @property
    def arity(self) -> tuple[int, int | None]:
        """The least and the most number of arguments; None: any number."""
        needed = [p for p in self.parameters if p.default is None and not p.rest]
        rest = any(p.rest for p in self.parameters)
        return len(needed), None if rest else len(self.parameters)

    def __call__(self, *arguments: Any) -> Any:
        """Evaluate the body with the parameters bound; `next` ends it with its value."""
        level = self.scope.level
        try:
            self.scope.frames.append(self._bind(arguments))
            return self.body(self.machine, self.scope)
        except NextJump as jump:
            return jump.value
        finally:
            self.scope.leave(level)

    def _bind(self, arguments: tuple[Any, ...]) -> dict[str, Any]:
        least, most = self.arity
        if len(arguments) < least or (most is not None and len(arguments) > most):
            raise EvaluationError(wrong_count("lambda", least, most, len(arguments)))
        frame: dict[str, Any] = {}
        for number, parameter in enumerate(self.parameters):
            value = self._argument(parameter, number, arguments, frame)
            self._check(parameter, value)
            frame[parameter.name] = value
        return frame

    def _argument(
        self,
        parameter: Parameter,
        number: int,
        arguments: tuple[Any, ...],
        frame: dict[str, Any],
    ) -> Any:
        if parameter.rest:
            given = list(arguments[number:])
            return given if given or parameter.default is None else self._default(parameter, frame)
        if number < len(arguments):
            return arguments[number]
        return self._default(parameter, frame)

    def _default(self, parameter: Parameter, frame: dict[str, Any]) -> Any:
        if parameter.default is None:
            return None
        level = self.scope.level
        self.scope.frames.append(frame)
        try:
            return parameter.default(self.machine, self.scope)
        finally:
            self.scope.leave(level)

    def _check(self, parameter: Parameter, value: Any) -> None:
        if parameter.type is None:
            return
        wanted = parameter.type(self.machine, self.scope)
        values = value if parameter.rest else [value]
        if isinstance(wanted, Type):
            for one in values:
                self.machine.check_argument("lambda", parameter.name, wanted, one)


def wrong_count(name: str, least: int, most: int | None, given: int) -> str:
    """Return what is said of a wrong number of arguments."""
    if most is None:
        wanted = f"at least {least}"
    elif least == most:
        wanted = str(least)
    else:
        wanted = f"between {least} and {most}"
    many = "argument" if wanted == "1" else "arguments"
    return f"{name} expects {wanted} {many}, got {given or 'none'}"


def block_of(node: a.LambdaExpression | None, unit: Unit) -> MakeBlock:
    """Return what makes the lambda of a call, which may have none."""
    if node is None:
        return lambda machine, scope: None
    parameters = [Parameter(p, unit) for p in node.parameters]
    body = thunk_of(node.body, unit)
    return lambda machine, scope: Lambda(parameters, body, machine, scope, unit)


@compiles(a.CallNamedFunctionExpression)
def call(node: a.CallNamedFunctionExpression, unit: Unit) -> Thunk:
    """`name(arguments)`; of a type it makes a new value."""
    arguments = unfolding(node.arguments, unit)
    block = block_of(node.lambda_, unit)
    functor = node.functor_expr
    if type(functor) is not a.QualifiedName:
        kind = thunk_of(functor, unit)
        return lambda machine, scope: machine.call(
            "new",
            [kind(machine, scope), *arguments(machine, scope)],
            block(machine, scope),
            scope,
            node,
            unit,
        )
    name = functor.value.removeprefix("::")
    return lambda machine, scope: machine.call(
        name, arguments(machine, scope), block(machine, scope), scope, node, unit
    )


@compiles(a.CallMethodExpression)
def method_call(node: a.CallMethodExpression, unit: Unit) -> Thunk:
    """`receiver.name(arguments)`: the receiver is the first argument."""
    functor: Any = node.functor_expr
    receiver = unfolding([functor.left_expr], unit)
    arguments = unfolding(node.arguments, unit)
    block = block_of(node.lambda_, unit)
    name = functor.right_expr.value
    return lambda machine, scope: machine.call(
        name,
        [*receiver(machine, scope), *arguments(machine, scope)],
        block(machine, scope),
        scope,
        node,
        unit,
    )
