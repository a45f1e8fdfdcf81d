"""`%{...}` in data and in hiera.yaml (pops/lookup/interpolation.rb)."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.hiera.values.keys import Segment, dig, split_key
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value

from .errors import NotFound, PuppetFault, issue
from .explain import Read
from .invocation import Invocation
from .scope import MISSING, LookupScope

EXPRESSION = re.compile(r"%\{([^}]*)\}")
METHOD = re.compile(r"""^(\w+)\((?:"([^"]+)"|'([^']+)')\)$""", re.M | re.A)
EMPTY = {"", "::", '""', "''", '"::"', "'::'"}
METHODS = {"lookup", "hiera", "alias", "scope", "literal"}


def interpolate(value: object, invocation: Invocation, methods: bool) -> Any:
    """Return the value with all expressions in its strings replaced, keys of hashes too.

    Unknown where a part is. `methods`: whether calls such as `lookup('k')` are allowed.
    """
    if isinstance(value, str):
        return _string(value, invocation, methods) if "%{" in value else value
    if isinstance(value, list):
        return [interpolate(item, invocation, methods) for item in value]
    if isinstance(value, dict):
        return {
            interpolate(key, invocation, methods): interpolate(item, invocation, methods)
            for key, item in value.items()
        }
    return value


def _string(subject: str, invocation: Invocation, methods: bool) -> Value:
    parts: list[str] = []
    end = 0
    unknown: Unknown | None = None
    known = invocation.expressions
    for match in EXPRESSION.finditer(subject):
        if known is not None and match[1] in known:
            value = known[match[1]]
        else:
            method, value = _expression(match, subject, invocation, methods)
            if method == "alias":
                return value
            if known is not None:
                known[match[1]] = value
        unknown = unknown or find_unknown((value,))
        parts += (subject[end : match.start()], to_s(value))
        end = match.end()
    return unknown or "".join((*parts, subject[end:]))


def _expression(
    match: re.Match[str], subject: str, invocation: Invocation, methods: bool
) -> tuple[str, Value]:
    """Return the method of an expression and its value."""
    text = match[1].strip()
    if text in EMPTY:
        return "scope", None
    method, key = _method(text, methods)
    if method == "alias" and subject != match[0]:
        raise issue(
            "'alias' interpolation is only permitted if the expression is equal to the entire"
            " string"
        )
    if method not in METHODS:
        raise issue(f"Unknown interpolation method '{method}'")
    value = _value(method, key, subject, invocation)
    if method == "alias":
        return method, value
    with invocation.within(f"scope:{key}" if method == "scope" else key):
        return method, interpolate(value, invocation, methods)


def _method(text: str, methods: bool) -> tuple[str, str]:
    call = METHOD.search(text)
    if call is None:
        return "scope", text
    if not methods:
        raise issue("Interpolation using method syntax is not allowed in this context")
    return call[1], call[2] or call[3]


def _value(method: str, key: str, subject: str, invocation: Invocation) -> Value:
    if method == "literal":
        return key
    if method == "scope":
        return scope_value(key, invocation, subject)
    return invocation.find(invocation, key)


def scope_value(key: str, invocation: Invocation, subject: str) -> Value:
    """Return the value of a variable, or of a part of one; None if there is none."""
    root, *segments = split_key(key, f"in string: {subject}")
    if not isinstance(root, str):
        raise PuppetFault(f"Scope variable name {root} is a Integer, not a string")
    value = _part(key, segments, _root_value(root, invocation))
    if invocation.remembered is not None:
        invocation.remembered.append((key, value))
    if invocation.read is not None:
        invocation.read.append(Read((key,)))
    return value


def value_in(scope: LookupScope, key: str) -> Value:
    """Return the value of a variable of a scope, or of a part of one; None if there is none."""
    root, *segments = split_key(key, key)
    value = scope.variable(str(root))
    return None if value is MISSING else _part(key, segments, value)


def _part(key: str, segments: list[Segment], value: Value) -> Value:
    if value is None or not segments:
        return value
    try:
        return dig(key, segments, value)
    except NotFound:
        return None


def _root_value(root: str, invocation: Invocation) -> Value:
    if root in invocation.overrides:
        return invocation.overrides[root]
    if root in invocation.defaults:
        value = invocation.scope.variable(root)
        return invocation.defaults[root] if value is MISSING else value
    value = invocation.variable(root)
    return None if value is MISSING else value
