"""Numbers for scopes, blocks and errors that Ruby code refers to while a call is under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyzer.frontends.puppet.bridge.wire import Withheld
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.model.values import Value

# Hashes that all scopes see and nothing can change.
CONSTANTS = ("facts", "trusted", "server_facts")


class Handles:
    """The numbers of a compile, valid until the outermost call ends.

    `sites` are the calls under way, the innermost last; `yield_to` calls a block of Ruby code.
    """

    def __init__(
        self, compilation: Compilation, yield_to: Callable[[int, Sequence[Value]], Value]
    ) -> None:
        self.compilation = compilation
        self.yield_to = yield_to
        self.sites: list[CallSite] = []
        self.forget()

    def forget(self) -> None:
        """Begin with no numbers given."""
        self.scopes: list[Scope] = [self.compilation.top]
        self.blocks: list[Any] = []
        self.raised: list[BaseException] = []

    def number_of(self, scope: Scope) -> int:
        """Return the number of a scope."""
        for number, known in enumerate(self.scopes):
            if known is scope:
                return number
        self.scopes.append(scope)
        return len(self.scopes) - 1

    def describe_block(self, block: Any) -> dict[str, Value]:
        """Return the number, the type and the parameters of a lambda."""
        self.blocks.append(block)
        parameters = [
            [p.name, p.default is not None or None, p.rest]
            for p in getattr(block, "parameters", ())
        ]
        kind = str(block.callable_type)
        return {"number": len(self.blocks) - 1, "type": kind, "parameters": parameters}

    def withhold(self, values: dict[str, object]) -> dict[str, object]:
        """Return values with stand-ins for those that are Unknown."""
        return {name: self.stand_in(name, value) for name, value in values.items()}

    def stand_in(self, name: str, value: object) -> Value:
        """Return a variable's value, or a stand-in; of a constant, one for each Unknown entry."""
        unknown = unknown_in(value)
        if unknown is None:
            return value
        if name in CONSTANTS and isinstance(value, dict):
            return self.withhold(value)
        self.raised.append(UndecidedCall(unknown))
        return Withheld(len(self.raised) - 1)
