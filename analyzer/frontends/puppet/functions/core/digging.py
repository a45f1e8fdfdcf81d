"""dig, get and getvar: values inside of values."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.functions.registry import Call, Depth, function
from analyzer.frontends.puppet.types.model.builtin import ERROR
from analyzer.frontends.puppet.types.model.objects import ObjectValue
from analyzer.model.unknowns import entry_of
from analyzer.model.values import Unknown, Value

SPECIAL = re.compile(r"['\".]")
SEGMENT = re.compile(r"(\s*\"[^\"]+\"\s*|\s*'[^']+'\s*|[^'\".]+)")
INTEGER = re.compile(r"^:?[+-]?[0-9]+$", re.M)
VARIABLE = re.compile(r"^((?:::)?(?:\w+::)*\w+)(.*)\Z", re.M | re.S | re.A)


class NotThere(Exception):
    """A path that leads into what is no array or hash; the details of Puppet's Error value."""

    def __init__(self, message: str, code: str, details: dict[str, Value]) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.details = details


def walk(call: Call, data: object, path: tuple[object, ...]) -> Value:
    """Return the value at a path; undef and Unknown end it.

    Raises:
        NotThere: a value on the way is no array or hash.
    """
    walked: list[Value] = []
    for step in path:
        if data is None or step is None:
            return None
        if isinstance(data, Unknown):
            return data
        if not isinstance(data, (list, dict)):
            raise refusal(call, "does not contain a Collection", walked, data, "value")
        walked.append(step)
        if isinstance(data, dict):
            data = entry_of(data, step)
        elif isinstance(step, int) and not isinstance(step, bool):
            data = data[step] if -len(data) <= step < len(data) else None
        else:
            raise refusal(call, "requires an Integer index", walked, step, "index")
    return data


def refusal(call: Call, reason: str, walked: list[object], value: object, what: str) -> NotThere:
    """Return the error of a path."""
    kind = call.call("type", value, "reduced")
    code = "EXPECTED_COLLECTION" if what == "value" else "EXPECTED_INTEGER_INDEX"
    message = f"The given data {reason} at {inspect(walked)}, got '{kind}'"
    return NotThere(message, code, {"walked_path": walked, f"{what}_type": kind})


@function("dig", "Optional[Collection] $data, Any *$arg", depth=Depth.ARGUMENTS)
def dig(call: Call, data: object, *path: object) -> Value:
    """Return the value at a path of keys and indexes."""
    try:
        return walk(call, data, path)
    except NotThere as error:
        call.fail(error.message)


@function(
    "get",
    "Any $value, String $dotted_string, Optional[Any] $default_value = undef, "
    "&Optional[Callable[1, 1]] $block",
    depth=Depth.ARGUMENTS,
)
def get(call: Call, value: object, dotted: str, default: object = None) -> Value:
    """Return the value at a path with dots; the block gets the error if there is one."""
    if value is None:
        return default
    if not dotted:
        return value
    path = segments(f"x.{dotted}")
    if path is None:
        call.fail("Syntax error in dotted-navigation string")
    if not isinstance(value, (list, dict)):
        found = call.call("dig", value, *path[1:])
        return default if found is None else found
    try:
        found = walk(call, value, tuple(path[1:]))
    except NotThere as error:
        if call.block is None:
            call.fail(error.message)
        named = ("msg", "kind", "details", "issue_code")
        told = (error.message, "SLICE_ERROR", error.details, error.code)
        return call.block(ObjectValue(ERROR, dict(zip(named, told, strict=True))))
    return default if found is None else found


def segments(key: str) -> list[Value] | None:
    """Return the parts of a key with dots, None if they are not right."""
    if not SPECIAL.search(key):
        return [key]
    parts = SEGMENT.split(key)
    while parts and not parts[-1]:
        parts.pop()
    if len(parts) < 2 or parts.pop(0):
        return None
    count = len(parts)
    names = [part for part in parts if part != "."]
    return list(map(segment, names)) if len(names) * 2 == count + 1 else None


def segment(text: str) -> Value:
    """Return a part of a key: without quotes, or an index."""
    text = text.strip(" \t\n\v\f\r\0")
    if text.startswith(("'", '"')):
        return text[1:-1]
    return int(text.lstrip(":")) if INTEGER.search(text) else text


@function(
    "getvar",
    r"Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string, "
    "Optional[Any] $default_value = undef, &Optional[Callable[1, 1]] $block",
    depth=Depth.ARGUMENTS,
)
def getvar(call: Call, text: str, default: object = None) -> Value:
    """Return a variable's value, or the part of it at a path with dots."""
    match = VARIABLE.search(text)
    assert match is not None
    name, path = match[1], match[2]
    if path and not path.startswith("."):
        call.fail("First character after var name in get string must be a '.' - got " + path[0])
    return get(call, call.variable(name), path[1:], default)


@function(
    "getvar",
    "String $get_string, Optional[Any] $default_value = undef, &Optional[Callable] $block",
    mismatch=True,
)
def getvar_mismatch(call: Call, text: str, default: object = None) -> str:
    """Refuse a text that is no name of a variable."""
    return "The given string does not start with a valid variable name"
