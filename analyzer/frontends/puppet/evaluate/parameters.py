"""Parameters of functions and lambdas: bound to arguments, and checked (Evaluator::Closure)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.scope import MISSING, RESERVED, reserved
from analyzer.frontends.puppet.evaluate.thunks import later, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.signatures import Signature
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope


class Parameter:
    """A parameter made ready: its name, default and type, and whether it takes the rest.

    A `simple` one has a name only.
    """

    __slots__ = ("default", "name", "node", "rest", "simple", "type")

    def __init__(self, node: a.Parameter, unit: Unit) -> None:
        self.node = node
        self.name = node.name
        self.rest = node.captures_rest
        self.default = later(node.value, unit) if node.value is not None else None
        self.type = thunk_of(node.type_expr, unit) if node.type_expr is not None else None
        self.simple = self.default is None and self.type is None and not self.rest


def bind_arguments(
    name: str,
    parameters: list[Parameter],
    arguments: tuple[object, ...],
    machine: Machine,
    scope: Scope,
) -> dict[str, object]:
    """Return the variables of a call: arguments, else defaults, which see those before them.

    Types are not looked at.

    Raises:
        EvaluationError: there are too few or too many.
    """
    needed = sum(1 for p in parameters if p.default is None and not p.rest)
    rest = any(p.rest for p in parameters)
    if len(arguments) < needed or (not rest and len(arguments) > len(parameters)):
        most = None if rest else len(parameters)
        raise EvaluationError(wrong_count(name, needed, most, len(arguments)))
    frame: dict[str, Any] = {}
    for number, parameter in enumerate(parameters):
        given = arguments[number:] if parameter.rest else arguments[number : number + 1]
        # For the rest, one undef stands for nothing.
        is_undef = parameter.rest and parameter.default is not None and given == (None,)
        if given and given[0] is not MISSING and not is_undef:
            frame[parameter.name] = list(given) if parameter.rest else given[0]
        else:
            frame[parameter.name] = default_of(parameter, frame, machine, scope)
    return frame


def default_of(
    parameter: Parameter, frame: dict[str, object], machine: Machine, scope: Scope
) -> Any:
    """Return a default, which may use the parameters before it; that of the rest is an array."""
    if parameter.default is None:
        return [] if parameter.rest else None
    level = scope.level
    scope.frames.append(frame)
    try:
        value = parameter.default(machine, scope)
    finally:
        scope.leave(level)
    is_one = parameter.rest and type(value) not in (list, Unknown)
    return [value] if is_one else value


def check_arguments(
    name: str, takes: Signature, parameters: list[Parameter], frame: dict[str, Any]
) -> None:
    """Check what the parameters of a call are bound to, defaults too (Closure#call_with_scope).

    Of two parameters of one name, both are checked against the value of the last.

    Raises:
        EvaluationError: one is of another type, there are too few or too many, or a parameter has
            a name that is reserved.
    """
    values: list[object] = []
    for parameter in parameters:
        value = frame[parameter.name]
        values += value if parameter.rest and isinstance(value, list) else [value]
    if not takes.accepts(values):
        from analyzer.frontends.puppet.types.mismatches.calls import describe_call

        raise EvaluationError(describe_call(name, [takes], values))
    for parameter in parameters:
        if parameter.name in RESERVED:
            raise EvaluationError(reserved(parameter.name))


def check_returned(name: str, wanted: Type, value: object) -> None:
    """Check what a function or a lambda returns.

    Raises:
        EvaluationError: it is of another type.
    """
    if not is_instance(wanted, value):
        from analyzer.frontends.puppet.types.infer import infer_set
        from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

        subject = f"value returned from {name} has wrong type,"
        raise EvaluationError(describe_mismatch(subject, wanted, infer_set(value)))


def wrong_count(name: str, least: int, most: int | None, given: int) -> str:
    """Return the message about a wrong number of arguments."""
    if most is None:
        wanted = f"at least {least}"
    elif least == most:
        wanted = str(least)
    else:
        wanted = f"between {least} and {most}"
    many = "argument" if wanted.split()[-1] == "1" else "arguments"
    return f"{name} expects {wanted} {many}, got {given or 'none'}"
