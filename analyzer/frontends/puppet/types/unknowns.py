"""Values that may be Unknown, or have something Unknown in them: they may be of any type."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.types.base import Type
from analyzer.model.values import Sensitive, Unknown


def is_instance(expected: Type, value: Any) -> bool:
    """Whether a value is of a type; one with something Unknown in it may be, so it is."""
    return expected.instance(value) or has_unknown(value)


def has_unknown(value: Any) -> bool:
    """Whether a value is Unknown, or has something Unknown in it."""
    if isinstance(value, Unknown):
        return True
    if isinstance(value, list):
        return any(map(has_unknown, value))
    if isinstance(value, dict):
        return any(map(has_unknown, value)) or any(map(has_unknown, value.values()))
    return isinstance(value, Sensitive) and has_unknown(value.value)
