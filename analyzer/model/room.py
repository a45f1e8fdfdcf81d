"""The memory that a compile may use; what one value needs is checked before it is made."""

from __future__ import annotations

# Bytes that a compile may need beyond what was there before, if the machine has twice as many.
MOST_MEMORY = 512 << 20


class Room:
    """The bytes that the current compile may need; `limited` sets it.

    `exceeded`: a compile was ended, and what it left has not been collected.
    """

    most = MOST_MEMORY
    exceeded = False


# Digits of a number that is too large for anything; Python does not read those of thousands.
DIGITS = 20


def size_in(digits: str) -> int:
    """Return the size that digits say; one that is too large by far is not exact."""
    return int(digits.lstrip("0")[:DIGITS] or 0)


def memory_message(most: int) -> str:
    """Return the error of what needs more than so many bytes."""
    return f"this needs more than {most >> 20} MB of memory (--memory-limit SIZE)"


def check_room(size: int) -> int:
    """Return the size in characters of a text that is going to be made, if there is room for it.

    Raises:
        MemoryError: it needs more memory than a compile may use.
    """
    if size > Room.most:
        raise MemoryError(size)
    return size
