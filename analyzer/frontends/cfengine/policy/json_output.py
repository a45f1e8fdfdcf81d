"""Containers as the agent writes them in JSON."""

from __future__ import annotations

import json
from typing import Any


def written(value: Any) -> str:
    """Return a container on several lines."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def compact(value: Any) -> str:
    """Return a container on one line."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
