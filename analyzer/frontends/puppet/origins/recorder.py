"""The state of the record of one compile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.frontends.puppet.compiler.declared.entry import shown
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.origins.contributors import ANYTHING, Contributor, union
from analyzer.frontends.puppet.origins.parts import Part
from analyzer.frontends.puppet.origins.related import Related
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.names import split_ref

# A construct by its file and offset.
Place = tuple[str, int]

# The longest text of a literal that is kept.
LONGEST = 60


class Recorder(Related):
    """Records a compile; `begin` forgets the one before.

    `decisions` are the contributors of the tests of each construct that was reached.
    """

    def begin(self, compilation: Any) -> None:
        """Begin a compile."""
        self.compilation = compilation
        self.forget()
        self.forget_declared()
        self.parts: list[Part] = []
        # The texts of the template that is evaluated, and the tests that decide about them.
        self.rendered: list[Contributor] | None = None
        # The function whose call is evaluated.
        self.function = ""
        # The construct that is evaluated tests whether a value is true, and nothing else of it.
        self.asks_truth = False
        self.around: Contributor | None = None
        self.arounds: list[Contributor | None] = []
        self.decisions: dict[Place, tuple[Contributor, ...]] = {}
        self.decided_within: dict[Place, Contributor | None] = {}
        self._literals: dict[tuple[int, int, type], tuple[Unit, Contributor]] = {}
        # What functions of levels of Hiera have read so far.
        self._called: tuple[Contributor, ...] = ()

    def literal(self, node: Any, unit: Unit) -> Contributor:
        """Return the contributor that a literal is."""
        key = id(unit), node.offset, type(node)
        found = self._literals.get(key)
        if found is None:
            length = min(getattr(node, "length", 0), LONGEST)
            text = " ".join(unit.text[node.offset : node.offset + length].split())
            made = Contributor("literal", text, place=(unit, node.offset), value=node)
            found = self._literals[key] = unit, made
        return found[1]

    def contributor(
        self, kind: str, name: str, inner: Iterable[Contributor], node: Any, unit: Unit | None
    ) -> Contributor:
        """Return a contributor at a node, within the constructs that are evaluated."""
        place = None if unit is None or node is None else (unit, node.offset)
        return Contributor(kind, name, tuple(inner), self.around, place)

    def decide(self, unit: Unit, offset: int, tested: tuple[Contributor, ...]) -> None:
        """Record what the test of a construct depends on.

        The text of a template depends on it, too: it may lack what another arm renders.
        """
        place = unit.file, offset
        self.decisions[place] = union(self.decisions.get(place, ()), tested)
        self.decided_within[place] = self.around
        if self.rendered is not None:
            made = Contributor("condition", "in a template", tested, self.around, (unit, offset))
            self.rendered.append(made)

    def presence_of(self, values: Iterable[Any]) -> Iterator[Contributor]:
        """Yield what decides whether resources are declared."""
        for value in values:
            for one in value if type(value) is list else [value]:
                ref = shown(one) if isinstance(one, (ClassType, ResourceType)) else str(one)
                parts = split_ref(ref)
                entry = None if parts is None else self.compilation.find(*parts)
                yield ANYTHING if entry is None else self.presence_at(entry)

    def parameters_of(self, ref: Any, names: Iterable[Any]) -> Iterator[Contributor]:
        """Yield what parameters of a resource are computed from, and why it is there.

        One that was not given may be a default of its type, or come later.
        """
        yield from self.presence_of([ref])
        parts = split_ref(shown(ref) if isinstance(ref, (ClassType, ResourceType)) else str(ref))
        entry = None if parts is None else self.compilation.find(*parts)
        for name in names if entry is not None else ():
            trail = self.values.get((id(entry), str(name)))
            yield from (ANYTHING,) if trail is None else trail.everything()
