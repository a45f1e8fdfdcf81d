"""Registers stdlib's functions; they raise their errors as Fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from analyzer.frontends.puppet.functions.registry import (
    Call,
    Depth,
    Implementation,
    function,
    legacy_function,
)
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault
from analyzer.model.values import Value

Function = TypeVar("Function", bound=Implementation)


def reported(compute: Implementation) -> Implementation:
    """Return an implementation whose faults end the evaluation."""

    def run(call: Call, *arguments: object) -> Value:
        try:
            return compute(call, *arguments)
        except Fault as fault:
            call.fail(str(fault))

    return run


def depth_of(moves: bool) -> Depth:
    """Return how deeply a function reads; one that only moves elements accepts unknown ones."""
    return Depth.ARGUMENTS if moves else Depth.DEEP


def legacy(name: str, arity: int = -1, *, moves: bool = False) -> Callable[[Function], Function]:
    """Register a function of the 3.x API; `arity` -3 means: two arguments or more."""

    def register(compute: Function) -> Function:
        legacy_function(name, arity, depth_of(moves))(reported(compute))
        return compute

    return register


def modern(names: str, *signatures: str, moves: bool = False) -> Callable[[Function], Function]:
    """Register a function of the 4.x API under one name or more, separated by spaces.

    stdlib 9 moved many to `stdlib::`, without other changes.
    """

    def register(compute: Function) -> Function:
        for name in names.split():
            function(name, *signatures, depth=depth_of(moves))(reported(compute))
        return compute

    return register
