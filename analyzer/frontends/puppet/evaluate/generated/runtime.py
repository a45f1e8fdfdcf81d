"""Functions that generated code calls where a value is none of the common ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from analyzer.frontends.puppet.evaluate.access import part_of
from analyzer.frontends.puppet.evaluate.arithmetic import general
from analyzer.frontends.puppet.evaluate.compare import HOLDING, equal, equal_if_known, fold
from analyzer.frontends.puppet.evaluate.errors import (
    BreakJump,
    EvaluationError,
    NextJump,
    Unit,
    fail,
)
from analyzer.frontends.puppet.evaluate.operators import negated, ordered
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.evaluate.text import text_of, unknown_in
from analyzer.frontends.puppet.evaluate.thunks import Thunk
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.model.keys import keys_of, pairs_of
from analyzer.model.unknowns import entry_of
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.frontends.puppet.evaluate.machine import Machine

# Numbers of a range that code goes through without the function that counts them.
MOST_STEPS = 100_000


def known(frame: dict[str, Any]) -> dict[str, Any]:
    """Return the variables that have a value."""
    return {name: value for name, value in frame.items() if value is not MISSING}


def aside(thunk: Thunk, machine: Machine, scope: Scope, *frames: dict[str, Any]) -> Any:
    """Return the value of a closure that sees the variables of lambdas in frames."""
    around = scope.frames
    level = len(around)
    around.extend(frames)
    try:
        return thunk(machine, scope)
    finally:
        del around[level:]


def first_unknown(*texts: Any) -> Any:
    """Return the first text that is not known."""
    return next(text for text in texts if type(text) is Unknown)


def part(value: Any, keys: list[Any], node: Any, unit: Unit, machine: Machine) -> Any:
    """Return a part of a value of any kind."""
    if type(value) is dict and len(keys) == 1:
        return entry_of(value, keys[0])
    if type(value) is Unknown:
        return value
    unknown = unknown_in(*keys)
    if unknown is not None:
        return unknown
    if isinstance(value, Type):
        return machine.parameterize(value, keys, node, unit)
    return part_of(value, keys, node, unit, machine)


def equality(first: Any, second: Any, wanted: bool) -> Any:
    """Return whether two values are equal, as is wanted, or the Unknown that decides."""
    if type(first) is Unknown or type(second) is Unknown:
        return unknown_in(first, second)
    if type(first) in HOLDING:
        same = equal_if_known(first, second)
        return same.as_any() if type(same) is Unknown else same is wanted
    return equal(first, second) is wanted


def minus(value: Any, node: Any, unit: Unit, machine: Machine) -> Any:
    """Return the negative of a value."""
    return value if type(value) is Unknown else negated(value, node, unit, machine)


def reassigned(node: Any, unit: Unit, name: str) -> NoReturn:
    """Refuse a second value for a variable."""
    fail(unit, node, "ILLEGAL_REASSIGNMENT", name=name)


def unmatched(node: Any, unit: Unit, value: Any) -> NoReturn:
    """Refuse a value that no entry of a selector is for."""
    fail(unit, node.left_expr, "UNMATCHED_SELECTOR", value=text_of(value))


def items(value: Any) -> Iterable[Any] | None:
    """Return the elements of an array, a hash or a short range; None of anything else."""
    if type(value) is list:
        return value
    if type(value) is dict:
        return pairs_of(value)
    if type(value) is IntegerType and value.low is not None and value.high is not None:
        numbers = range(value.low, value.high + 1)
        return numbers if value.high - value.low < MOST_STEPS and numbers else None
    return None


def numbered(value: Any) -> Iterable[Any] | None:
    """Return keys or indexes with the elements of a value, None of what has none here."""
    if type(value) is dict:
        return zip(keys_of(value), value.values(), strict=True)
    found = items(value)
    return None if found is None else enumerate(found)


NAMESPACE = {
    "BreakJump": BreakJump,
    "EvaluationError": EvaluationError,
    "MISSING": MISSING,
    "NextJump": NextJump,
    "Unknown": Unknown,
    "aside": aside,
    "entry_of": entry_of,
    "equality": equality,
    "first_unknown": first_unknown,
    "fold": fold,
    "general": general,
    "instance": instance,
    "items": items,
    "known": known,
    "minus": minus,
    "numbered": numbered,
    "ordered": ordered,
    "part": part,
    "reassigned": reassigned,
    "unmatched": unmatched,
}
