"""The catalogs of one lint run that may belong to one machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol, TypeVar

from analyzer.linter.puppet.purges import Traces, traces_of
from analyzer.linter.puppet.subjects import Compiled


class Traced(Protocol):
    """A catalog, or the results of rules on it."""

    @property
    def machine(self) -> tuple[str, str] | None:
        """Return a name of the machine of the catalog, or None if it has none."""
        ...

    @property
    def partial(self) -> bool:
        """Return whether it is a class that was compiled by itself."""
        ...


One = TypeVar("One", bound=Traced)


@dataclass(frozen=True)
class Together:
    """The catalogs of a run in which one may purge something that another one creates."""

    catalogs: tuple[Compiled, ...]

    def pairs(self) -> Iterator[tuple[Compiled, Compiled]]:
        """Yield pairs of catalogs: of a node with different facts, or of classes of one module."""
        groups: dict[tuple[str, str], list[Compiled]] = {}
        for one in self.catalogs:
            if one.machine:
                groups.setdefault(one.machine, []).append(one)
        for group in groups.values():
            yield from permutations(group, 2)


def together(subjects: Iterable[object]) -> Iterator[Together]:
    """Yield the catalogs among the subjects as one subject, if there are several.

    If there is such a subject already, it represents catalogs whose results are stored.
    """
    subjects = [*subjects]
    if any(isinstance(one, Together) for one in subjects):
        return
    catalogs = [one for one in subjects if isinstance(one, Compiled)]
    found = compared([(one, traces_of(one)) for one in catalogs] if len(catalogs) > 1 else ())
    if found:
        yield Together(tuple(found))


def compared(catalogs: Sequence[tuple[One, Traces]]) -> list[One]:
    """Return the catalogs of which one may purge what another one of the same machine creates."""
    groups: dict[tuple[str, str], list[tuple[One, Traces]]] = {}
    for one, traces in catalogs:
        if one.machine:
            groups.setdefault(one.machine, []).append((one, traces))
    chosen: set[int] = set()
    for group in groups.values():
        for first, purging in group:
            # A catalog of the same node with other facts may lack anything.
            if purging.purges and len(group) > 1:
                met = [
                    id(second)
                    for second, making in group
                    if second is not first and (not first.partial or purging.meet(making))
                ]
                chosen |= {id(first), *met} if met else set()
    return [one for one, _ in catalogs if id(one) in chosen]
