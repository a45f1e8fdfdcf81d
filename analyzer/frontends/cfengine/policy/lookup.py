"""The variables, lists and containers that the functions of policies query."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.cfengine.policy.functions import read_data
from analyzer.frontends.cfengine.policy.json_output import compact
from analyzer.frontends.cfengine.policy.unknown import (
    NoResult,
    Truth,
    Unknown,
    UnknownResult,
    first_unknown,
)
from analyzer.frontends.cfengine.policy.variables import Scope, elements
from analyzer.frontends.cfengine.policy.world import World

# Evaluates a class expression.
Holds = Callable[[str], Truth]
# They only put texts together: what is not known stays a variable in the result.
JOINING = frozenset(("concat", "join", "string"))


# A quoted text of JSON, or a bare word that is no key.
WORD = re.compile(
    r'"(?:\\.|[^"\\])*"|\b(?!true\b|false\b|null\b)([A-Za-z_]\w*)\b(?!\s*:)', re.DOTALL
)


class Lookup:
    """Finds variables in the scope of one promise.

    With `again`, texts are expanded a second time, as those of a class's expression are.
    """

    def __init__(
        self, scope: Scope, holds: Holds, *, again: bool = False, world: World | None = None
    ) -> None:
        self.scope = scope
        self.holds = holds
        self.again = again
        self.world = world or World()

    def refuse_unknown(self, arguments: list[object]) -> None:
        """Refuse arguments that are not known.

        Raises:
            UnknownResult: one is not.
        """
        for argument in arguments:
            unknown = first_unknown(argument)
            if unknown is not None:
                raise UnknownResult(unknown)

    def of_lists(self, name: str, arguments: list[object]) -> object:
        """Return the result of a function of lists or containers.

        Raises:
            NoResult: an argument names none.
            UnknownResult: that is not known here.
        """
        from analyzer.frontends.cfengine.policy import list_functions as lists

        if name in lists.LISTS:
            place, function = lists.LISTS[name]
            arguments[place] = elements(self.container(arguments[place]))
            if name not in (*JOINING, *lists.UNREAD):
                self.refuse_unknown(arguments)
        elif name in lists.PAIRS:
            function = lists.PAIRS[name]
            arguments = [elements(self.listed(argument)) for argument in arguments]
            self.refuse_unknown(arguments)
        elif name in lists.CONTAINERS:
            function = lists.CONTAINERS[name]
            found = self.listed if name in lists.OF_ARRAYS else self.container
            arguments[0] = found(arguments[0], array=True)
        else:
            function = lists.merged
            arguments = [self.merged(argument) for argument in arguments]
        return function(*arguments)

    def listed(self, name: object, *, array: bool = False) -> Any:
        """Return the list or container that an argument is or names; with `array`, also the entries
        of an array, and an empty result if there is none.

        Raises:
            NoResult: there is none.
            UnknownResult: it is not known here.
        """
        if isinstance(name, list | dict):
            return name
        text = str(name)
        if text.lstrip()[:1] in ("{", "["):
            return read_data(WORD.sub(self.in_json, text))
        found = self.scope.stored(text)
        if isinstance(found, Unknown):
            raise UnknownResult(found)
        if isinstance(found, list | dict):
            return found
        if array and is_known(text):
            return [found] if isinstance(found, str) else self.scope.array(text)
        raise NoResult(text)

    def container(self, name: object, *, array: bool = True) -> Any:
        """Return the list, container or array that an argument is or names.

        Raises:
            NoResult: there is none.
            UnknownResult: it is not known here.
        """
        found = self.listed(name, array=array)
        if not isinstance(name, str) or name.lstrip()[:1] in ("[", "{"):
            return found
        stored = self.scope.stored(name)
        if not isinstance(stored, list | dict) and (not found or isinstance(stored, str)):
            raise NoResult(name)
        return found

    def in_json(self, found: re.Match[str]) -> str:
        """Return a word of JSON; the name of a variable is replaced by its value."""
        name = found[1]
        value = self.scope.stored(name) if name else None
        if isinstance(value, Unknown):
            raise UnknownResult(value)
        return found[0] if value is None else compact(value)

    def merged(self, name: object) -> object:
        """Return an argument of `mergedata`: a list, a container, or an array.

        Raises:
            NoResult: there is none.
        """
        try:
            return self.listed(name)
        except NoResult:
            found: Any = self.scope.array(str(name)) if is_known(str(name)) else {}
            if not found:
                raise
            return found


def is_known(text: str) -> bool:
    """Return whether a text contains no variables; `@(x)` is plain text to functions."""
    return "$(" not in text and "${" not in text
