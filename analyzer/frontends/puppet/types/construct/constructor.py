"""Constructors of types: their overloads, and the errors for other arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from analyzer.frontends.puppet.types.mismatches.calls import describe_call
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.parsing.parse import alias, parse_type
from analyzer.frontends.puppet.types.problems import ConversionProblem
from analyzer.frontends.puppet.types.signatures import Signature, SignatureParameter, signature_of
from analyzer.model.values import Value


@dataclass(frozen=True, slots=True)
class Overload:
    """A signature and the function that makes a value of such arguments."""

    signature: Signature
    make: Callable[..., Value]


@dataclass(frozen=True, slots=True)
class Constructor:
    """A function `new`; the overloads in `wrong` give the reason why arguments are refused."""

    name: str
    overloads: tuple[Overload, ...]
    wrong: tuple[Overload, ...] = ()

    def __call__(self, arguments: Sequence[object]) -> Value:
        """Make a value.

        Raises:
            ConversionProblem: no overload accepts these arguments.
        """
        for overload in self.overloads:
            if overload.signature.accepts(arguments):
                return self._made(overload, arguments)
        for overload in self.wrong:
            if overload.signature.accepts(arguments):
                raise ConversionProblem(f"'{self.name}' {overload.make(*arguments)}")
        signatures = [overload.signature for overload in self.overloads]
        raise ConversionProblem(describe_call(self.name, signatures, arguments))

    def _made(self, overload: Overload, arguments: Sequence[object]) -> Value:
        try:
            return overload.make(*arguments)
        except ConversionProblem:
            raise
        except (ValueError, OverflowError) as error:
            raise ConversionProblem(str(error)) from None


@dataclass(slots=True)
class Overloads:
    """Makes overloads; `types` are names that only its signatures use."""

    name: str
    types: dict[str, str]

    def resolver(self, name: str) -> Type | None:
        """Return the type of one of the names."""
        known = {each.lower(): each for each in self.types}
        found = known.get(name.lower())
        return None if found is None else alias(found, self.types[found], self.resolver)

    def overload(self, make: Callable[..., object], *parameters: str) -> Overload:
        """Return an overload: each parameter is `Type name`, with `?` at its end if optional."""
        made = []
        for each in parameters:
            text, _, name = each.rpartition(" ")
            found = parse_type(text, self.resolver)
            made.append(SignatureParameter(name.rstrip("?"), found, name.endswith("?")))
        return Overload(signature_of(made), make)


@cache
def known_type(text: str) -> Type:
    """Return a type of this package's own texts."""
    return parse_type(text)
