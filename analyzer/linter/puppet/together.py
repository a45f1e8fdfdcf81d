"""The catalogs of one lint run that may be those of one machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

from analyzer.linter.puppet.subjects import Compiled


@dataclass(frozen=True)
class Together:
    """All catalogs of a run."""

    catalogs: tuple[Compiled, ...]

    def pairs(self) -> Iterator[tuple[Compiled, Compiled]]:
        """Yield pairs of catalogs of a node with several facts, or of classes of one module."""
        groups: dict[tuple[str, str], list[Compiled]] = {}
        for one in self.catalogs:
            if one.machine:
                groups.setdefault(one.machine, []).append(one)
        for group in groups.values():
            yield from permutations(group, 2)


def together(subjects: Iterable[object]) -> Iterator[Together]:
    """Yield the catalogs among some subjects as one subject, if there are several.

    Where there is one already, it stands for catalogs of which only results are at hand.
    """
    subjects = [*subjects]
    if any(isinstance(one, Together) for one in subjects):
        return
    catalogs = tuple(one for one in subjects if isinstance(one, Compiled))
    if len(catalogs) > 1:
        yield Together(catalogs)
