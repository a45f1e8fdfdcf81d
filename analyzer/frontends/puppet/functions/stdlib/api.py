"""How stdlib's functions are registered: their errors are raised as Fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from analyzer.frontends.puppet.functions.registry import (
    Call,
    Implementation,
    Looks,
    function,
    legacy_function,
)
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault

Function = TypeVar("Function", bound=Implementation)


def reported(compute: Implementation) -> Implementation:
    """Return an implementation whose faults end the evaluation."""

    def run(call: Call, *arguments: Any) -> Any:
        try:
            return compute(call, *arguments)
        except Fault as fault:
            call.fail(str(fault))

    return run


def looks(moves: bool) -> Looks:
    """Return how far a function looks; one that only moves elements bears unknown ones."""
    return Looks.ARGUMENTS if moves else Looks.DEEP


def legacy(name: str, arity: int = -1, *, moves: bool = False) -> Callable[[Function], Function]:
    """Register a function of the 3.x API; `arity` -3 means: two arguments or more."""

    def register(compute: Function) -> Function:
        legacy_function(name, arity, looks(moves))(reported(compute))
        return compute

    return register


def modern(names: str, *signatures: str, moves: bool = False) -> Callable[[Function], Function]:
    """Register a function of the 4.x API under one name or more, separated by spaces.

    stdlib 9 moved many to `stdlib::`, without other changes.
    """

    def register(compute: Function) -> Function:
        for name in names.split():
            function(name, *signatures, looks=looks(moves))(reported(compute))
        return compute

    return register
