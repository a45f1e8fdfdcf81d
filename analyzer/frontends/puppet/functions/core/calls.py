"""convert_to, unwrap and generate, and the functions that log."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.functions.registry import (
    Call,
    Looks,
    function,
    legacy_function,
)
from analyzer.model.values import Sensitive, Unknown

LEVELS = ("alert", "crit", "debug", "emerg", "err", "info", "notice", "warning")
COMMAND = re.compile(r"^[-/\w.+]+$", re.M | re.A)


@function(
    "convert_to",
    "Any $value, Type $type, Any *$args, &Optional[Callable[1, 1]] $block",
    looks=Looks.ARGUMENTS,
)
def convert_to(call: Call, value: Any, type_: Any, *arguments: Any) -> Any:
    """Return a value as an instance of a type, or what the block makes of that."""
    result = call.call("new", type_, value, *arguments)
    return result if call.block is None else call.block(result)


@function(
    "unwrap",
    "Sensitive $arg, &Optional[Callable] $block",
    "Any $arg, &Optional[Callable] $block",
    looks=Looks.NOWHERE,
)
def unwrap(call: Call, value: Any) -> Any:
    """Return what a Sensitive holds, or what the block makes of it."""
    inner = value.value if isinstance(value, Sensitive) else value
    return inner if call.block is None else call.block(inner)


@legacy_function("generate", -2)
def generate(call: Call, command: str, *arguments: Any) -> Unknown:
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

    def log(call: Call, *values: Any) -> None:
        call.log(level, *values)

    function(level, "Any *$values", looks=Looks.NOWHERE)(log)


for each_level in LEVELS:
    register(each_level)
