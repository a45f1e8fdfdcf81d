"""Aligns the lines of a hunk: those that became another one, those that came, those that went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from analyzer.pattern import pattern

WORD = pattern(r"\w+|[^\w\s]")
# The likeness from which a line became another one, and the most lines that are aligned.
ALIKE, MOST = 0.5, 200
CLOSING = ("}", ")", "]", "|")

# A range of old lines, and one of new ones.
Ranges = tuple[int, int, int, int]


def aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[Ranges]:
    """Yield the parts of a hunk that may be undone by themselves."""
    if len(old) == len(new):
        yield from ((n, n + 1, n, n + 1) for n in range(len(old)))
        return
    a = c = 0
    pairs = pairs_of(old, new) if old and new and len(old) * len(new) <= MOST**2 else []
    for b, d in [*pairs, (len(old), len(new))]:
        yield from between(old, new, (a, b, c, d))
        if b < len(old):
            yield b, b + 1, d, d + 1
        a, c = b + 1, d + 1


def between(old: Sequence[str], new: Sequence[str], found: Ranges) -> Iterator[Ranges]:
    """Yield the parts of lines that are all different: statements where one side has them."""
    a, b, c, d = found
    if a < b and c < d:
        yield found
    elif a < b:
        yield from ((a + n, a + m, c, c) for n, m in statements(old[a:b]))
    elif c < d:
        yield from ((a, a, c + n, c + m) for n, m in statements(new[c:d]))


def pairs_of(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the lines that became another one, in order: those with the most likeness in all."""
    words, others = ([Counter(WORD.findall(line)) for line in lines] for lines in (old, new))
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for n in range(len(old) - 1, -1, -1):
        for m in range(len(new) - 1, -1, -1):
            same = likeness(words[n], others[m])
            taken = same + best[n + 1][m + 1] if same >= ALIKE else 0
            best[n][m] = max(taken, best[n + 1][m], best[n][m + 1])
    found, n, m = [], 0, 0
    while n < len(old) and m < len(new):
        if best[n][m] == best[n + 1][m]:
            n += 1
        elif best[n][m] == best[n][m + 1]:
            m += 1
        else:
            found.append((n, m))
            n, m = n + 1, m + 1
    return found


def likeness(words: Counter[str], others: Counter[str]) -> float:
    """Return the share of words that two lines have in common."""
    total = words.total() + others.total()
    return 2 * (words & others).total() / total if total else 0


def statements(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines that begin at the least indentation, as statements and keys do."""
    depths = [len(one) - len(one.lstrip()) if one.strip() else None for one in lines]
    least = min((one for one in depths if one is not None), default=0)
    starts = [
        number
        for number, (depth, line) in enumerate(zip(depths, lines, strict=True))
        if depth == least and not line.lstrip().startswith(CLOSING)
    ]
    yield from pairwise([0, *(one for one in starts if one), len(lines)])
