"""Values as text: what interpolation yields (EvaluatorImpl#string), and names for messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from analyzer.model.keys import HashKey, pairs_of
from analyzer.model.quote import float_text
from analyzer.model.values import Default, Deferred, Regexp, Unknown


def text_of(value: Any) -> str:
    """Return a value as it stands in a string."""
    kind = type(value)
    if kind is str:
        return cast("str", value)
    if value is None or kind is bool:
        return "" if value is None else str(value).lower()
    if kind is float:
        return float_text(value)
    if kind is list:
        return f"[{', '.join(map(text_of, value))}]"
    if kind is dict:
        return f"{{{', '.join(f'{text_of(k)} => {text_of(v)}' for k, v in pairs_of(value))}}}"
    write = TEXTS.get(kind)
    return str(value) if write is None else write(value)


def text_of_deferred(value: Deferred) -> str:
    """Return a deferred call as a text."""
    from analyzer.frontends.puppet.types.construct.strings import to_text

    return to_text(value)


# By the type of a value; others have a text of their own.
TEXTS: dict[type, Callable[[Any], str]] = {
    Default: lambda value: "default",
    Deferred: text_of_deferred,
    Regexp: lambda value: "/" + str(value.source).replace("/", "\\/") + "/",
}


def unknown_in(*values: Any) -> Unknown | None:
    """Return the first Unknown among values, looking into arrays and hashes; None if none is."""
    for value in values:
        kind = type(value)
        if kind is Unknown:
            return cast("Unknown", value).as_any()
        if kind is list or kind is tuple:
            found = unknown_in(*value)
        elif kind is dict:
            found = unknown_in(*value, *value.values())
        elif kind is HashKey:
            found = unknown_in(value.entries)
        else:
            continue
        if found is not None:
            return found
    return None
