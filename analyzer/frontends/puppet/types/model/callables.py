"""Callable: the type of functions, lambdas and blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from analyzer.frontends.puppet.types.model.base import ANY, Change, Type
from analyzer.frontends.puppet.types.model.collections import TupleType


@dataclass(frozen=True, slots=True)
class CallableType(Type):
    """`Callable[[params, block], returns]`; None accepts any."""

    params: TupleType | None = None
    block: Type | None = None
    returns: Type | None = None

    simple_name: ClassVar[str] = "Callable"

    def __post_init__(self) -> None:
        if self.returns == ANY:
            object.__setattr__(self, "returns", None)

    def parts(self) -> Iterator[Type]:
        for each in (self.params, self.block, self.returns):
            if each is not None:
                yield each

    def map(self, change: Change) -> Type:
        if self == CALLABLE:
            return self
        params, block, returns = (x and change(x) for x in (self.params, self.block, self.returns))
        if params is self.params and block is self.block and returns is self.returns:
            return self
        assert params is None or isinstance(params, TupleType)
        return CallableType(params, block, returns)


CALLABLE = CallableType()


def callable_type(value: object) -> Type | None:
    """Return the Callable of a function or lambda: of any value that has a `callable_type`."""
    found = getattr(value, "callable_type", None)
    return found if isinstance(found, Type) else None
