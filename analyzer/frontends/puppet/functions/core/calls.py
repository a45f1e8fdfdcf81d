"""convert_to, unwrap and generate, and the functions that log."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.functions.registry import (
    Call,
    Depth,
    function,
    legacy_function,
)
from analyzer.model.values import Sensitive, Unknown, Value

LEVELS = ("alert", "crit", "debug", "emerg", "err", "info", "notice", "warning")
COMMAND = re.compile(r"^[-/\w.+]+$", re.M | re.A)


@function(
    "convert_to",
    "Any $value, Type $type, Any *$args, &Optional[Callable[1, 1]] $block",
    depth=Depth.ARGUMENTS,
)
def convert_to(call: Call, value: object, type_: object, *arguments: object) -> Value:
    """Return a value as an instance of a type, or the result of the block on it."""
    result = call.call("new", type_, value, *arguments)
    return result if call.block is None else call.block(result)


@function(
    "unwrap",
    "Sensitive $arg, &Optional[Callable] $block",
    "Any $arg, &Optional[Callable] $block",
    depth=Depth.NOWHERE,
)
def unwrap(call: Call, value: object) -> Value:
    """Return the value of a Sensitive, or the result of the block for it."""
    inner = value.value if isinstance(value, Sensitive) else value
    return inner if call.block is None else call.block(inner)


@legacy_function("generate", -2)
def generate(call: Call, command: str, *arguments: object) -> Unknown:
    """Return an Unknown: no command is run."""
    if not str(command).startswith("/"):
        call.fail("Generators must be fully qualified")
    if not COMMAND.search(command):
        call.fail("Generators can only contain alphanumerics, file separators, and dashes")
    if ".." in command:
        call.fail("Can not use generators with '..' in them.")
    return Unknown(f"generate('{command}') runs a command")


def register(level: str) -> None:
    """Make the function that logs at a level."""

    def log(call: Call, *values: object) -> None:
        call.log(level, *values)

    function(level, "Any *$values", depth=Depth.NOWHERE)(log)


for each_level in LEVELS:
    register(each_level)
