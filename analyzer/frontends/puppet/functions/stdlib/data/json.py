"""stdlib's JSON: to_json, to_json_pretty, parsejson, parsepson."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from analyzer.formats.json_reader import JsonError, parse
from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, float_text, text_of, to_s
from analyzer.model.keys import of_key

PRETTY_OPTIONS = (
    "Struct[{indent => Optional[String], space => Optional[String], "
    "space_before => Optional[String], object_nl => Optional[String], "
    "array_nl => Optional[String], allow_nan => Optional[Boolean], "
    "max_nesting => Optional[Integer[-1,default]]}]"
)


@dataclass(slots=True)
class Style:
    """The texts between the parts of JSON, and its limits (JSON::State)."""

    indent: str = ""
    space: str = ""
    space_before: str = ""
    object_nl: str = ""
    array_nl: str = ""
    allow_nan: bool = False
    max_nesting: int = 100


class Generator:
    """Makes JSON in a style."""

    def __init__(self, style: Style) -> None:
        self.style = style

    def value(self, value: Any, depth: int = 0) -> str:
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
            return self.object(value, depth + 1)
        return json.dumps(to_s(value), ensure_ascii=False)

    def float(self, value: float) -> str:
        """Return a float's JSON."""
        if not math.isfinite(value) and not self.style.allow_nan:
            line = 1003 if math.isnan(value) else 1000
            raise Fault(f"{line}: {float_text(value)} not allowed in JSON")
        return float_text(value)

    def enter(self, depth: int) -> None:
        """Refuse what is nested too deeply."""
        if 0 < self.style.max_nesting < depth:
            raise Fault(f"nesting of {depth - 1} is too deep")

    def array(self, values: list[Any], depth: int) -> str:
        """Return an array's JSON."""
        self.enter(depth)
        style = self.style
        indent = style.indent * depth
        inner = f",{style.array_nl}".join(indent + self.value(one, depth) for one in values)
        end = style.array_nl + style.indent * (depth - 1)
        return f"[{style.array_nl}{inner}{end}]"

    def object(self, values: dict[Any, Any], depth: int) -> str:
        """Return a hash's JSON."""
        self.enter(depth)
        style = self.style
        before = style.object_nl + style.indent * depth
        colon = f"{style.space_before}:{style.space}"
        inner = ",".join(
            before + self.value(to_s(of_key(k))) + colon + self.value(v, depth)
            for k, v in values.items()
        )
        end = style.object_nl + style.indent * (depth - 1)
        return f"{{{inner}{end}}}"


@modern("to_json stdlib::to_json", "Any $data")
def to_json(call: Call, data: Any) -> str:
    """Return a value as JSON in one line."""
    return Generator(Style()).value(data)


@modern(
    "to_json_pretty stdlib::to_json_pretty",
    "Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = false, "
    f"{PRETTY_OPTIONS} $opts = {{}}",
)
def to_json_pretty(call: Call, data: Any, skip: Any = False, opts: Any = None) -> str:
    """Return an array or hash as JSON in lines; `skip_undef` leaves out what is undef in it."""
    style = Style("  ", " ", "", "\n", "\n")
    for name, value in (opts or {}).items():
        if name == "max_nesting":
            style.max_nesting = max(value or 0, 0)
        elif name == "allow_nan":
            style.allow_nan = bool(value)
        elif value is not None:
            setattr(style, name, value)
    if skip and isinstance(data, dict):
        data = {k: v for k, v in data.items() if v is not None}
    elif skip:
        data = [one for one in data if one is not None]
    return Generator(style).value(data) + "\n"


@legacy("parsejson")
def parsejson(call: Call, *values: Any) -> Any:
    """Return the value of JSON; the second argument if it is wrong, null or false."""
    if not values:
        raise Fault("Wrong number of arguments. 1 or 2 arguments should be provided.")
    default = values[1] if len(values) > 1 else None
    try:
        found = parse(text_of(values[0]))
    except (Fault, JsonError) as error:
        if default is None or default is False:
            raise Fault(str(error)) from None
        return default
    return default if found is None or found is False else found


def parse_pson(text: str) -> Any:
    """Return the value of PSON, Puppet's own JSON, in which a document is an array or a hash.

    Raises:
        Fault: the text is not PSON.
    """
    try:
        value = parse(text)
    except JsonError as error:
        raise Fault(str(error)) from None
    if not isinstance(value, list | dict):
        raise Fault(f"source '{text}' not in PSON!")
    return value


@modern("parsepson stdlib::parsepson", "String[1] $pson_string, Any $default = undef")
def parsepson(call: Call, text: str, *default: Any) -> Any:
    """Return the value of PSON; the second argument if it is wrong."""
    try:
        return parse_pson(text)
    except Fault:
        if default:
            return default[0]
        raise
