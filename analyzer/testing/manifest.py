"""The Puppet code that declares a class or define under test, with its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.model.names import split_ref
from analyzer.model.refs import ResourceRef
from analyzer.model.values import DEFAULT, Sensitive

if TYPE_CHECKING:
    from collections.abc import Iterable


def declaration(subject: str, parameters: Mapping[str, Any]) -> str:
    """Return the declaration of a class (`role::web`) or of a resource (`Role::Site[example]`)."""
    parts = split_ref(subject)
    if parts is None and not parameters:
        return f"include {literal(subject)}"
    kind, title = ("class", subject) if parts is None else (parts[0].lower(), parts[1])
    rows = (f"  {name} => {literal(value)},\n" for name, value in parameters.items())
    return f"{kind} {{ {literal(title)}:\n{''.join(rows)}}}"


def literal(value: object) -> str:
    """Return a Python value in the Puppet language.

    Raises:
        TypeError: the Puppet language has no such value.
    """
    if value is None or isinstance(value, bool):
        return {None: "undef", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    if isinstance(value, ResourceRef):
        return f"{value.type}[{literal(value.title)}]"
    if isinstance(value, Sensitive):
        return f"Sensitive({literal(value.value)})"
    if value is DEFAULT:
        return "default"
    if isinstance(value, Mapping):
        return f"{{{listed(f'{literal(key)} => {literal(v)}' for key, v in value.items())}}}"
    if isinstance(value, Sequence):
        return f"[{listed(map(literal, value))}]"
    raise TypeError(f"the Puppet language has no value for {value!r}")


def listed(parts: Iterable[str]) -> str:
    """Return parts with commas between them."""
    return ", ".join(parts)
