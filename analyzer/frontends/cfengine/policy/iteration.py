"""The iterations of a promise over the lists in its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.frontends.cfengine.policy.unknown import Unknown, unknown_part
from analyzer.frontends.cfengine.policy.variables import Content, Scope, elements

DEEPEST = 100
# Bound besides the item of a list that is not known, so that nobody knows how many items there are.
UNKNOWN_LIST = "unknown list"


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
    if isinstance(value, Unknown):
        return value.many
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
    loose = unknown_part(name) if value is None else None
    if loose is not None:
        # The item of an unknown list, or a variable of the machine with an index.
        yield from turned(names[1:], {**bound, UNKNOWN_LIST: loose}, scope, waits)
    elif isinstance(value, Unknown) and value.many:
        unknown: dict[str, Content] = {name: value.item(), UNKNOWN_LIST: value.item()}
        yield from turned(names[1:], {**bound, **unknown}, scope, waits)
    elif isinstance(value, list | dict) and (value or waits):
        for item in elements(value):
            yield from turned(names[1:], {**bound, name: item}, scope, waits)
    elif isinstance(value, str) and is_iterated(inner, name, value):
        yield from turned(names[1:], {**bound, name: value}, scope, waits)
    elif value is not None or "$" not in names[0] or not waits:
        yield from turned(names[1:], bound, scope, waits)
