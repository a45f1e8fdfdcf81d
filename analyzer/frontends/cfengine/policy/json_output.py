"""Containers in JSON, as the agent writes them: members by name, fractions with four digits."""

from __future__ import annotations

import json
from typing import Any


def written(value: Any) -> str:
    """Return a container on several lines."""
    return text_of(value, "\n", 0)


def compact(value: Any) -> str:
    """Return a container on one line."""
    return text_of(value, "", 0)


def text_of(value: Any, newline: str, depth: int) -> str:
    """Return a value, its items on lines of their own or behind each other."""
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
