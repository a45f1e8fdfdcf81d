"""The contributors of a value: what it was computed from, and what decided that it exists."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.source import Span, place_of


class Contributor:
    """A place that took part in making a value, with the contributors of its own.

    `kind` is a word such as `literal`, `variable`, `fact` or `condition`; `name` is the text of
    it. `around` is the innermost construct that decided that the place is evaluated. Contributors
    are shared: together they are a graph without cycles.
    """

    __slots__ = ("around", "inner", "kind", "name", "offset", "unit", "value")

    def __init__(
        self,
        kind: str,
        name: str,
        inner: tuple[Contributor, ...] = (),
        around: Contributor | None = None,
        place: tuple[Unit, int] | None = None,
        value: object = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.inner = inner
        self.around = around
        self.unit: Unit | None = None if place is None else place[0]
        self.offset = 0 if place is None else place[1]
        # The arm of a condition, or the file, level and key of data.
        self.value = value

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    @property
    def span(self) -> Span | None:
        """The place by line and column."""
        if self.unit is None or not self.unit.file:
            return None
        text = self.unit.text
        blanks = len(text[self.offset :]) - len(text[self.offset :].lstrip())
        return Span(self.unit.file, *place_of(text, self.offset + blanks))

    def next(self) -> Iterator[Contributor]:
        """Yield its own contributors, and the construct around it."""
        yield from self.inner
        if self.around is not None:
            yield self.around


# The stand-in where anything that the compile evaluates may contribute.
ANYTHING = Contributor("anything", "whatever else is declared")


class Trail:
    """The contributors of a value; those of the elements of an array or hash by themselves.

    `shape` are the contributors of the value as a whole, `elements` the trails of its elements by
    key. Without `elements` the shape has all of them.
    """

    __slots__ = ("elements", "shape", "steps")

    def __init__(
        self, shape: tuple[Contributor, ...], elements: Mapping[Any, Trail] | None = None
    ) -> None:
        self.shape = shape
        self.elements = elements
        self.steps: dict[str, Contributor] | None = None

    def everything(self) -> Iterator[Contributor]:
        """Yield the contributors of the value and of all its elements."""
        pending = [self]
        while pending:
            one = pending.pop()
            yield from one.shape
            pending += (one.elements or {}).values()

    def element(self, key: Any) -> Trail:
        """Return the trail of an element of the value."""
        inside = None
        if self.elements is not None and isinstance(key, Hashable):
            inside = self.elements.get(key)
        if inside is None:
            return Trail((self.step(key, tuple(self.everything())),))
        # The whole could have another element there: the step tells which.
        whole = (self.step(key, self.shape),) if self.shape else ()
        return Trail(union(whole, inside.shape), inside.elements)

    def step(self, key: Any, inner: tuple[Contributor, ...]) -> Contributor:
        """Return the contributor that leads to an element, always the same for a key."""
        if self.steps is None:
            self.steps = {}
        name = str(key)
        if name not in self.steps:
            self.steps[name] = Contributor("element", name, inner)
        return self.steps[name]

    def within(self, *more: Contributor) -> Trail:
        """Return the trail with more contributors of the whole."""
        return Trail(union(self.shape, more), self.elements)


@lru_cache(maxsize=4096)
def fact(name: str) -> Contributor:
    """Return the contributor that a fact is."""
    return Contributor("fact", name)


class FactTrail(Trail):
    """The trail of a fact, or of a part of the facts."""

    __slots__ = ("name",)

    def __init__(self, name: str, more: tuple[Contributor, ...] = ()) -> None:
        super().__init__((fact(name), *more))
        self.name = name

    def element(self, key: Any) -> Trail:
        """Return the trail of a part of a structured fact."""
        return FactTrail(f"{self.name}.{key}", self.shape[1:])

    def within(self, *more: Contributor) -> Trail:
        """Return the trail with more contributors."""
        return FactTrail(self.name, union(self.shape[1:], more))


NOTHING = Trail(())


def union(*several: Iterable[Contributor]) -> tuple[Contributor, ...]:
    """Return contributors, each once."""
    return tuple(dict.fromkeys(one for some in several for one in some))


def flat(trails: Iterable[Trail]) -> tuple[Contributor, ...]:
    """Return all contributors of some values and of their elements."""
    return union(*(trail.everything() for trail in trails))


def same_value(value: object, parts: Iterable[tuple[object, Trail]]) -> Trail | None:
    """Return the trail of an array or hash that is one of some values, or an element of one."""
    if type(value) not in (list, dict):
        return None
    pending = list(parts)
    while pending:
        other, trail = pending.pop()
        if other is value:
            return trail
        if trail.elements is not None and isinstance(other, (list, dict)):
            pending += [(one, trail.element(key)) for key, one in entries(other)]
    return None


def entries(value: list[Any] | dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the keys and the elements of an array or a hash."""
    yield from value.items() if isinstance(value, dict) else enumerate(value)


def reach(several: Iterable[Contributor], ending: Container[str] = ()) -> Iterator[Contributor]:
    """Yield contributors with all of theirs, each once, those of the fewest steps first.

    Those of the kinds in `ending` are yielded without theirs.
    """
    pending = list(several)
    seen = set(pending)
    for one in pending:
        yield one
        for other in () if one.kind in ending else one.next():
            if other not in seen:
                seen.add(other)
                pending.append(other)
