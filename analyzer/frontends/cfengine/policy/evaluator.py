"""Evaluates the values of attributes, as far as only the policy is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from analyzer.frontends.cfengine.policy.functions import TEXTS, read_data
from analyzer.frontends.cfengine.policy.patterns import UnknownResult
from analyzer.frontends.cfengine.policy.variables import Content, Scope, elements, unresolved
from analyzer.frontends.cfengine.syntax.ast import Call, Data, ListValue, Scalar, Value
from analyzer.frontends.cfengine.syntax.ranges import is_naked

# Evaluates a class expression.
Holds = Callable[[str], bool | None]
# Their arguments hold variables of their own, which are not iterated over.
OWN_VARIABLES = frozenset(("maplist", "mapdata", "maparray"))
DEEPEST = 100
# How often CFEngine expands a value to find the variable in it.
DEEPEST_VALUE = 5


class Evaluator:
    """Evaluates values in the scope of one promise.

    With `again`, texts are expanded a second time, as those of a class's expression are.
    """

    def __init__(self, scope: Scope, holds: Holds, *, again: bool = False) -> None:
        self.scope = scope
        self.holds = holds
        self.again = again

    def value(self, value: Value) -> Any:
        """Return a value: a text, which may still hold variables, a list, a container, a truth.

        Raises:
            UnknownResult: it is a call of a function whose result is not known.
        """
        match value:
            case Scalar(text):
                if text[:2] in ("@(", "@{") and text[-1:] in (")", "}"):
                    found = self.scope.list(text)
                    return text if found is None else self.completed(found)
                return self.completed(self.scope.expand(text))
            case ListValue(items):
                return self.items(items)
            case Data(data):
                return data
            case Call():
                return self.call(value)

    def completed(self, found: object) -> object:
        """Return an expanded value, expanded a second time if that is wanted."""
        if not self.again:
            return found
        if isinstance(found, list):
            return [self.completed(item) for item in found]
        return self.scope.expand(found) if isinstance(found, str) else found

    def items(self, items: tuple[Value, ...]) -> list[Any]:
        """Return a list's items, those of `@(x)` in its place."""
        result: list[object] = []
        for item in items:
            found = self.value(item)
            if isinstance(found, list | dict):
                result += elements(found)
            else:
                result.append(found)
        return result

    def call(self, call: Call) -> object:
        """Return the result of a function.

        Raises:
            UnknownResult: that is not known here.
        """
        name = self.scope.expand(call.name)
        if name in ("and", "or", "not"):
            return self.logic(name, call)
        if name in OWN_VARIABLES:
            return self.mapped(name, call)
        arguments = [self.value(argument) for argument in call.arguments]
        if name in ("isvariable", "classify", "ifelse"):
            return self.special(name, arguments)
        try:
            return self.pure(name, arguments)
        except (TypeError, ValueError, IndexError, AttributeError, OverflowError):
            raise UnknownResult(name) from None

    def pure(self, name: str, arguments: list[object]) -> object:
        """Return the result of a function that depends on its arguments only.

        Raises:
            UnknownResult: that is not known here.
        """
        from analyzer.frontends.cfengine.policy import list_functions as lists

        function: Callable[..., object] | None = TEXTS.get(name)
        if function is not None:
            truths = {True: "any", False: "!any"}
            arguments = [truths[a] if isinstance(a, bool) else a for a in arguments]
        if function is None and name in lists.LISTS:
            place, function = lists.LISTS[name]
            arguments[place] = elements(self.listed(arguments[place]))
        elif name in lists.PAIRS:
            function = lists.PAIRS[name]
            arguments = [elements(self.listed(argument)) for argument in arguments]
        elif name in lists.CONTAINERS:
            function = lists.CONTAINERS[name]
            arguments[0] = self.listed(arguments[0], array=name[:3] == "get")
        elif name == "mergedata":
            function = lists.merged
            arguments = [self.merged(argument) for argument in arguments]
        elif name == "eval":
            from analyzer.frontends.cfengine.policy.arithmetic import evaluated

            function = evaluated
        if function is None:
            raise UnknownResult(name)
        for argument in arguments:
            if isinstance(argument, str) and not is_known(argument):
                raise UnknownResult(argument)
        return function(*arguments)

    def listed(self, name: object, *, array: bool = False) -> Any:
        """Return the list or container that an argument is or names; with `array`, also the entries
        of an array, and an empty result if there is none.

        Raises:
            UnknownResult: there is none.
        """
        if isinstance(name, list | dict):
            return name
        text = str(name)
        if text.lstrip()[:1] in ("{", "["):
            return read_data(text)
        found = self.scope.stored(text)
        if isinstance(found, list | dict):
            return found
        if array and is_known(text):
            return [found] if isinstance(found, str) else self.scope.array(text)
        raise UnknownResult(text)

    def merged(self, name: object) -> object:
        """Return an argument of `mergedata`: a list, a container, or an array.

        Raises:
            UnknownResult: there is none.
        """
        try:
            return self.listed(name)
        except UnknownResult:
            found = self.scope.array(str(name)) if is_known(str(name)) else {}
            if not found:
                raise
            return found

    def mapped(self, name: str, call: Call) -> list[str]:
        """Return a text filled in for each item of a list or entry of an array.

        Raises:
            UnknownResult: that is not known here.
        """
        if len(call.arguments) != 2 or name == "mapdata":
            raise UnknownResult(name)
        template, argument = call.arguments
        source = self.listed(self.value(argument), array=name == "maparray")
        rows: list[dict[str, Content]] = []
        if name == "maplist":
            rows = [{"this": item} for item in elements(source)]
        elif isinstance(source, dict) and source and len(elements(source)) == len(source):
            pairs = zip(source, elements(source), strict=True)
            rows = [{"this.k": key, "this.v": item} for key, item in pairs]
        else:
            raise UnknownResult(name)
        if isinstance(template, Scalar):
            return [self.scope.binding(row).expand(template.text) for row in rows]
        return [str(self.within(row).value(template)) for row in rows]

    def within(self, more: dict[str, Content]) -> Evaluator:
        """Return an evaluator that knows further variables."""
        return Evaluator(self.scope.binding(more), self.holds, again=self.again)

    def special(self, name: str, arguments: list[object]) -> object:
        """Return the result of a function that queries variables or classes.

        Raises:
            UnknownResult: that is not known here.
        """
        texts = [argument for argument in arguments if isinstance(argument, str)]
        if name == "isvariable" and texts and not unresolved(texts[0]):
            return self.scope.get(texts[0]) is not None
        if name == "classify" and texts:
            from analyzer.frontends.cfengine.policy.classes import canonified

            return self.truth(canonified(texts[0]))
        if name == "ifelse" and arguments:
            for condition, result in zip(arguments[:-1:2], arguments[1::2], strict=False):
                if self.holds_or_not(condition):
                    return result
            return arguments[-1]
        raise UnknownResult(name)

    def logic(self, name: str, call: Call) -> bool:
        """Return the result of `and`, `or` and `not` of class expressions.

        Raises:
            UnknownResult: that of one of them is not known.
        """
        truths = [self.truth(self.value(argument)) for argument in call.arguments]
        return {"and": all(truths), "or": any(truths), "not": not any(truths)}[name]

    def truth(self, found: object) -> bool:
        """Return whether an evaluated condition holds.

        Raises:
            UnknownResult: it holds variables, or is no condition.
        """
        if isinstance(found, bool):
            return found
        if isinstance(found, str) and not unresolved(found):
            holds = self.holds(found)
            if holds is not None:
                return holds
        raise UnknownResult(str(found))

    def holds_or_not(self, found: object) -> bool:
        """Return whether a condition of `ifelse` holds; a text that is no expression does not.

        Raises:
            UnknownResult: it holds variables.
        """
        if isinstance(found, str) and not unresolved(found):
            return self.holds(found) is True
        return self.truth(found)

    def condition(self, value: Value) -> bool | None:
        """Return whether a condition holds, None if that is unknown."""
        try:
            return self.truth(self.value(value))
        except UnknownResult:
            return None

    def known(self, value: Value) -> Any:
        """Return a value, None where a function's result is not known."""
        try:
            return self.value(value)
        except UnknownResult:
            return None


def is_known(text: str) -> bool:
    """Return whether a text contains no variables; `@(x)` is plain text to functions."""
    return "$(" not in text and "${" not in text


def completed(value: object, scope: Scope) -> object:
    """Return a variable's value with what the default namespace does not have.

    CFEngine expands values twice; in the second turn `bundle.x` is of the bundle's namespace.
    """
    own = scope.assuming(scope.namespace)
    if own is scope:
        return value
    if isinstance(value, list):
        return [own.expand(item) if isinstance(item, str) else item for item in value]
    return own.expand(value) if isinstance(value, str) else value


def spliced(value: Any, scope: Scope, depth: int = 0) -> Any:
    """Return a value in which lists stand in the place of items `@(x)`, also of a function's.

    Measured: a container in such a place is left out, and what is not there stays as it is written.
    """
    if type(value) is not list or depth > DEEPEST_VALUE:
        return value
    result: list[object] = []
    for item in value:
        naked = isinstance(item, str) and is_naked(item, "@")
        found = scope.get(item[2:-1]) if naked and is_known(item) else None
        if type(found) is list:
            result += spliced(found, scope, depth + 1)
        elif not isinstance(found, list | dict):
            result.append(item)
    return result


def holds_itself(name: str, value: Any, scope: Scope) -> bool:
    """Return whether a variable's value contains the variable, directly or through others."""
    if isinstance(value, str) and "$" not in value and value[:1] != "@":
        return False
    texts = value if isinstance(value, list) else [value]
    own = (f"$({name})", f"${{{name}}}", f"@({name})", f"@{{{name}}}")
    for _ in range(DEEPEST_VALUE):
        texts = [t for t in texts if isinstance(t, str) and ("$" in t or t[:1] == "@")]
        if any(form in text for text in texts for form in own):
            return True
        if not texts:
            return False
        texts = [scope.expand(text) for text in texts]
    return False


def scalars(value: Value) -> Iterator[str]:
    """Yield the texts in a value whose lists a promise iterates over."""
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
    """Return the source text of a value, for messages."""
    if isinstance(value, Call):
        return f"{value.name}({','.join(words(argument) for argument in value.arguments)})"
    return value.text if isinstance(value, Scalar) else "{ ... }"


def iterations(
    names: Sequence[str], scope: Scope, *, waits: bool = True
) -> Iterator[dict[str, Content]]:
    """Yield the bindings of the lists among a promise's variables; the last list varies fastest.

    Nothing is yielded for an empty list, and while a variable whose name holds others is not there,
    unless the promise waits for neither.
    """
    # What holds no other variable is a list now, or never while the promise is kept.
    wheels = [n for n in names if "$" in n or is_iterated(scope, n, scope.get(n))]
    yield from turned(wheels, {}, scope, waits)


def is_iterated(scope: Scope, name: str, value: Content | None) -> bool:
    """Return whether a promise iterates over a variable: a list, a container, or an item of one.

    That an item is bound matters in a namespace only: attributes would look for it elsewhere.
    """
    if isinstance(value, str):
        return scope.namespace != "default" and scope.is_element(name)
    return value is not None


def turned(
    names: list[str], bound: dict[str, Content], scope: Scope, waits: bool
) -> Iterator[dict[str, Content]]:
    """Yield the bindings of names from the first on."""
    if not names or len(bound) > DEEPEST:
        yield bound
        return
    inner = scope.binding(bound)
    name = inner.expand(names[0])
    value = inner.get(name)
    if isinstance(value, list | dict) and (value or waits):
        for item in elements(value):
            yield from turned(names[1:], {**bound, name: item}, scope, waits)
    elif isinstance(value, str) and is_iterated(inner, name, value):
        yield from turned(names[1:], {**bound, name: value}, scope, waits)
    elif value is not None or "$" not in names[0] or not waits:
        yield from turned(names[1:], bound, scope, waits)
