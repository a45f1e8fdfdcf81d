"""The set bits of a large integer as a sequence that is read only as far as it is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload


class Bits(Sequence[int]):
    """The places of set bits, the lowest first."""

    def __init__(self, bits: int) -> None:
        self._count = bits.bit_count()
        self._text = bin(bits)[:1:-1]
        self._found: list[int] = []
        self._at = 0

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        while len(self._found) <= index:
            place = self._text.index("1", self._at)
            self._found.append(place)
            self._at = place + 1
        return self._found[index]


def bits_of(places: Iterable[int], length: int) -> int:
    """Return the integer that has the bits of some places below a length."""
    digits = bytearray(b"0") * (length or 1)
    for place in places:
        digits[length - 1 - place] = 49
    return int(digits, 2)
