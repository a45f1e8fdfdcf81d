"""Short texts that match a regular expression, as names of nodes for a block that has one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from analyzer.frontends.puppet.regex.translate import UnsupportedRegexp, compiled, translate
from analyzer.model.values import Value

# Letters that a class of characters is represented by, the most readable first.
LETTERS = "a1bcdefghijklmnopqrstuvwxyz023456789-._ "
REPEATED = "x"
# Alternatives that are tried of one expression, and characters of one text.
MOST, LONGEST = 64, 200


def examples(source: str) -> Iterator[str]:
    """Yield texts that a regular expression of Ruby matches; none if it is not understood.

    The first are the shortest of each alternative. Each was tried: look-around and references
    are no part of how the texts are made.
    """
    try:
        pattern = compiled(source)
        # The flags that `compiled` uses.
        parsed = parse(translate(source), re.ASCII | re.MULTILINE)
    except (UnsupportedRegexp, re.error, RecursionError):
        return
    seen = set()
    for text in islice(texts_of(parsed), MOST):
        if text not in seen and len(text) <= LONGEST and pattern.search(text):
            seen.add(text)
            yield text


def parse(pattern: str, flags: int) -> Value:
    """Return the tree of an expression of Python: pairs of an operation and its operands."""
    from re import _parser

    return _parser.parse(pattern, flags)


def texts_of(parts: Any) -> Iterator[str]:
    """Yield texts for a sequence of operations, all alternatives of the last one first."""
    choices = [list(islice(texts_of_one(*part), MOST)) for part in parts]
    for chosen in product(*choices):
        yield "".join(chosen)


def texts_of_one(operation: Value, value: Any) -> Iterator[str]:
    """Yield texts for one operation; what matches between characters is empty."""
    name = str(operation)
    if name == "LITERAL":
        yield chr(value)
    elif name == "NOT_LITERAL":
        yield next(letter for letter in LETTERS if ord(letter) != value)
    elif name == "ANY":
        yield REPEATED
    elif name == "IN":
        yield from letters_in(value)
    elif name == "BRANCH":
        for branch in value[1]:
            yield from texts_of(branch)
    elif name == "SUBPATTERN":
        yield from texts_of(value[3])
    elif name == "ATOMIC_GROUP":
        yield from texts_of(value)
    elif name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        yield from repeated(*value)
    else:
        yield ""


def repeated(least: int, most: Any, parts: Value) -> Iterator[str]:
    """Yield a part as often as it must be there, and at least once where it may be."""
    for text in texts_of(parts):
        yield text * min(least or min(int(most), 1), LONGEST)
    if least == 0:
        yield ""


def letters_in(items: Any) -> Iterator[str]:
    """Yield a character of a class in brackets, a readable one if there is one."""
    negated = str(items[0][0]) == "NEGATE"
    source = LETTERS + "".join(map(chr, range(33, 127)))
    found = (letter for letter in source if any(has(item, letter) for item in items) != negated)
    first = next(found, None)
    if first is None:
        # A class beyond ASCII: its first member.
        first = next(
            (chr(v if isinstance(v, int) else v[0]) for o, v in items if str(o) != "NEGATE"), ""
        )
    yield first


def has(item: Any, letter: str) -> bool:
    """Return whether an item of a class has a character."""
    operation, value = str(item[0]), item[1]
    if operation == "LITERAL":
        return bool(ord(letter) == value)
    if operation == "RANGE":
        return bool(value[0] <= ord(letter) <= value[1])
    if operation == "CATEGORY":
        return CATEGORIES[str(value)].fullmatch(letter) is not None
    return False


CATEGORIES = {
    f"CATEGORY_{prefix}{name}": re.compile(symbol.upper() if prefix else symbol, re.ASCII)
    for name, symbol in {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}.items()
    for prefix in ("", "NOT_")
}
