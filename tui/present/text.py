"""Files as numbered lines, with the one that is meant marked."""

from __future__ import annotations

from functools import lru_cache

from analyzer.reading import read_text
from tui.present.pieces import Line, Piece, line, printable

# Lines that are read of a file; the one that is meant is always among them.
MOST = 20_000


@lru_cache(maxsize=32)
def text_of(path: str) -> tuple[str, ...] | str:
    """Return the lines of a file, or why it cannot be read."""
    try:
        return tuple(read_text(path, "replace")[:8_000_000].split("\n"))
    except OSError as error:
        return str(error.strerror or error)


def code_lines(path: str, marked: int) -> tuple[list[Line], int]:
    """Return a file in numbered lines and the place of the marked one, or why there is none."""
    text = text_of(path)
    if isinstance(text, str):
        where = "a catalog holds only the place, and the file is not on this machine"
        return [line((f"{path}: {text}", "warning")), line((where, "dim"))], 0
    first = max(0, marked - MOST // 2)
    return [
        code_line(number, row, number == marked)
        for number, row in enumerate(text[first : first + MOST], first + 1)
    ], max(0, marked - 1 - first)


def code_line(number: int, text: str, is_marked: bool) -> Line:
    """Return one line with its number."""
    sign = "\N{BLACK RIGHT-POINTING TRIANGLE}" if is_marked else " "
    style = "strong" if is_marked else ""
    return (
        Piece(f"{sign}{number:>5} ", "next" if is_marked else "faint"),
        Piece(printable(text), style),
    )
