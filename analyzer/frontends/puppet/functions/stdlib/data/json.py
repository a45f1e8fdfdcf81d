"""stdlib's JSON: to_json, to_json_pretty, parsejson, parsepson."""

from __future__ import annotations

from typing import Any

from analyzer.formats.json_reader import JsonError, parse
from analyzer.formats.json_writer import JsonGenerator, JsonStyle
from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, text_of, to_s
from analyzer.model.values import Value

PRETTY_OPTIONS = (
    "Struct[{indent => Optional[String], space => Optional[String], "
    "space_before => Optional[String], object_nl => Optional[String], "
    "array_nl => Optional[String], allow_nan => Optional[Boolean], "
    "max_nesting => Optional[Integer[-1,default]]}]"
)


def written(data: object, style: JsonStyle) -> str:
    """Return a value as JSON in a style."""
    try:
        return JsonGenerator(style, to_s).value(data)
    except JsonError as error:
        raise Fault(str(error)) from None


@modern("to_json stdlib::to_json", "Any $data")
def to_json(call: Call, data: object) -> str:
    """Return a value as JSON in one line."""
    return written(data, JsonStyle())


@modern(
    "to_json_pretty stdlib::to_json_pretty",
    "Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = false, "
    f"{PRETTY_OPTIONS} $opts = {{}}",
)
def to_json_pretty(call: Call, data: Any, skip: Value = False, opts: Any = None) -> str:
    """Return an array or hash as JSON in lines; `skip_undef` leaves out undef values."""
    style = JsonStyle("  ", " ", "", "\n", "\n")
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
    return written(data, style) + "\n"


@legacy("parsejson")
def parsejson(call: Call, *values: object) -> Value:
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


def parse_pson(text: str) -> Value:
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
def parsepson(call: Call, text: str, *default: object) -> Value:
    """Return the value of PSON; the second argument if it is wrong."""
    try:
        return parse_pson(text)
    except Fault:
        if default:
            return default[0]
        raise
