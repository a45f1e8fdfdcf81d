"""Parameters of classes and defines: given, looked up, or by default; then checked and bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.compiler.declared.compilation import NO_DATA, Compilation
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.compiler.declared.overrides import METAPARAMETERS
from analyzer.frontends.puppet.compiler.definitions.definition import Definition, ParameterTypes
from analyzer.frontends.puppet.evaluate.errors import PROBLEMS, EvaluationError
from analyzer.frontends.puppet.evaluate.recorded_errors import FAILED
from analyzer.frontends.puppet.evaluate.scope import RESERVED, Scope, reserved
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.collections import StructElement, StructType
from analyzer.frontends.puppet.types.model.strings import StringType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType
from analyzer.frontends.puppet.types.unknowns import has_unknown, is_instance
from analyzer.model.values import Unknown, Value


def set_parameters(
    compilation: Compilation, entry: Entry, definition: Definition, scope: Scope
) -> None:
    """Bind a body's parameters: what was given, else data, else the default.

    An error of a parameter is recorded; what has no value of its type is Unknown.

    Raises:
        EvaluationError: a parameter has a reserved name.
    """
    scope.set("module_name", definition.module)
    inherits = definition.kind == "class" and definition.node.parent_class
    around = scope.enclosing if inherits else scope.caller
    if around is not None:
        scope.set("caller_module_name", around.source.module if around.source else "")
    if definition.kind == "node":
        scope.set("title", entry.title)
        scope.set("name", entry.title)
        return
    look_up(compilation, entry, definition, scope)
    is_define = definition.kind == "define"
    given_name = entry.parameters.get("name") if is_define else None
    title = title_of(compilation, entry, definition) if is_define else definition.name
    scope.set("title", title)
    scope.set("name", given_name or title)
    set_defaults(compilation, entry, definition, scope)
    try:
        check(compilation, entry, definition, scope)
    except PROBLEMS as error:
        compilation.recover(error, entry.unit, entry.node)
        replace_unfit(compilation, entry, definition, scope)
    variables = scope.variables()
    for name, value in entry.parameters.items():
        if name not in ("title", "name"):
            variables[name] = value
    for parameter in definition.node.parameters:
        if parameter.name in RESERVED:
            raise EvaluationError(reserved(parameter.name), definition.unit, definition.node)
        variables.setdefault(parameter.name, None)
    if compilation.trace is not None:
        compilation.trace.bind_parameters(entry, scope)


# A parameter of a class that is compiled by itself, which nobody gives.
REQUIRED = "the required parameter "
NOT_GIVEN = f"{REQUIRED}'{{}}' is not given (--param NAME=VALUE)"
# What the inputs of a compile call the title of a defined type: no parameter can have this name.
TITLE = "title"
# The input that says why nobody knows what is declared elsewhere.
OTHERS = "declared elsewhere"


def look_up(compilation: Compilation, entry: Entry, definition: Definition, scope: Scope) -> None:
    """Give a class the values that data have for what it was not given.

    What nobody gives to a class or a defined type that is compiled by itself is Unknown.
    """
    is_class = definition.kind == "class"
    for parameter in definition.node.parameters:
        if entry.parameters.get(parameter.name) is not None:
            continue
        if is_class:
            look_up_one(compilation, entry, definition, scope, parameter)
        elif is_alone(compilation, definition):
            give_one(compilation, entry, definition, parameter)


def title_of(compilation: Compilation, entry: Entry, definition: Definition) -> Value:
    """Return the title of a resource of a defined type, perhaps one that the inputs leave open."""
    if is_alone(compilation, definition):
        return compilation.inputs.parameters.get(f"{definition.name}::{TITLE}", entry.named)
    return entry.named


def give_one(
    compilation: Compilation, entry: Entry, definition: Definition, parameter: Any
) -> None:
    """Give a parameter of a defined type that is compiled by itself its value, if it has one."""
    key, trace = f"{definition.name}::{parameter.name}", compilation.trace
    given = compilation.inputs.parameters
    if given.get(key) is not None:
        entry.parameters[parameter.name] = given[key]
        if trace is not None:
            trace.give(entry, parameter.name, "given")
    elif parameter.value is None and key not in given:
        entry.parameters[parameter.name] = Unknown(NOT_GIVEN.format(key))
        if trace is not None:
            trace.give(entry, parameter.name, "nothing")


def look_up_one(
    compilation: Compilation, entry: Entry, definition: Definition, scope: Scope, parameter: Any
) -> None:
    """Give a parameter of a class the value that data have, or an Unknown that stands for it."""
    key = f"{definition.name}::{parameter.name}"
    given = compilation.inputs.parameters
    value = given[key] if key in given else compilation.data.parameter(key, scope, entry)
    if value is not NO_DATA and not (value is None and parameter.value is not None):
        entry.parameters[parameter.name] = value
        if compilation.trace is not None:
            compilation.trace.give(entry, parameter.name, "given" if key in given else "data")
    elif value is NO_DATA and parameter.value is None:
        unseen = compilation.data.unseen()
        if unseen:
            entry.parameters[parameter.name] = unseen_value(key, unseen)
        elif is_alone(compilation, definition):
            entry.parameters[parameter.name] = Unknown(NOT_GIVEN.format(key))
        if compilation.trace is not None:
            compilation.trace.give(entry, parameter.name, "nothing")


def is_alone(compilation: Compilation, definition: Definition) -> bool:
    """Return whether a class or defined type is compiled by itself, and nobody gives it values."""
    return compilation.inputs.alone == definition.name and not compilation.inputs.strict


def unseen_value(key: str, reason: str) -> Unknown:
    """Return the value of a parameter whose data cannot be read here."""
    return Unknown(f"{unseen_key(key)}' of Hiera: {reason}")


def unseen_key(begin: str) -> str:
    """Return how the reasons begin of values whose keys cannot be read and have this beginning."""
    return f"key '{begin}"


def stands_for_data(
    compilation: Compilation, definition: Definition, scope: Scope, name: str, value: Value
) -> bool:
    """Return whether data that cannot be read here replace a default.

    A file of the repository mentions the key, or the default does not fit the type.
    """
    data = compilation.data
    if data.unseen(assumed=False) and data.mentions(f"{definition.name}::{name}"):
        return True
    return not is_instance(types_of(compilation, definition, scope).values[name], value)


class DefaultsFrame(dict[str, Value]):
    """The parameters while their defaults are evaluated, one after the other.

    A default that needs a parameter without a value, or one that comes later, is an error.
    """

    def __init__(self, names: list[str], given: dict[str, Value], subject: str) -> None:
        super().__init__(given)
        self.names = {name: number for number, name in enumerate(names)}
        self.subject = subject
        self.at = ""

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in self.names

    def __missing__(self, name: str) -> Value:
        if self.names[name] < self.names[self.at]:
            raise EvaluationError(f"{self.subject}: expects a value for parameter ${name}")
        raise EvaluationError(
            f"{self.subject}: default expression for ${self.at} tries to illegally access "
            f"not yet evaluated ${name}"
        )


def set_defaults(
    compilation: Compilation, entry: Entry, definition: Definition, scope: Scope
) -> None:
    """Evaluate the defaults, left to right; each sees the parameters before it."""
    given = {k: v for k, v in entry.parameters.items() if k not in ("name", "title")}
    frame = DefaultsFrame([p.name for p in definition.node.parameters], given, entry.ref)
    level = scope.level
    unseen = compilation.data.unseen() if definition.kind == "class" else ""
    scope.frames.append(frame)
    trace = compilation.trace
    if trace is not None:
        trace.begin_parameters(entry, frame)
    try:
        for parameter in definition.parameters:
            if parameter.default is None or entry.parameters.get(parameter.name) is not None:
                continue
            frame.at = parameter.name
            try:
                value = parameter.default(compilation, scope)
            except PROBLEMS as error:
                value = compilation.recover(error, entry.unit, entry.node)
            scope.leave(level + 1)
            if unseen and stands_for_data(compilation, definition, scope, parameter.name, value):
                value = unseen_value(f"{definition.name}::{parameter.name}", unseen)
            frame[parameter.name] = value
            entry.parameters[parameter.name] = value
            if trace is not None:
                trace.give(entry, parameter.name, "default", frame)
    finally:
        scope.leave(level)


def check(compilation: Compilation, entry: Entry, definition: Definition, scope: Scope) -> None:
    """Check the values against the parameters' types.

    Raises:
        EvaluationError: one does not fit.
    """
    if definition.missing:
        return
    types = types_of(compilation, definition, scope)
    given = {k: v for k, v in entry.parameters.items() if k not in ("title", "name")}
    if types.needed <= given.keys() and are_of(types.values, given):
        return
    from analyzer.frontends.puppet.types.mismatches.describe import describe_parameters

    unknown = {
        name
        for name, value in given.items()
        if has_unknown(value) and is_instance(types.values.get(name, ANY), value)
    }
    elements = tuple(e for e in elements_of(types) if e.name not in unknown)
    known = {name: value for name, value in given.items() if name not in unknown}
    problem = describe_parameters(entry.ref, StructType(elements), known)
    if problem:
        raise EvaluationError(problem, entry.unit, entry.node)


def replace_unfit(
    compilation: Compilation, entry: Entry, definition: Definition, scope: Scope
) -> None:
    """Make the parameters Unknown that have no value, or one of another type."""
    types = types_of(compilation, definition, scope)
    for name in types.needed - entry.parameters.keys():
        entry.parameters[name] = FAILED
    for name, value in entry.parameters.items():
        if name in types.values and not is_instance(types.values[name], value):
            entry.parameters[name] = FAILED


def are_of(types: dict[str, Type], given: dict[str, Value]) -> bool:
    """Return whether all values are of their types, and there are no others."""
    for name, value in given.items():
        kind = types.get(name)
        if kind is None or not instance(kind, value):
            return False
    return True


def check_again(compilation: Compilation, entry: Entry) -> None:
    """Check what was never evaluated, being virtual, or was changed since (Resource#validate).

    Raises:
        EvaluationError: a parameter does not fit.
    """
    definition = entry.definition
    if definition is None or definition.kind == "node" or (entry.evaluated and not entry.set_by):
        return
    check(compilation, entry, definition, compilation.top)


OF_EVERY_RESOURCE: dict[str, Type] = dict.fromkeys(METAPARAMETERS, ANY)


def types_in(compilation: Compilation, definition: Definition, scope: Scope) -> ParameterTypes:
    """Evaluate the types of a definition's parameters."""
    values = OF_EVERY_RESOURCE.copy()
    needed = set()
    for parameter in definition.parameters:
        name, kind = parameter.name, parameter.type
        if parameter.default is None:
            needed.add(name)
        # Its own parameters come last, in their order.
        values.pop(name, None)
        values[name] = ANY if kind is None else compilation.known_type(kind(compilation, scope))
    return ParameterTypes(values, frozenset(needed))


def elements_of(types: ParameterTypes) -> Iterator[StructElement]:
    """Yield the parameters of a definition as parts of a struct, for messages."""
    for name, kind in types.values.items():
        key = StringType(value=name)
        yield StructElement(key if name in types.needed else OptionalType(key), kind)


def types_of(compilation: Compilation, definition: Definition, scope: Scope) -> ParameterTypes:
    """Return the types of a definition's parameters, evaluated once in a compile."""
    found = compilation.parameter_types.get(definition)
    if found is None:
        found = types_in(compilation, definition, scope)
        compilation.parameter_types[definition] = found
    return found
