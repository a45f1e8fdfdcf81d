"""Calls of functions, in their three forms, and lambdas (Evaluator::Closure)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import (
    PROBLEMS,
    EvaluationError,
    NextJump,
    Problem,
    Unit,
)
from analyzer.frontends.puppet.evaluate.looping import reporting_loop
from analyzer.frontends.puppet.evaluate.scope import MISSING, RESERVED, reserved
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, later, thunk_of, unfolding
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.objects import MISSING as NO_MEMBER
from analyzer.frontends.puppet.types.model.objects import ObjectValue
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.frontends.puppet.types.signatures import Parameter as TypedParameter
from analyzer.frontends.puppet.types.signatures import Signature, signature_of
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.generated.loops import Loop
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# A lambda's code, waiting for the scope that it closes over.
MakeBlock = Callable[["Machine", "Scope"], "Lambda | None"]

# A lambda is given to one function, which asks for few types.
VERDICTS = 8

# Calls of a lambda after which code is generated for it.
COLD = 64


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


class LambdaCode:
    """The code of a lambda, made ready once for all the times that it becomes a value.

    `simple`: its parameters have neither types nor defaults, as is usual. `fixed` is its
    signature if no parameter has a type, which may differ from call to call. `written` is the
    lambda's tree, from which loops are generated once it was called often.
    """

    __slots__ = (
        "bind",
        "body",
        "cold",
        "fixed",
        "loops",
        "names",
        "parameters",
        "simple",
        "verdicts",
        "written",
    )

    def __init__(
        self,
        parameters: list[Parameter],
        body: Thunk,
        written: tuple[a.LambdaExpression, Unit] | None = None,
    ) -> None:
        self.written = written
        # Calls until loops are generated.
        self.cold = COLD
        self.loops: dict[str, Loop | None] = {}
        self.parameters = parameters
        self.names = tuple([p.name for p in parameters])
        self.simple = all(p.simple and p.name not in RESERVED for p in parameters)
        self.bind = binder(self.names)
        self.body = body
        self.verdicts: list[tuple[Type, bool]] = []
        untyped = all(p.type is None for p in parameters)
        self.fixed = self.typed([ANY] * len(parameters)) if untyped else None

    def loop(self, form: str) -> Loop | None:
        """Return the generated loop of a function that calls the lambda, None if there is none."""
        if form not in self.loops:
            from analyzer.frontends.puppet.evaluate.generated.loops import made

            self.loops[form] = None if self.written is None else made(*self.written, form)
            if self.loops[form] is None:
                self.cold = sys.maxsize
        return self.loops[form]

    def typed(self, types: list[Type]) -> Signature:
        """Return the signature, given the types of the parameters."""
        pairs = zip(self.parameters, types, strict=True)
        return signature_of(
            [TypedParameter(p.name, type, p.default is not None, p.rest) for p, type in pairs]
        )


class Lambda:
    """A lambda as a value: it is called with arguments, and sees the scope it was written in."""

    __slots__ = ("body", "code", "machine", "scope")

    def __init__(self, code: LambdaCode, machine: Machine, scope: Scope) -> None:
        self.code = code
        self.body = code.body
        self.machine = machine
        self.scope = scope

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the parameters."""
        return self.code.names

    @property
    def parameters(self) -> list[Parameter]:
        """Return the parameters."""
        return self.code.parameters

    @property
    def arity(self) -> tuple[int, int | None]:
        """Return the least and the most number of arguments; None: any number."""
        needed = [p for p in self.parameters if p.default is None and not p.rest]
        rest = any(p.rest for p in self.parameters)
        return len(needed), None if rest else len(self.parameters)

    def taken(self, arguments: tuple[object, ...]) -> tuple[object, ...]:
        """Return the arguments that there are parameters for, as a block of Ruby takes them.

        Raises:
            EvaluationError: there are too few.
        """
        least, most = self.arity
        if len(arguments) < least and self.code.written is not None:
            wanted = self.parameters[len(arguments)]
            message = f"Parameter ${wanted.name} is required but no value was given"
            raise EvaluationError(message, self.code.written[1], wanted.node)
        return arguments[:most]

    @property
    def callable_type(self) -> Type:
        """Return the calls that the lambda accepts."""
        return self.signature.type

    @property
    def signature(self) -> Signature:
        """Return the parameters with their types."""
        code, machine = self.code, self.machine
        return code.fixed or code.typed(
            [
                machine.known_type(p.type(machine, self.scope)) if p.type else ANY
                for p in code.parameters
            ]
        )

    def is_of(self, wanted: Type) -> bool:
        """Return whether it is of a type, which functions ask again for each call."""
        code = self.code
        for asked, verdict in code.verdicts:
            if asked is wanted:
                return verdict
        verdict = instance(wanted, self)
        if code.fixed is not None and len(code.verdicts) < VERDICTS:
            code.verdicts.append((wanted, verdict))
        return verdict

    @property
    def cold(self) -> int:
        """Return the number of calls until loops over the lambda are generated."""
        return self.code.cold

    def go_on(self, form: str, rest: Iterator[Any], result: Any) -> tuple[bool, Any]:
        """Go on with a loop in generated code, if the lambda was called that often.

        Returns whether it did, to the end or a `break`, and the result: the one so far, added to.
        """
        run = None if self.code.cold else self.code.loop(form)
        if run is None:
            return False, result
        machine = self.machine
        machine.lambdas += 1
        try:
            return True, run(machine, self.scope, rest, result)
        finally:
            machine.lambdas -= 1

    def __call__(self, *arguments: object) -> Any:
        """Evaluate the body with the parameters bound; `next` ends it with its value."""
        code, scope = self.code, self.scope
        if code.cold:
            code.cold -= 1
        frames = scope.frames
        level = len(frames)
        trace = self.machine.trace
        self.machine.lambdas += 1
        try:
            if code.simple and len(arguments) == len(code.names):
                frame = code.bind(*arguments)
            else:
                given = self.taken(arguments)
                frame = bind_arguments("lambda", code.parameters, given, self.machine, scope)
            frames.append(frame)
            if trace is not None:
                trace.enter_block(frame, code.names, arguments)
            return self.body(self.machine, scope)
        except NextJump as jump:
            return jump.value
        finally:
            if trace is not None and len(frames) > level:
                trace.leave_block()
            self.machine.lambdas -= 1
            del frames[level:]


def binder(names: tuple[str, ...]) -> Callable[..., dict[str, Any]]:
    """Return a function that makes the variables of a call from as many arguments.

    One and two parameters are what iterations have, and are bound a million times.
    """
    if len(names) == 1:
        only = names[0]
        return lambda value: {only: value}
    if len(names) == 2:
        one, other = names
        return lambda first, second: {one: first, other: second}
    return lambda *values: dict(zip(names, values, strict=True))


def bind_arguments(
    name: str,
    parameters: list[Parameter],
    arguments: tuple[object, ...],
    machine: Machine,
    scope: Scope,
    *,
    checked: bool = True,
) -> dict[str, object]:
    """Return the variables of a call: arguments, else defaults, which see those before them.

    Types are not looked at unless they are `checked` here.

    Raises:
        EvaluationError: there are too few or too many, one is not of its parameter's type, or a
            parameter has a name that is reserved.
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
    # All of them are bound first: of two parameters of one name, both are checked against the last.
    if checked:
        for parameter in parameters:
            check_type(name, parameter, frame[parameter.name], machine, scope)
    for parameter in parameters:
        if parameter.name in RESERVED:
            raise EvaluationError(reserved(parameter.name))
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


def check_type(
    name: str, parameter: Parameter, value: object, machine: Machine, scope: Scope
) -> None:
    """Check an argument, or each of the rest, against the parameter's type."""
    if parameter.type is None:
        return
    wanted = machine.known_type(parameter.type(machine, scope))
    for one in value if parameter.rest and isinstance(value, list) else [value]:
        machine.check_argument(name, parameter.name, wanted, one)


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


def block_of(node: a.LambdaExpression | None, unit: Unit) -> MakeBlock:
    """Return the maker of the lambda of a call, which may have none."""
    if node is None:
        return lambda machine, scope: None
    parameters = [Parameter(p, unit) for p in node.parameters]
    code = LambdaCode(parameters, later(node.body, unit), (node, unit))
    return lambda machine, scope: Lambda(code, machine, scope)


@compiles(a.CallNamedFunctionExpression)
def call(node: a.CallNamedFunctionExpression, unit: Unit) -> Thunk:
    """Compile `name(arguments)`; of a type it makes a new value."""
    arguments = reporting_loop(node, unit, unfolding(node.arguments, unit))
    block = block_of(node.lambda_, unit)
    functor: Any = node.functor_expr
    kind = None if type(functor) is a.QualifiedName else thunk_of(functor, unit)
    name = "new" if kind is not None else functor.value

    def called(machine: Machine, scope: Scope) -> Any:
        first = None if kind is None else kind(machine, scope)
        given = arguments(machine, scope)
        if type(given) is Unknown:
            return machine.undecided(given, f"call of {name}", unit, node)
        if kind is not None:
            given = [first, *given]
        made = block(machine, scope)
        try:
            return machine.call(name, given, made, scope, node, unit)
        except PROBLEMS as error:
            return go_on(error, made, node, unit, machine)

    return called


@compiles(a.CallMethodExpression)
def method_call(node: a.CallMethodExpression, unit: Unit) -> Thunk:
    """Compile `receiver.name(arguments)`: the receiver is the first argument."""
    functor: Any = node.functor_expr
    receiver = reporting_loop(node, unit, unfolding([functor.left_expr], unit))
    arguments = reporting_loop(node, unit, unfolding(node.arguments, unit), 1)
    block = block_of(node.lambda_, unit)
    name = functor.right_expr.value

    def method(machine: Machine, scope: Scope) -> Any:
        values = receiver(machine, scope)
        given = arguments(machine, scope)
        unknown = next((one for one in (values, given) if type(one) is Unknown), None)
        if unknown is not None:
            return machine.undecided(unknown, f"call of {name}", unit, node)
        made = block(machine, scope)
        if values and isinstance(values[0], ObjectValue):
            try:
                found = values[0].member(name, given, made)
            except TypeProblem as problem:
                raise EvaluationError(str(problem), unit, node) from None
            if found is not NO_MEMBER:
                return found
        try:
            return machine.call(name, [*values, *given], made, scope, node, unit)
        except PROBLEMS as error:
            return go_on(error, made, node, unit, machine)

    return method


def go_on(error: Problem, block: Lambda | None, node: Node, unit: Unit, machine: Machine) -> Any:
    """Return the value of a call that cannot be evaluated; code may be generated for loops."""
    recover = machine.recover if block is None else machine.recover_part
    return recover(error, unit, node)
