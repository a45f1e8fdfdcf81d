"""The contributors of what functions return, of those that return a part of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from analyzer.frontends.puppet.origins.contributors import (
    NOTHING,
    Contributor,
    Trail,
    flat,
    union,
)
from analyzer.frontends.puppet.origins.parts import Evaluated, Part
from analyzer.frontends.puppet.origins.recorder import Recorder
from analyzer.model.keys import as_key

OfCall = Callable[[Recorder, Evaluated], Trail | None]

# The trails of what functions return by their names; None: all arguments contribute.
FUNCTIONS: dict[str, OfCall] = {}


def returns(*names: str) -> Callable[[OfCall], OfCall]:
    """Register the trail of what functions return."""

    def register(of_call: OfCall) -> OfCall:
        for name in names:
            FUNCTIONS[name] = FUNCTIONS[f"stdlib::{name}"] = of_call
        return of_call

    return register


def element(trail: Trail, whole: object, key: Any) -> Trail:
    """Return the trail of an element; that there is none depends on the whole alone."""
    if not isinstance(whole, (list, dict)):
        return trail.element(key)
    if type(key) is int and key < 0 and isinstance(whole, list):
        key += len(whole)
    name = as_key(key)
    known = isinstance(whole, dict) or type(name) is int
    if known and trail.elements is not None and name not in trail.elements:
        # A world may have one there.
        return Trail((Contributor("element", str(key), trail.shape),))
    return trail.element(name)


def inside(part: Part, keys: Iterable[Any]) -> Trail:
    """Return the trail of what some keys lead to, one after the other."""
    _, value, trail = part
    for key in keys:
        trail = element(trail, value, key)
        try:
            value = value[as_key(key) if isinstance(value, dict) else key]
        except (IndexError, KeyError, TypeError):
            value = None
    return trail


@returns("dig")
def dig(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of an element of an element."""
    if not it.parts or not isinstance(it.parts[0][1], (list, dict)):
        return None
    first, *rest = it.parts
    keys = flat(trail for *_, trail in rest)
    return inside(first, (value for _, value, _ in rest)).within(*keys)


@returns("get")
def get(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of an element, as a text with dots names it."""
    if len(it.parts) not in (2, 3) or not isinstance(it.parts[0][1], (list, dict)):
        return None
    first, *rest = it.parts
    keys = path_in(rest[0][1])
    return None if keys is None else inside(first, keys).within(*flat(one[2] for one in rest))


def of_arguments(it: Evaluated) -> Iterable[Contributor]:
    """Return the contributors of the arguments, without variables that the function reads."""
    return flat(trail for node, _, trail in it.parts if node is not None)


@returns("getvar")
def getvar(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of a variable, or of an element of one."""
    name = it.parts[0][1] if it.parts else None
    if not isinstance(name, str):
        return None
    root, _, rest = name.partition(".")
    keys = path_in(rest) if rest else ()
    trail = trace.of_variable(root, it.scope)
    for key in keys if keys is not None else ():
        trail = trail.element(key)
    return trail.within(*of_arguments(it))


@returns("fact")
def fact(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of a fact."""
    name = it.parts[0][1] if it.parts else None
    keys = path_in(name)
    if keys is None:
        return None
    trail = trace.of_variable("::facts", it.scope)
    for key in keys:
        trail = trail.element(key)
    return trail.within(*of_arguments(it))


def path_in(text: object) -> Sequence[Any] | None:
    """Return the keys that a text with dots names, None if some are quoted."""
    if not isinstance(text, str) or not text or '"' in text or "'" in text:
        return None
    return [int(one) if one.isdigit() else one for one in text.split(".")]


@returns("pick", "pick_default")
def pick(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of the first value that is given; those before it decided about it."""
    before: list[Contributor] = []
    for _, value, trail in it.parts:
        if value is it.value:
            return trail.within(*before)
        before += trail.everything()
    return None


@returns("keys", "length", "size", "empty", "has_key")
def of_shape(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of what depends on the keys of a hash, and not on their elements.

    Of an array it is the number of elements.
    """
    if not it.parts or type(it.parts[0][1]) not in (list, dict):
        return None
    (*_, trail), *rest = it.parts
    return Trail(union(trail.shape, flat(one[2] for one in rest)))


@returns("merge")
def merge(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of a hash that is made of several."""
    return merged(it.parts) if type(it.value) is dict else None


@returns("deep_merge")
def deep_merge(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of a hash that is made of several, with hashes inside merged, too."""
    if type(it.value) is not dict:
        return None
    parts = [part for part in it.parts if part[1] not in ("", None)]
    empty = flat(trail for _, value, trail in it.parts if value in ("", None))
    return merged(parts, deep=True).within(*empty)


def merged(parts: Iterable[Part], *, deep: bool = False) -> Trail:
    """Return the trail of a hash that is made of several: the entries keep theirs.

    Of a hash that is known only as a whole any entry may win.
    """
    shape: list[Contributor] = []
    elements: dict[Any, Trail] = {}
    values: dict[Any, Any] = {}
    for node, value, trail in parts:
        if type(value) is not dict:
            shape += trail.everything()
            continue
        shape += trail.shape
        for key, one in value.items():
            own = NOTHING if trail.elements is None else trail.elements.get(key, NOTHING)
            before = values.get(key)
            if deep and type(one) is dict and type(before) is dict:
                several: list[Part] = [(node, before, elements[key]), (node, one, own)]
                own = merged(several, deep=True)
                values[key] = {**before, **one}
            else:
                values[key] = one
            elements[key] = own
    return Trail(union(shape), elements)


def iterated(it: Evaluated, results: list[Any]) -> bool:
    """Return whether a call has one collection, and a value of its lambda for each element."""
    if not it.parts or type(it.parts[0][1]) not in (list, dict):
        return False
    return len(results) == len(it.parts[0][1]) == len(it.parts) - 1


@returns("map")
def mapped(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of an array that a lambda makes element by element."""
    if type(it.value) is not list or not iterated(it, it.value):
        return None
    (*_, trail), *results = it.parts
    if not all(one is value for (_, one, _), value in zip(results, it.value, strict=True)):
        return None
    return Trail(trail.shape, {i: one.within(*trail.shape) for i, (*_, one) in enumerate(results)})


@returns("filter")
def filtered(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of what a lambda leaves of an array or hash: the elements keep theirs."""
    if type(it.value) not in (list, dict) or not iterated(it, it.parts[1:]):
        return None
    (_, whole, trail), *tests = it.parts
    shape = union(trail.shape, flat(one for *_, one in tests))
    if type(whole) is dict and type(it.value) is dict:
        return Trail(shape, {key: element(trail, whole, key) for key in it.value})
    kept = [i for i, (_, one, _) in enumerate(tests) if one is not None and one is not False]
    if type(whole) is not list or len(kept) != len(it.value):
        return None
    return Trail(shape, {i: element(trail, whole, at) for i, at in enumerate(kept)})


@returns("concat")
def concat(trace: Recorder, it: Evaluated) -> Trail | None:
    """Return the trail of an array that is made of several, whose elements keep theirs."""
    if type(it.value) is not list:
        return None
    shape: list[Contributor] = []
    elements: dict[Any, Trail] = {}
    for _, value, trail in it.parts:
        several = value if type(value) is list else [value]
        if type(value) is list:
            shape += trail.shape
        for number in range(len(several)):
            own = element(trail, value, number) if type(value) is list else trail
            elements[len(elements)] = own
    return Trail(union(shape), elements) if len(elements) == len(it.value) else None
