"""Containers in JSON, as the agent writes them: members by name, fractions with four digits."""

from __future__ import annotations

import json
from typing import Any

from analyzer.frontends.cfengine.policy.unknown import Unknown, UnknownResult


def written(value: Any) -> str:
    """Return a container on several lines."""
    return text_of(value, "\n", 0)


def compact(value: Any) -> str:
    """Return a container on one line."""
    return text_of(value, "", 0)


def text_of(value: Any, newline: str, depth: int) -> str:
    """Return a value, its items on lines of their own or behind each other.

    Raises:
        UnknownResult: a part of it is not known.
    """
    if isinstance(value, Unknown):
        raise UnknownResult(value)
    if isinstance(value, float):
        return f"{value:.4f}"
    if not isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    space = " " if newline else ""
    if isinstance(value, dict):
        items = [
            f"{json.dumps(key, ensure_ascii=False)}:{space}{text_of(item, newline, depth + 1)}"
            for key, item in sorted(value.items())
        ]
    else:
        items = [text_of(item, newline, depth + 1) for item in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    outer = newline + "  " * depth if newline else ""
    inner = newline + "  " * (depth + 1) if newline else ""
    return opening + ",".join(inner + item for item in items) + (outer if items else "") + closing


def sort_members(value: Any) -> None:
    """Sort the members of a container, as the agent does when it writes it."""
    if isinstance(value, dict):
        members = sorted(value.items())
        value.clear()
        value.update(members)
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict | list):
            sort_members(item)
