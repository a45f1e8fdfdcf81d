"""The names of node blocks: a site may have a block for each name once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.validate.registry import names_of

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.definitions.definition import Definition
    from analyzer.frontends.puppet.evaluate.errors import Unit


class NodeNames:
    """The names that node blocks have so far."""

    def __init__(self) -> None:
        self.places: dict[str, str] = {}
        self.counts: dict[str, int] = {}

    def redefined(
        self, program: a.Program, unit: Unit, *, marked: bool
    ) -> Iterator[EvaluationError]:
        """Yield an error for each node block with a name that another manifest has.

        Source: `add_node` of Puppet::Resource::TypeCollection.
        """
        for node in program.definitions:
            if type(node) is not a.NodeDefinition:
                continue
            for name in names_of(node, marked=marked):
                place = f"(file: {unit.file}, line: {unit.line(node)})"
                first = self.places.setdefault(name, place)
                if first is not place:
                    message = f"Node '{name}' is already defined {first}; cannot redefine"
                    yield EvaluationError(message, unit, node)

    def name_again(self, block: Definition) -> None:
        """Give a block whose name is taken, which is an error, one of its own to compile it."""
        if getattr(block.match, "pattern", None) is None:
            count = self.counts[block.name] = self.counts.get(block.name, 0) + 1
            block.name += f"-{count}" if count > 1 else ""
