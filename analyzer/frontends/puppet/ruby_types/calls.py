"""Calls of blocks and methods, with their parameters."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.ruby_types.expressions import Expression
from analyzer.frontends.puppet.ruby_types.nesting import Item, is_token
from analyzer.frontends.puppet.ruby_types.scope import Block, Jump, Method, Receiver, RubyScope
from analyzer.frontends.puppet.ruby_types.statements import run, run_uncertain
from analyzer.frontends.puppet.ruby_types.tokens import Unreadable
from analyzer.frontends.puppet.ruby_types.values import Opaque
from analyzer.model.values import Value

_DEEPEST = 30
_MOST_TURNS = 1000


def each(values: object, block: Block) -> list[object]:
    """Call a block for each value; once for an unknown one if the values are not known."""
    if isinstance(values, dict):
        values = [list(pair) for pair in values.items()]
    if not isinstance(values, list) or len(values) > _MOST_TURNS:
        with block.scope.uncertain():
            run_uncertain(lambda: call(block, [Opaque("the value of an iteration")]), block.scope)
        return []
    return [call(block, [value]) for value in values]


def call(block: Block, arguments: list[object], receiver: Receiver | None = None) -> Value:
    """Call a block; `receiver` is its self if it differs from the one around it."""
    around = block.scope
    scope = RubyScope(
        around.world, receiver or around.receiver, around.nesting, around, around.block
    )
    names = [item for item in block.parameters if is_token(item, "id")]
    if len(names) > 1 and len(arguments) == 1:
        only = arguments[0]
        arguments = only if isinstance(only, list) else [only] * len(names)
    for number, item in enumerate(names):
        value = arguments[number] if number < len(arguments) else None
        scope.variables[str(getattr(item, "value", ""))] = value
    return finished(lambda: run(block.body, scope), scope)


def invoke(
    method: Method,
    arguments: list[object],
    block: Block | None,
    receiver: Receiver,
    scope: RubyScope,
) -> object:
    """Call a method that was read.

    Raises:
        Unreadable: the calls go too deep.
    """
    inner = RubyScope(scope.world, receiver, method.nesting, None, block)
    bind(method.parameters, arguments, block, inner)
    return finished(lambda: run(method.body, inner), inner)


def finished(do: Callable[[], object], scope: RubyScope) -> object:
    """Return the result of a body, by `return` or at its end.

    Raises:
        Unreadable: the calls go too deep.
    """
    world = scope.world
    before, world.uncertain_return = world.uncertain_return, False
    world.depth += 1
    try:
        if world.depth > _DEEPEST:
            raise Unreadable("calls go too deep")
        value = do()
    except Jump as jumped:
        value = jumped.value
    finally:
        world.depth -= 1
        uncertain, world.uncertain_return = world.uncertain_return, before
    return Opaque("the result of a condition") if uncertain else value


def bind(
    parameters: list[Item], arguments: list[object], block: Block | None, scope: RubyScope
) -> None:
    """Set the parameters of a method."""
    given, parts = list(arguments), parted(parameters)
    takes_names = any(is_token(part[0], "label") or is_token(part[0], "op", "**") for part in parts)
    last = given[-1] if given else None
    named = dict(last) if takes_names and isinstance(last, dict) else {}
    if named:
        given.pop()
    for part in parts:
        first = part[0]
        name = str(getattr(part[-1 if is_token(first, "op") else 0], "value", ""))
        if is_token(first, "op", "*"):
            scope.variables[name], given = given, []
        elif is_token(first, "op", "**"):
            scope.variables[name] = dict(named)
        elif is_token(first, "op", "&"):
            scope.variables[name] = block
        elif is_token(first, "label"):
            value = Expression(part[1:], scope).whole() if part[1:] else None
            scope.variables[name] = named.pop(name, value)
        elif given:
            scope.variables[name] = given.pop(0)
        else:
            scope.variables[name] = Expression(part[2:], scope).whole() if part[2:] else None


def parted(items: list[Item]) -> list[list[Item]]:
    """Return the parts between commas."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if is_token(item, "op", ","):
            parts.append([])
        elif not is_token(item, "nl"):
            parts[-1].append(item)
    return [part for part in parts if part]
