"""The `new` of types: the ways it can be called, and what it says to other arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from analyzer.frontends.puppet.types.mismatches.calls import describe_call
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.parsing.parse import alias, parse_type
from analyzer.frontends.puppet.types.problems import ConversionProblem
from analyzer.frontends.puppet.types.signatures import Parameter, Signature, signature_of


@dataclass(frozen=True, slots=True)
class Way:
    """A signature and what is done with such arguments."""

    signature: Signature
    make: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Constructor:
    """A function `new`; `wrong` says why arguments are refused, before its signatures do."""

    name: str
    ways: tuple[Way, ...]
    wrong: tuple[Way, ...] = ()

    def __call__(self, arguments: Sequence[Any]) -> Any:
        """Make a value.

        Raises:
            ConversionProblem: of these arguments it makes none.
        """
        for way in self.ways:
            if way.signature.accepts(arguments):
                return self._made(way, arguments)
        for way in self.wrong:
            if way.signature.accepts(arguments):
                raise ConversionProblem(f"'{self.name}' {way.make(*arguments)}")
        signatures = [way.signature for way in self.ways]
        raise ConversionProblem(describe_call(self.name, signatures, arguments))

    def _made(self, way: Way, arguments: Sequence[Any]) -> Any:
        try:
            return way.make(*arguments)
        except ConversionProblem:
            raise
        except (ValueError, OverflowError) as error:
            raise ConversionProblem(str(error)) from None


@dataclass(slots=True)
class Ways:
    """Gathers the ways of a Constructor; `types` are names that only its signatures know."""

    name: str
    types: dict[str, str]

    def resolver(self, name: str) -> Type | None:
        """Return the type of one of the names."""
        known = {each.lower(): each for each in self.types}
        found = known.get(name.lower())
        return None if found is None else alias(found, self.types[found], self.resolver)

    def way(self, make: Callable[..., Any], *parameters: str) -> Way:
        """Return a way to call it: each parameter is `Type name`, with `?` at its end if optional."""
        made = []
        for each in parameters:
            text, _, name = each.rpartition(" ")
            found = parse_type(text, self.resolver)
            made.append(Parameter(name.rstrip("?"), found, name.endswith("?")))
        return Way(signature_of(made), make)


@cache
def known_type(text: str) -> Type:
    """Return a type of this package's own texts."""
    return parse_type(text)
