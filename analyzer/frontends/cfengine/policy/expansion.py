"""Expands the values of variables as CFEngine does when it sets them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.cfengine.policy.lookup import is_known
from analyzer.frontends.cfengine.policy.variables import Content, Scope, elements
from analyzer.frontends.cfengine.syntax.ranges import is_naked

# How often CFEngine expands a value to find the variable in it.
DEEPEST_VALUE = 5


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


def holds_variables(value: Content) -> bool:
    """Return whether a text, or an item of a list, contains variables."""
    if isinstance(value, str):
        return "$" in value or value[:1] == "@"
    return type(value) is list and any(holds_variables(item) for item in value)


def expanded(items: list[object], scope: Scope) -> Iterator[object]:
    """Yield a list's items with their variables, those of `@(x)` in its place."""
    for item in items:
        found = scope.list(item) if isinstance(item, str) and item[:2] in ("@(", "@{") else None
        if isinstance(found, list | dict):
            yield from elements(found)
        else:
            yield scope.expand(item) if isinstance(item, str) else item
