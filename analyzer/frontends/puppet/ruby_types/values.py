"""Values of Ruby's expressions, and the operators and methods on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from analyzer.frontends.puppet.ruby_types.tokens import Regex
from analyzer.model.values import Value, flat

_LONGEST = 100_000


class Opaque(NamedTuple):
    """A value that is not known, and why."""

    reason: str


class Const(NamedTuple):
    """A module or class, or a constant that no file sets."""

    name: str


class TypeRef(NamedTuple):
    """`Puppet::Type.type(:name)`."""

    name: str


def truth(value: object) -> bool | None:
    """Return whether a condition holds, None where that is not known."""
    if isinstance(value, (Opaque, Const, TypeRef)):
        return None if isinstance(value, Opaque) else True
    return value is not None and value is not False


def text(value: object) -> str | None:
    """Return a value as an interpolation shows it, None where it is not known."""
    if isinstance(value, (str, Regex)):
        return str(value)
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else None


def _join(value: list[object], between: str = "") -> object:
    texts = [text(one) for one in value]
    return Opaque("a join") if None in texts else between.join(t for t in texts if t is not None)


SAME = frozenset(
    {"clone", "dup", "freeze", "itself", "to_a", "to_ary", "to_h", "to_s", "to_str", "to_sym"}
    | {"deep_freeze", "intern", "sort", "to_set", "uniq"}
)

# Methods of known values; the first argument is the value.
METHODS: dict[tuple[type, str], Callable[..., object]] = {
    (str, "downcase"): str.lower,
    (str, "empty?"): lambda value: not value,
    (list, "compact"): lambda value: [one for one in value if one is not None],
    (list, "empty?"): lambda value: not value,
    (list, "first"): lambda value: value[0] if value else None,
    (list, "flatten"): flat,
    (list, "include?"): lambda value, one: one in value,
    (list, "join"): _join,
    (list, "last"): lambda value: value[-1] if value else None,
    (list, "size"): len,
    (dict, "empty?"): lambda value: not value,
    (dict, "keys"): list,
    (dict, "values"): lambda value: list(value.values()),
}


# Methods of a list whose results are not known if some elements are not.
VAGUE = frozenset({"empty?", "first", "include?", "last", "size"})

# Methods that change a list or a hash other than by adding to it.
CHANGING = frozenset(
    {"clear", "compare_by_identity", "concat", "default=", "delete", "delete_at", "delete_if"}
    | {"fill", "insert", "keep_if", "pop", "replace", "shift", "unshift", "update"}
)


def add(container: object, key: object, value: object, certain: bool) -> Value:
    """Add to a list (the key is then None) or a hash; an uncertain value makes it unknown."""
    if not certain:
        value = Opaque("a value that is added conditionally")
    if isinstance(container, list) and key is None:
        container.append(value)
    elif isinstance(container, dict) and isinstance(key, (str, int)):
        container[key] = value
    else:
        spoil(container)
    return container


def is_spoiled(container: object) -> bool:
    """Return whether a list holds unknown values."""
    return isinstance(container, list) and any(isinstance(one, Opaque) for one in container)


def spoil(container: object) -> None:
    """Mark a list or a hash as holding unknown values."""
    if isinstance(container, list):
        container.append(Opaque("a changed list"))
    elif isinstance(container, dict):
        container[Opaque("a changed hash")] = Opaque("a changed hash")


def method_result(value: object, name: str, arguments: list[object]) -> object:
    """Return the result of a method of a value."""
    if name == "nil?" and not isinstance(value, Opaque):
        return value is None
    if name in ("dup", "clone", "to_a", "to_h", "sort", "uniq") and isinstance(value, (list, dict)):
        return value.copy()
    if (name in CHANGING or name[-1] == "!") and isinstance(value, (list, dict)):
        spoil(value)
        return value
    if name in SAME:
        return value
    found = METHODS.get((type(value), name))
    vague = name in VAGUE and is_spoiled(value)
    if vague or found is None or any(isinstance(one, Opaque) for one in arguments):
        return Opaque(f"the result of {name}")
    try:
        return found(value, *arguments)
    except (TypeError, ValueError):
        return Opaque(f"the result of {name}")


def _plus(left: Any, right: Any) -> object:
    if type(left) is type(right) and isinstance(left, (str, list)):
        return left + right if len(left) + len(right) < _LONGEST else Opaque("a long sum")
    return Opaque("a sum")


OPERATORS: dict[str, Callable[[object, Any], object]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "+": _plus,
    "-": lambda left, right: (
        [one for one in left if one not in right]
        if isinstance(left, list) and isinstance(right, list)
        else Opaque("a difference")
    ),
}


def operate(operator: str, left: object, right: object) -> object:
    """Return the result of an operator for two values."""
    if any(isinstance(one, (Opaque, Const, TypeRef)) or is_spoiled(one) for one in (left, right)):
        return Opaque(f"the result of {operator}")
    found = OPERATORS.get(operator)
    return found(left, right) if found else Opaque(f"the result of {operator}")


# How strongly the operators bind.
BINDING = {
    **{"or": 1, "and": 1, "?": 2, "..": 3, "...": 3, "||": 4, "&&": 5},
    **dict.fromkeys(("==", "!=", "=~", "!~", "===", "<=>"), 7),
    **dict.fromkeys(("<", "<=", ">", ">="), 8),
    **{"|": 9, "^": 9, "&": 10, "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13},
    "**": 15,
}


def listed(value: object) -> object:
    """Return the result of `Array(value)`."""
    if value is None or isinstance(value, list):
        return value or []
    return [value] if isinstance(value, (str, int)) else Opaque("a list")


def key_of(value: object) -> object:
    """Return a value as a key of a hash."""
    return value if isinstance(value, (str, int, Opaque, Const)) else Opaque("a key")
