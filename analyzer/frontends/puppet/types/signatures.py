"""Signatures of functions and lambdas: their parameters, and which arguments they accept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.collections import ArrayType, TupleType
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.unknowns import is_instance


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a signature."""

    name: str
    type: Type = ANY
    optional: bool = False
    captures_rest: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function: its type, and the names that messages use."""

    type: CallableType
    names: tuple[str, ...] = ()
    block_name: str = "block"

    @property
    def params(self) -> TupleType:
        """Return the types of the parameters."""
        return self.type.params or TupleType()

    def accepts(self, arguments: Sequence[object], block: object = None) -> bool:
        """Return whether it can be called with these values."""
        params, wanted = self.type.params, self.type.block
        if params is None:
            return True
        if not _take(params, arguments):
            return False
        return block is None if wanted is None else instance(wanted, block)


def _take(params: TupleType, arguments: Sequence[object]) -> bool:
    """Return whether arguments are of the types of parameters, or may be."""
    if instance(params, list(arguments)):
        return True
    return params.sizes.holds(len(arguments)) and all(
        is_instance(params.at(index), each) for index, each in enumerate(arguments)
    )


def signature_of(
    parameters: Sequence[Parameter],
    returns: Type | None = None,
    block: Type | None = None,
    block_name: str = "block",
) -> Signature:
    """Return the signature of parameters; an Array's size bounds one that captures the rest."""
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
    signatures: Sequence[Signature], arguments: Sequence[object], block: object = None
) -> int | None:
    """Return the index of the first signature that accepts the arguments, None if none does."""
    for index, each in enumerate(signatures):
        if each.accepts(arguments, block):
            return index
    return None
