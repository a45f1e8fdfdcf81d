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
from analyzer.frontends.puppet.evaluate.naming import reporting_names
from analyzer.frontends.puppet.evaluate.parameters import (
    Parameter,
    bind_arguments,
    check_arguments,
    check_returned,
)
from analyzer.frontends.puppet.evaluate.scope import RESERVED
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, later, thunk_of, unfolding
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.collections import ArrayType
from analyzer.frontends.puppet.types.model.objects import MISSING as NO_MEMBER
from analyzer.frontends.puppet.types.model.objects import ObjectValue
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.frontends.puppet.types.signatures import Signature, signature_of
from analyzer.frontends.puppet.types.signatures import SignatureParameter as TypedParameter
from analyzer.model.values import Deferred, Unknown, Uri

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.generated.loops import Loop
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# A lambda's code, waiting for the scope that it closes over.
MakeBlock = Callable[["Machine", "Scope"], "Lambda | None"]

# The attributes of values that are objects for Puppet.
PARTS: dict[type, tuple[str, ...]] = {
    Deferred: ("name", "arguments"),
    Uri: ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"),
}

# A lambda is given to one function, which asks for few types.
VERDICTS = 8

# Calls of a lambda after which code is generated for it.
COLD = 64


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
        "returns",
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
        returned = written and written[0].return_type
        self.returns = thunk_of(returned, written[1]) if written and returned else None
        self.verdicts: list[tuple[Type, bool]] = []
        anything: list[Type] = [ANY] * len(parameters)
        untyped = all(p.type is None for p in parameters)
        is_fixed = untyped and self.required_late(anything) is None
        self.fixed = self.typed(anything) if is_fixed else None

    def loop(self, form: str) -> Loop | None:
        """Return the generated loop of a function that calls the lambda, None if there is none."""
        if form not in self.loops:
            from analyzer.frontends.puppet.evaluate.generated.loops import made

            self.loops[form] = None if self.written is None else made(*self.written, form)
            if self.loops[form] is None:
                self.cold = sys.maxsize
        return self.loops[form]

    def required_late(self, types: list[Type]) -> Parameter | None:
        """Return the first parameter that needs a value after one that needs none."""
        optional = False
        for parameter, type in zip(self.parameters, types, strict=True):
            sizes = type.sizes if isinstance(type, ArrayType) else None
            needs = (sizes.low if sizes else 0) if parameter.rest else parameter.default is None
            if needs and optional:
                return parameter
            optional = optional or not needs
        return None

    def typed(self, types: list[Type]) -> Signature:
        """Return the signature, given the types of the parameters.

        Raises:
            EvaluationError: one that needs a value stands after one that needs none.
        """
        late = self.required_late(types)
        if late is not None:
            message = f"Parameter ${late.name} is required but appears after optional parameters"
            unit = self.written[1] if self.written else None
            raise EvaluationError(message, unit, late.node if unit else None)
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
        while True:
            machine.lambdas += 1
            try:
                return True, run(machine, self.scope, rest, result)
            except PROBLEMS as error:
                # Only this iteration is lost: the next call begins after it.
                failure = error
            finally:
                machine.lambdas -= 1
            lost = self.lose(failure, form != "filter")
            if form == "map":
                result.append(lost)
            elif form == "reduce":
                result = lost

    def attempt(self, *arguments: object) -> Any:
        """Evaluate the body; after an error, the loop around may go on with an Unknown."""
        try:
            return self(*arguments)
        except PROBLEMS as error:
            return self.lose(error, True)

    def lose(self, error: Problem, goes_on: bool) -> Any:
        """Record the error of an iteration and return its value, if the evaluation goes on.

        Raises:
            EvaluationError, ParseError, TypeProblem: the one given, in another lambda or loop.
        """
        written = self.code.written
        # One without a place is about the call: its arguments do not fit.
        placed = getattr(error, "unit", None) is not None
        if self.machine.lambdas or written is None or not (goes_on and placed):
            raise error
        return self.machine.recover(error, written[1], written[0])

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
                check_arguments("lambda", self.signature, code.parameters, frame)
            frames.append(frame)
            if trace is not None:
                trace.enter_block(frame, code.names, arguments)
            value = self.body(self.machine, scope)
        except NextJump as jump:
            value = jump.value
        finally:
            if trace is not None and len(frames) > level:
                trace.leave_block()
            self.machine.lambdas -= 1
            del frames[level:]
        if code.returns is not None:
            wanted = self.machine.known_type(code.returns(self.machine, scope))
            check_returned("lambda", wanted, value)
        return value


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
    arguments = reporting_names(node, unit, arguments)
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
    receiver = reporting_names(node, unit, receiver)
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
        parts = PARTS.get(type(values[0])) if len(values) == 1 and not given else None
        if parts is not None and name in parts:
            part = getattr(values[0], name)
            return list(part) if isinstance(part, tuple) else part
        try:
            return machine.call(name, [*values, *given], made, scope, node, unit)
        except PROBLEMS as error:
            return go_on(error, made, node, unit, machine)

    return method


def go_on(error: Problem, block: Lambda | None, node: Node, unit: Unit, machine: Machine) -> Any:
    """Return the value of a call that cannot be evaluated; code may be generated for loops."""
    recover = machine.recover if block is None else machine.recover_part
    return recover(error, unit, node)
