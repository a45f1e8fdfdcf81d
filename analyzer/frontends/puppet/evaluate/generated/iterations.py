"""Writes loops over lambdas: those of calls that stand in a lambda, and that of a lambda itself."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.evaluate.access import is_fixed
from analyzer.frontends.puppet.evaluate.generated.writer import (
    Atom,
    CodeLine,
    Later,
    Writer,
    emits,
)
from analyzer.frontends.puppet.evaluate.scope import RESERVED
from analyzer.frontends.puppet.evaluate.thunks import without_parentheses
from analyzer.frontends.puppet.syntax import ast as a

# Functions that are loops, with the numbers of parameters that their lambdas may have.
LOOPS = {"each": (1, 2), "map": (1, 2), "filter": (1,), "reduce": (2,)}

# Loops in each other; Python does not compile many more.
DEEPEST = 4

# The names of the values that a call was given, where its closure has to do it: no variable of a
# manifest has such a name.
GIVEN = "given {}"


@emits(a.CallNamedFunctionExpression)
def call(writer: Writer, node: a.CallNamedFunctionExpression) -> Atom:
    """Write `name(arguments)`."""
    functor: Any = node.functor_expr
    splat = any(type(without_parentheses(one)) is a.UnfoldExpression for one in node.arguments)
    if type(functor) is not a.QualifiedName or splat:
        return writer.aside(node)
    if node.lambda_ is not None and not is_loop(writer, functor.value, node.lambda_):
        return writer.aside(node)
    given = [writer.write(one) for one in node.arguments]
    names = [variable(n, node) for n in range(len(given))]
    return called(writer, node, functor.value, given, node._replace(arguments=tuple(names)))


@emits(a.CallMethodExpression)
def method(writer: Writer, node: a.CallMethodExpression) -> Atom:
    """Write `receiver.name(arguments)`."""
    functor: Any = node.functor_expr
    parts = (functor.left_expr, *node.arguments)
    if any(type(without_parentheses(one)) is a.UnfoldExpression for one in parts):
        return writer.aside(node)
    name = functor.right_expr.value
    if node.lambda_ is not None and not is_loop(writer, name, node.lambda_):
        return writer.aside(node)
    given = [writer.write(one) for one in parts]
    first, *others = [variable(n, node) for n in range(len(given))]
    other = node._replace(functor_expr=functor._replace(left_expr=first), arguments=tuple(others))
    return called(writer, node, name, given, other)


def variable(number: int, node: Any) -> a.VariableExpression:
    """Return a variable that stands for a value that a call was given."""
    name = a.QualifiedName(node.offset, node.length, GIVEN.format(number))
    return a.VariableExpression(node.offset, node.length, name)


def is_loop(writer: Writer, name: str, code: a.LambdaExpression) -> bool:
    """Return whether a call is a loop whose lambda takes any values."""
    counts = LOOPS.get(name, ()) if code.return_type is None else ()
    fits = len(code.parameters) in counts and is_simple(code.parameters)
    return fits and len(writer.levels) < DEEPEST


def is_simple(parameters: Any) -> bool:
    """Return whether parameters have names only."""
    return all(p.type_expr is None for p in parameters) and are_plain(parameters)


def are_plain(parameters: Any) -> bool:
    """Return whether parameters have names, and types that are the same each time, only."""
    return all(
        p.value is None
        and not p.captures_rest
        and p.name not in RESERVED
        and (p.type_expr is None or is_fixed(p.type_expr))
        for p in parameters
    )


def called(writer: Writer, node: Any, name: str, given: list[Atom], other: Any) -> Atom:
    """Write a call of a function: a loop for common values, else as its closure does it."""
    more = ", ".join(f"{GIVEN.format(n)!r}: {one.text}" for n, one in enumerate(given))
    wanted = (1, 2) if name == "reduce" else (1,)
    if node.lambda_ is None or len(given) not in wanted:
        return writer.aside(other, f"{{{more}}}")
    ours = writer.functions.get(name)
    if ours is None:
        ours = writer.functions[name] = writer.name("ours")
    found, made = writer.name("i"), writer.name("t")
    pairs = len(node.lambda_.parameters) == 2 and name != "reduce"
    kind = "numbered" if pairs else "items"
    here = given[0].text
    if len(given) == 2:
        # A start that is not known is the result.
        ours = f"{ours} and type({given[1].text}) is not Unknown"
    if name == "filter":
        writer.add(f"{found} = {here} if {ours} and type({here}) is list else None")
    else:
        writer.add(f"{found} = {kind}({here}) if {ours} else None")
    with writer.inside(f"if {found} is not None:"):
        with writer.inside("try:"):
            begin(writer, name, found, made, given)
            loop(writer, name, node.lambda_, found, made)
        with writer.inside("except EvaluationError as error:"):
            writer.add(f"raise error.at(unit, {writer.constant(node)}) from None")
        if name in ("reduce", "filter"):
            report = f'machine.undecided({made}, "iteration", unit, {{0}}, {{0}}.lambda_)'
            report = report.format(writer.constant(node))
            writer.add(f"if type({made}) is Unknown: {report}")
    with writer.inside("else:"):
        writer.add(f"{made} = {writer.aside(other, f'{{{more}}}').text}")
    return Atom(made)


def begin(writer: Writer, name: str, found: str, made: str, given: list[Atom]) -> None:
    """Write the value that a loop begins with."""
    if name == "each":
        writer.add(f"{made} = {given[0].text}")
    elif name != "reduce":
        writer.add(f"{made} = []")
    elif len(given) == 2:
        writer.add(f"{made} = {given[1].text}")
    else:
        writer.add(f"{found} = iter({found})")
        writer.add(f"{made} = next({found}, None)")


def loop(writer: Writer, name: str, code: Any, found: str, made: str) -> None:
    """Write a loop over elements; its result is what it begins with, added to."""
    mark, calls = len(writer.lines), writer.calls
    places = [writer.local(p.name) for p in code.parameters]
    names = {p.name: place for p, place in zip(code.parameters, places, strict=True)}
    heads = [f"for {', '.join(places)} in {found}:"]
    if name == "reduce":
        heads = [f"for {places[1]} in {found}:", f"    {places[0]} = {made}"]
    writer.add(heads[0])
    writer.depth += 1
    for head in heads[1:]:
        writer.add(head.strip())
    for parameter in code.parameters:
        check(writer, parameter, names[parameter.name])
    with writer.level(names):
        value = writer.named(body(writer, code)).text
    if name == "map":
        writer.add(f"{made}.append({value})")
    elif name == "reduce":
        writer.add(f"{made} = {value}")
    elif name == "filter":
        with writer.inside(f"if type({value}) is Unknown:"):
            writer.add(f"{made} = {value}")
            writer.add("break")
        writer.add(f"if {value} is not None and {value} is not False: {made}.append({places[0]})")
    elif len(writer.lines) == mark + 1:
        writer.add("pass")
    writer.depth -= 1
    if writer.calls > calls:
        guard(writer, mark, ["except BreakJump:", "    pass"])


def check(writer: Writer, parameter: a.Parameter, place: str) -> None:
    """Write the check of an argument against its parameter's type."""
    if parameter.type_expr is None:
        return
    wanted = writer.name("k")
    writer.types[wanted] = writer.constant(Later(parameter.type_expr, writer.unit), "run")
    refused = f"machine.check_argument('lambda', {parameter.name!r}, {wanted}, {place})"
    writer.add(f"if not instance({wanted}, {place}): {refused}")


def body(writer: Writer, code: Any) -> Atom:
    """Write the body of a lambda, which `next` ends; return its value."""
    mark, calls = len(writer.lines), writer.calls
    value = writer.write(code.body)
    if writer.calls == calls:
        return value
    made = writer.name("t")
    writer.add(f"{made} = {value.text}")
    guard(writer, mark, ["except NextJump as jump:", f"    {made} = jump.value"])
    return Atom(made)


def guard(writer: Writer, mark: int, otherwise: list[str]) -> None:
    """Put the lines since a mark into a `try`."""
    node, depth = writer.node, writer.depth
    inner = [CodeLine(line.depth + 1, line.text, line.node) for line in writer.lines[mark:]]
    writer.lines[mark:] = [CodeLine(depth, "try:", node), *inner]
    for line in otherwise:
        writer.lines.append(CodeLine(depth + line.startswith(" "), line.strip(), node))
