"""Values of attributes, evaluated where that needs nothing but the policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from analyzer.frontends.cfengine.ast import Call, Data, ListValue, Scalar, Value
from analyzer.frontends.cfengine.functions import LISTS, TEXTS, NotKnown
from analyzer.frontends.cfengine.variables import (
    KNOWN_ELSEWHERE,
    Content,
    Scope,
    elements,
    unresolved,
)

# Evaluates a class expression.
Holds = Callable[[str], bool | None]
# Their arguments hold variables of their own, which are not iterated over.
OWN_VARIABLES = frozenset(("maplist", "mapdata", "maparray"))
DEEPEST = 100


class Evaluator:
    """Evaluates values as seen from one promise."""

    def __init__(self, scope: Scope, holds: Holds) -> None:
        self.scope = scope
        self.holds = holds

    def value(self, value: Value) -> Any:
        """Return a value: a text, which may still hold variables, a list, a container, a truth.

        Raises:
            NotKnown: it is a call of a function whose result is not known.
        """
        match value:
            case Scalar(text):
                if text[:2] in ("@(", "@{") and text[-1:] in (")", "}"):
                    found = self.scope.list(text)
                    return text if found is None else found
                return self.scope.expand(text)
            case ListValue(items):
                return self.items(items)
            case Data(data):
                return data
            case Call():
                return self.call(value)

    def items(self, items: tuple[Value, ...]) -> list[Any]:
        """Return a list's items, those of `@(x)` in its place."""
        result: list[Any] = []
        for item in items:
            found = self.value(item)
            if isinstance(found, list | dict):
                result += elements(found)
            else:
                result.append(found)
        return result

    def call(self, call: Call) -> Any:
        """Return what a function gives.

        Raises:
            NotKnown: that is not known here.
        """
        name = self.scope.expand(call.name)
        if name in ("and", "or", "not"):
            return self.logic(name, call)
        arguments = [self.value(argument) for argument in call.arguments]
        if name in ("isvariable", "classify", "ifelse"):
            return self.special(name, arguments)
        if name in LISTS:
            place, function = LISTS[name]
            arguments[place] = self.listed(arguments[place])
        elif name in TEXTS:
            function = TEXTS[name]
        else:
            raise NotKnown(name)
        for argument in arguments:
            if isinstance(argument, str) and not is_known(argument):
                raise NotKnown(argument)
        try:
            return function(*arguments)
        except (TypeError, ValueError, IndexError, AttributeError):
            raise NotKnown(name) from None

    def listed(self, name: Any) -> list[str]:
        """Return the list that an argument names, or is.

        Raises:
            NotKnown: there is none.
        """
        found = name if isinstance(name, list | dict) else self.scope.get(str(name))
        if isinstance(found, list | dict):
            return elements(found)
        raise NotKnown(str(name))

    def special(self, name: str, arguments: list[Any]) -> Any:
        """Return what functions give that ask for variables or classes.

        Raises:
            NotKnown: that is not known here.
        """
        texts = [argument for argument in arguments if isinstance(argument, str)]
        if name == "isvariable" and texts and not unresolved(texts[0]):
            return self.scope.get(texts[0]) is not None
        if name == "classify" and texts:
            from analyzer.frontends.cfengine.classes import canonified

            return self.truth(canonified(texts[0]))
        if name == "ifelse" and arguments:
            for condition, result in zip(arguments[:-1:2], arguments[1::2], strict=False):
                if self.truth(condition):
                    return result
            return arguments[-1]
        raise NotKnown(name)

    def logic(self, name: str, call: Call) -> bool:
        """Return what `and`, `or` and `not` of class expressions give.

        Raises:
            NotKnown: that of one of them is not known.
        """
        truths = [self.truth(self.value(argument)) for argument in call.arguments]
        return {"and": all(truths), "or": any(truths), "not": not any(truths)}[name]

    def truth(self, found: Any) -> bool:
        """Return whether an evaluated condition holds.

        Raises:
            NotKnown: it holds variables, or is no condition.
        """
        if isinstance(found, bool):
            return found
        if isinstance(found, str) and not unresolved(found):
            holds = self.holds(found)
            if holds is not None:
                return holds
        raise NotKnown(str(found))

    def condition(self, value: Value) -> bool | None:
        """Return whether a condition holds, None where that is not known."""
        try:
            return self.truth(self.value(value))
        except NotKnown:
            return None

    def known(self, value: Value) -> Any:
        """Return a value, None where a function's result is not known."""
        try:
            return self.value(value)
        except NotKnown:
            return None


def is_known(text: str) -> bool:
    """Tell whether a text holds nothing that is yet to be known."""
    return not unresolved(text) and not KNOWN_ELSEWHERE.search(text)


def scalars(value: Value) -> Iterator[str]:
    """Yield the texts in a value over whose lists a promise iterates."""
    match value:
        case Scalar(text):
            yield text
        case ListValue(items):
            for item in items:
                yield from scalars(item)
        case Call(name, arguments):
            yield name
            for argument in arguments if name not in OWN_VARIABLES else ():
                yield from scalars(argument)
        case _:
            return


def words(value: Value) -> str:
    """Return a value as it is written, for a person."""
    if isinstance(value, Call):
        return f"{value.name}({','.join(words(argument) for argument in value.arguments)})"
    return value.text if isinstance(value, Scalar) else "{ ... }"


def iterations(names: Sequence[str], scope: Scope) -> Iterator[dict[str, Content]]:
    """Yield what the lists among a promise's variables are bound to; the last turns fastest."""
    # What holds no other variable is a list now, or never while the promise is kept.
    wheels = [n for n in names if "$" in n or isinstance(scope.get(n), list | dict)]
    yield from turned(wheels, {}, scope)


def turned(
    names: list[str], bound: dict[str, Content], scope: Scope
) -> Iterator[dict[str, Content]]:
    """Yield the bindings of names from the first on."""
    if not names or len(bound) > DEEPEST:
        yield bound
        return
    inner = Scope(
        scope.table, scope.namespace, scope.bundle, {**scope.special, **bound}, scope.here
    )
    name = inner.expand(names[0])
    value = inner.get(name)
    if not isinstance(value, list | dict):
        yield from turned(names[1:], bound, scope)
        return
    for item in elements(value):
        yield from turned(names[1:], {**bound, name: item}, scope)
