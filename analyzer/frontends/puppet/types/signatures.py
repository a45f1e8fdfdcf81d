"""Signatures of functions and lambdas: their parameters, and which arguments they accept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyzer.frontends.puppet.types.instance import CHECKS, Check, instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.collections import ArrayType, TupleType
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.unknowns import is_instance


@dataclass(frozen=True, slots=True)
class SignatureParameter:
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
    # How many arguments it takes (no most: any number), and the check of each; the last repeats.
    least: int = field(init=False, compare=False, default=0)
    most: int | None = field(init=False, compare=False, default=None)
    checks: tuple[tuple[Check, Type], ...] = field(init=False, compare=False, default=())

    def __post_init__(self) -> None:
        params = self.type.params
        if params is not None:
            object.__setattr__(self, "least", params.sizes.low or 0)
            object.__setattr__(self, "most", params.sizes.high)
            object.__setattr__(self, "checks", tuple([(CHECKS[type(t)], t) for t in params.types]))

    @property
    def params(self) -> TupleType:
        """Return the types of the parameters."""
        return self.type.params or TupleType()

    def accepts(self, arguments: Sequence[object], block: object = None) -> bool:
        """Return whether it can be called with these values."""
        wanted = self.type.block
        if not self._take(arguments):
            return False
        if wanted is None or block is None:
            return block is None if wanted is None else instance(wanted, None)
        is_of = getattr(block, "is_of", None)
        return instance(wanted, block) if is_of is None else bool(is_of(wanted))

    def _take(self, arguments: Sequence[object]) -> bool:
        """Return whether arguments are of the types of the parameters, or may be."""
        count = len(arguments)
        if count < self.least or (self.most is not None and count > self.most):
            return False
        checks = self.checks
        if count > len(checks) and checks:
            checks = checks + checks[-1:] * (count - len(checks))
        for (check, found), each in zip(checks, arguments, strict=False):
            if not check(found, each) and not is_instance(found, each):
                return False
        return True


def signature_of(
    parameters: Sequence[SignatureParameter],
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
    made = CallableType(TupleType(tuple(types), size), block)
    return Signature(made, tuple(each.name for each in parameters), block_name)


def dispatch(
    signatures: Sequence[Signature], arguments: Sequence[object], block: object = None
) -> int | None:
    """Return the index of the first signature that accepts the arguments, None if none does."""
    for index, each in enumerate(signatures):
        if each.accepts(arguments, block):
            return index
    return None
