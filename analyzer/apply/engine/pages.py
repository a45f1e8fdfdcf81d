"""An immutable list: a write returns a new list, which shares all but one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Generic, TypeVar

T = TypeVar("T")

BITS = 7
WIDTH = 1 << BITS
WITHIN = WIDTH - 1


class Pages(Generic[T]):
    """A list; a write copies one page and the list of pages."""

    __slots__ = ("_length", "_pages")

    def __init__(self, values: Iterable[T] = ()) -> None:
        items = list(values)
        self._length = len(items)
        self._pages = [items[start : start + WIDTH] for start in range(0, len(items), WIDTH)]

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> T:
        return self._pages[place >> BITS][place & WITHIN]

    def __iter__(self) -> Iterator[T]:
        for page in self._pages:
            yield from page

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pages) and self._pages == other._pages

    def changed(self, other: Pages[T]) -> Iterator[int]:
        """Yield the places where another list may hold another value, or only one has any.

        Pages that both share are not looked at.
        """
        nothing: list[T] = []
        pages = zip_longest(self._pages, other._pages, fillvalue=nothing)
        for number, (mine, theirs) in enumerate(pages):
            if mine is not theirs:
                start = number << BITS
                for place, (one, two) in enumerate(zip_longest(mine, theirs), start):
                    if one is not two:
                        yield place

    __hash__ = None  # type: ignore[assignment]

    def put(self, place: int, value: T) -> Pages[T]:
        """Return the list with another value at a place."""
        changed: Pages[T] = Pages.__new__(Pages)
        changed._length = self._length
        changed._pages = pages = self._pages.copy()
        page = pages[place >> BITS] = pages[place >> BITS].copy()
        page[place & WITHIN] = value
        return changed

    def extended(self, length: int, value: T) -> Pages[T]:
        """Return the list with a value in all places up to a length."""
        if length <= self._length:
            return self
        changed: Pages[T] = Pages.__new__(Pages)
        changed._length = length
        whole, rest = divmod(self._length, WIDTH)
        last = self._pages[whole] if rest else []
        tail = [*last, *[value] * (length - whole * WIDTH - len(last))]
        pages = [tail[start : start + WIDTH] for start in range(0, len(tail), WIDTH)]
        changed._pages = [*self._pages[:whole], *pages]
        return changed
