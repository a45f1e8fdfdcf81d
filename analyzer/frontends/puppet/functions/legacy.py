"""What the 3.x API makes of arguments (Puppet's Runtime3FunctionArgumentConverter)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.types.model.wrappers import Iteration
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Regexp
from analyzer.model.versions import SemVer, SemVerRange

TEXTS = (Binary, SemVer, SemVerRange, Timespan, Timestamp)


def legacy_value(call: Call, value: Any) -> Any:
    """Return a value as a function of the 3.x API gets it."""
    match value:
        case list():
            return [legacy_value(call, each) for each in value]
        case dict():
            return {legacy_value(call, k): legacy_value(call, v) for k, v in value.items()}
        case Regexp():
            return inspect(value)
        case Iteration():
            call.fail("Use of an Iterator is not supported here")
    return str(value) if isinstance(value, TEXTS) else value
