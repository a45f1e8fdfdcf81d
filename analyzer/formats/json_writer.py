"""Writes JSON as Ruby's json does (JSON::State)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass

from analyzer.formats.json_reader import JsonError
from analyzer.model.keys import of_key
from analyzer.model.quote import float_text


@dataclass(slots=True)
class JsonStyle:
    """The texts between the parts of JSON, and its limits (JSON::State)."""

    indent: str = ""
    space: str = ""
    space_before: str = ""
    object_nl: str = ""
    array_nl: str = ""
    allow_nan: bool = False
    max_nesting: int = 100


class JsonGenerator:
    """Makes JSON in a style; `other` makes text of values that JSON does not have."""

    def __init__(self, style: JsonStyle, other: Callable[[object], str] = str) -> None:
        self.style = style
        self.other = other

    def value(self, value: object, depth: int = 0) -> str:
        """Return a value's JSON."""
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return self.float(value)
        if isinstance(value, list):
            return self.array(value, depth + 1)
        if isinstance(value, dict):
            return self.mapping(value, depth + 1)
        return json.dumps(self.other(value), ensure_ascii=False)

    def float(self, value: float) -> str:
        """Return a float's JSON."""
        if not math.isfinite(value) and not self.style.allow_nan:
            line = 1003 if math.isnan(value) else 1000
            raise JsonError(f"{line}: {float_text(value)} not allowed in JSON")
        return float_text(value)

    def enter(self, depth: int) -> None:
        """Refuse what is nested too deeply."""
        if 0 < self.style.max_nesting < depth:
            raise JsonError(f"nesting of {depth - 1} is too deep")

    def array(self, values: list[object], depth: int) -> str:
        """Return an array's JSON."""
        self.enter(depth)
        style = self.style
        indent = style.indent * depth
        inner = f",{style.array_nl}".join(indent + self.value(one, depth) for one in values)
        end = style.array_nl + style.indent * (depth - 1)
        return f"[{style.array_nl}{inner}{end}]"

    def mapping(self, values: dict[object, object], depth: int) -> str:
        """Return a hash's JSON."""
        self.enter(depth)
        style = self.style
        before = style.object_nl + style.indent * depth
        colon = f"{style.space_before}:{style.space}"
        inner = ",".join(
            before + self.value(self.name(k)) + colon + self.value(v, depth)
            for k, v in values.items()
        )
        end = style.object_nl + style.indent * (depth - 1)
        return f"{{{inner}{end}}}"

    def name(self, key: object) -> str:
        """Return the text of a key."""
        return key if isinstance(key, str) else self.other(of_key(key))
