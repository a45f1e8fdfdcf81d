"""Arguments as the 3.x API converts them (Puppet's Runtime3FunctionArgumentConverter)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.types.model.wrappers import Iteration
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Regexp, Value
from analyzer.model.versions import SemVer, SemVerRange

TEXTS = (Binary, SemVer, SemVerRange, Timespan, Timestamp)


def legacy_value(value: object, fail: Callable[[str], NoReturn]) -> Value:
    """Return a value as a function of the 3.x API gets it; `fail` raises the error for others."""
    if type(value) is str:
        return value
    match value:
        case list():
            return [legacy_value(each, fail) for each in value]
        case dict():
            return {legacy_value(k, fail): legacy_value(v, fail) for k, v in value.items()}
        case Regexp():
            return inspect(value)
        case Iteration():
            fail("Use of an Iterator is not supported here")
    return str(value) if isinstance(value, TEXTS) else value
