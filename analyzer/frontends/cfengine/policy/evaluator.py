"""Evaluates the values of attributes, as far as only the policy is needed."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from analyzer.frontends.cfengine.policy import machine
from analyzer.frontends.cfengine.policy.functions import TEXTS
from analyzer.frontends.cfengine.policy.lookup import JOINING, Lookup, is_known
from analyzer.frontends.cfengine.policy.unknown import (
    NoResult,
    Truth,
    Unknown,
    UnknownResult,
    all_of,
    any_of,
    none_of,
    unknown_part,
)
from analyzer.frontends.cfengine.policy.variables import (
    EVERYWHERE,
    Content,
    Refused,
    elements,
    unresolved,
)
from analyzer.frontends.cfengine.syntax.ast import Call, Data, ListValue, Scalar, Value

LOGIC = {"and": all_of, "or": any_of, "not": none_of}
# Their arguments hold variables of their own, which are not iterated over.
OWN_VARIABLES = frozenset(("maplist", "mapdata", "maparray"))


class Evaluator(Lookup):
    """Evaluates values in the scope of one promise.

    With `again`, texts are expanded a second time, as those of a class's expression are.
    """

    def value(self, value: Value) -> Any:
        """Return a value: a text, which may still hold variables, a list, a container, a truth.

        Raises:
            NoResult: it is a call of a function that has no value.
            UnknownResult: a list or the value of a function is not known here.
        """
        match value:
            case Scalar(text):
                if text[:2] in ("@(", "@{") and text[-1:] in (")", "}"):
                    found = self.scope.list(text)
                    if isinstance(found, Unknown):
                        raise UnknownResult(found)
                    return text if found is None else self.completed(found)
                return self.completed(self.scope.expand(text))
            case ListValue(items):
                return self.items(items)
            case Data(data):
                return deepcopy(data)
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
            NoResult: it has none.
            UnknownResult: that is not known here.
        """
        name = self.scope.expand(call.name)
        if name in LOGIC:
            return self.logic(name, call)
        if name == "ifelse":
            return self.choice(call)
        if name in OWN_VARIABLES:
            return self.mapped(name, call)
        arguments = [self.value(argument) for argument in call.arguments]
        if name in ("isvariable", "classify"):
            return self.special(name, arguments)
        try:
            return self.computed(name, arguments)
        except UnknownResult as unknown:
            if name in machine.SETS_ARRAY and len(arguments) > machine.SETS_ARRAY[name]:
                array = arguments[machine.SETS_ARRAY[name]]
                self.world.assign(str(array), Unknown(unknown.unknown.why, many=True))
            raise
        except (TypeError, ValueError, IndexError, AttributeError, OverflowError, KeyError):
            raise NoResult(name) from None

    def computed(self, name: str, arguments: list[object]) -> object:
        """Return the result of a function of its arguments, of the policy or of the machine.

        Raises:
            NoResult: it has none.
            UnknownResult: that is not known here.
        """
        from analyzer.frontends.cfengine.policy import (
            data_functions,
            introspection,
            list_functions,
            text_functions,
        )

        for argument in arguments:
            if isinstance(argument, str) and unresolved(argument) and not is_known(argument):
                raise NoResult(argument)
        if name not in JOINING and name not in machine.FUNCTIONS:
            self.refuse_unknown(arguments)
        if name in list_functions.NAMES:
            return self.of_lists(name, arguments)
        for table in (data_functions.FUNCTIONS, introspection.FUNCTIONS):
            if name in table:
                return table[name](self, *arguments)
        if name in machine.FUNCTIONS:
            return machine.FUNCTIONS[name](self.world, *arguments)
        function = text_functions.FUNCTIONS.get(name) or TEXTS.get(name)
        if function is None:
            raise UnknownResult(Unknown(machine.reason(name), sure=name in machine.SURE))
        truths = {True: "any", False: "!any"}
        return function(*(truths[a] if isinstance(a, bool) else a for a in arguments))

    def mapped(self, name: str, call: Call) -> Any:
        """Return a text filled in for each item of a list or entry of an array.

        Raises:
            NoResult: there is no such list.
            UnknownResult: that is not known here.
        """
        from analyzer.frontends.cfengine.policy.data_functions import mapped_data

        if name == "mapdata" and len(call.arguments) == 3:
            mode, template, argument = call.arguments
            source = self.listed(self.value(argument), array=True)
            return mapped_data(
                str(self.value(mode)), source, lambda row: self.filled_in(template, row)
            )
        if len(call.arguments) != 2:
            raise NoResult(name)
        template, argument = call.arguments
        value = self.value(argument)
        source = self.container(value) if name == "maparray" else self.listed(value)
        if name == "maparray":
            return list(mapped_data("none", source, lambda row: self.filled_in(template, row)))
        return [self.filled_in(template, {"this": item}) for item in elements(source)]

    def filled_in(self, template: Value, row: dict[str, Content]) -> str:
        """Return a template with the variables of one item.

        Raises:
            NoResult: it is a call that has no value.
        """
        if isinstance(template, Scalar):
            return self.scope.binding(row).expand(template.text)
        return str(self.within(row).value(template))

    def within(self, more: dict[str, Content]) -> Evaluator:
        """Return an evaluator that knows further variables."""
        scope = self.scope.binding(more)
        return Evaluator(scope, self.holds, again=self.again, world=self.world)

    def special(self, name: str, arguments: list[object]) -> Truth:
        """Return the result of a function that queries a variable or a class.

        Raises:
            NoResult: its argument holds variables without a value.
            UnknownResult: that is not known here.
        """
        text = arguments[0] if arguments else None
        if not isinstance(text, str) or unresolved(text):
            raise NoResult(name)
        self.refuse_unknown([text])
        if name == "classify":
            from analyzer.frontends.cfengine.policy.classes import canonified

            return self.truth(canonified(text))
        found = self.scope.get(text)
        if found is None and text.partition("[")[0] in EVERYWHERE:
            return True
        if isinstance(found, Unknown) or (found is None and text.startswith(("sys.", "mon."))):
            raise UnknownResult(f"whether $({text}) has a value is not known here")
        return found is not None

    def choice(self, call: Call) -> object:
        """Return the result of `ifelse`.

        Raises:
            NoResult: a condition holds variables without a value.
            Refused: there is no result for the case that no condition holds.
            UnknownResult: that is not known here.
        """
        if len(call.arguments) % 2 == 0:
            raise Refused("in built-in FnCall ifelse: even number of arguments")
        arguments = [self.known_or_missing(argument) for argument in call.arguments]
        missing = next((one for one in arguments if isinstance(one, NoResult)), None)
        if missing is not None and not isinstance(missing, UnknownResult):
            raise missing
        possible: list[object] = []
        why: UnknownResult | None = None
        for condition, result in zip(arguments[:-1:2], arguments[1::2], strict=False):
            try:
                if isinstance(condition, NoResult):
                    raise condition
                if self.holds_or_not(condition):
                    possible.append(result)
                    break
            except UnknownResult as unknown:
                why = unknown
                possible.append(result)
        else:
            possible += arguments[-1:]
        if not possible:
            raise NoResult("ifelse")
        if why is not None and any(one != possible[0] for one in possible):
            raise why
        if isinstance(possible[0], NoResult):
            raise possible[0]
        return possible[0]

    def known_or_missing(self, value: Value) -> Any:
        """Return a value, or why there is none."""
        try:
            return self.value(value)
        except NoResult as missing:
            return missing

    def logic(self, name: str, call: Call) -> bool:
        """Return the result of `and`, `or` and `not` of class expressions.

        Raises:
            NoResult: one of them has no truth.
            UnknownResult: that of one of them is not known, and decides.
        """
        truths: list[Truth] = []
        for argument in call.arguments:
            try:
                truths.append(self.truth(self.value(argument)))
            except UnknownResult as unknown:
                truths.append(unknown.unknown)
        found = LOGIC[name](truths)
        if isinstance(found, Unknown):
            raise UnknownResult(found)
        return found

    def truth(self, found: object) -> bool:
        """Return whether an evaluated condition holds.

        Raises:
            NoResult: it holds variables without a value, or is no condition.
            UnknownResult: that is not known here.
        """
        if isinstance(found, bool):
            return found
        if isinstance(found, str) and not unresolved(found):
            unknown = unknown_part(found)
            holds = self.holds(found) if unknown is None else unknown
            if isinstance(holds, Unknown):
                raise UnknownResult(holds)
            if holds is not None:
                return holds
        raise NoResult(str(found))

    def holds_or_not(self, found: object) -> bool:
        """Return whether a condition of `ifelse` holds; a text that is no expression does not.

        Raises:
            NoResult: it holds variables.
            UnknownResult: that is not known here.
        """
        if isinstance(found, str) and not unresolved(found) and unknown_part(found) is None:
            holds = self.holds(found)
            if isinstance(holds, Unknown):
                raise UnknownResult(holds)
            return holds is True
        return self.truth(found)

    def condition(self, value: Value) -> Truth:
        """Return whether a condition holds; None if it holds variables without a value."""
        try:
            return self.truth(self.value(value))
        except UnknownResult as found:
            return found.unknown
        except NoResult:
            return None

    def known(self, value: Value) -> Any:
        """Return a value, None where a function has none, and Unknown where it is not known."""
        try:
            return self.value(value)
        except UnknownResult as found:
            return found.unknown
        except NoResult:
            return None


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
