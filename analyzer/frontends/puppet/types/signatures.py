"""Callable, and the signatures of functions and lambdas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.frontends.puppet.types.model.base import ANY, UNDEF, Change, Guard, Type
from analyzer.frontends.puppet.types.model.collections import TupleType
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.unknowns import is_instance


@dataclass(frozen=True, slots=True)
class CallableType(Type):
    """`Callable[[params, block], returns]`; what is None is not said."""

    params: TupleType | None = None
    block: Type | None = None
    returns: Type | None = None

    simple_name: ClassVar[str] = "Callable"

    def __post_init__(self) -> None:
        if self.returns == ANY:
            object.__setattr__(self, "returns", None)

    def instance(self, value: Any) -> bool:
        found = callable_type(value)
        return found is not None and self.assignable(found)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if not isinstance(other, CallableType):
            return False
        if self.returns is not None and not self.returns.assignable(other.returns or ANY, guard):
            return False
        if self.params is None:
            return True
        if other.params is None or not other.params.assignable(self.params, guard):
            return False
        return (other.block or UNDEF).assignable(self.block or UNDEF, guard)

    def callable_with(self, arguments: Sequence[Any], block: Any = None) -> bool:
        """Whether it can be called with these values."""
        if self.params is None:
            return True
        if not self._takes(arguments):
            return False
        return block is None if self.block is None else self.block.instance(block)

    def _takes(self, arguments: Sequence[Any]) -> bool:
        params = self.params or TupleType()
        if params.instance(list(arguments)):
            return True
        return params.sizes.instance(len(arguments)) and all(
            is_instance(params.at(index), each) for index, each in enumerate(arguments)
        )

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

    def callable_kind(self, optional: bool = True) -> bool:
        return True


CALLABLE = CallableType()


def callable_type(value: Any) -> Type | None:
    """The Callable of a function or lambda: of any value that has a `callable_type`."""
    found = getattr(value, "callable_type", None)
    return found if isinstance(found, Type) else None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as a signature sees it."""

    name: str
    type: Type = ANY
    optional: bool = False
    captures_rest: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function: its type, and the names messages use."""

    type: CallableType
    names: tuple[str, ...] = ()
    block_name: str = "block"

    @property
    def params(self) -> TupleType:
        """The types of the parameters."""
        return self.type.params or TupleType()

    def accepts(self, arguments: Sequence[Any], block: Any = None) -> bool:
        """Whether it can be called with these values."""
        return self.type.callable_with(arguments, block)


def signature_of(
    parameters: Sequence[Parameter],
    returns: Type | None = None,
    block: Type | None = None,
    block_name: str = "block",
) -> Signature:
    """The signature of parameters; one that captures the rest says how often if an Array."""
    from analyzer.frontends.puppet.types.model.collections import ArrayType

    types: list[Type] = []
    low, high = 0, 0
    unlimited = False
    for each in parameters:
        found, least, most = each.type, 0 if each.optional else 1, 1
        if each.captures_rest:
            least = 0
            if isinstance(found, ArrayType):
                least = found.sizes.low or 0
                unlimited = found.sizes.high is None
                most = found.sizes.high or 0
                found = found.element
            else:
                unlimited = True
        types.append(found)
        low, high = low + least, high + most
    size = IntegerType(low, None if unlimited else high)
    made = CallableType(TupleType(tuple(types), size), block, returns)
    return Signature(made, tuple(each.name for each in parameters), block_name)


def dispatch(
    signatures: Sequence[Signature], arguments: Sequence[Any], block: Any = None
) -> int | None:
    """The index of the first signature that accepts the arguments, None if there is none."""
    for index, each in enumerate(signatures):
        if each.accepts(arguments, block):
            return index
    return None
