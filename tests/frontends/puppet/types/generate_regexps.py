"""Regular expressions and strings at random, from a seed, as questions."""

from __future__ import annotations

import random
from collections.abc import Iterator

from analyzer.frontends.puppet.regex.faults import fault

from .asking import Question

ATOMS = (
    "a", "b", ".", r"\d", r"\w", r"\s", r"\h", "[ab]", "[^a]", "[[:alpha:]]", "[[:digit:]_]",
    "[a-c]", r"\.", r"\b", "é", "1", " ", r"\A", r"\z", "^", "$", r"\Z", r"[\w.-]", "[a&&b]",
    r"\n", "x", "-", "[[:upper:]a]", r"\/", "{", "}", r"\S", r"\W", r"\D", r"\B", r"[\s,]",
    r"\p{Alpha}", "[é]",
)  # fmt: skip
REPEATS = ("", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "*?", "+?", "++", "{1,}")
GROUPS = ("(", "(?:", "(?i:", "(?>", "(?=", "(?!", "(?<n>", "(?m:", "(?<=a)(", "(?-i:")
CHARACTERS = "abc1é \nAB-._x/,{"


def regexp(chance: random.Random, depth: int = 2) -> str:
    """A regular expression."""
    out = ""
    for _ in range(chance.randint(1, 4)):
        kind = chance.random()
        if depth and kind < 0.25:
            inner = regexp(chance, depth - 1)
            out += f"{chance.choice(GROUPS)}{inner}){chance.choice(REPEATS[:8])}"
        elif depth and kind < 0.32:
            out += f"{regexp(chance, depth - 1)}|{regexp(chance, depth - 1)}"
        else:
            out += chance.choice(ATOMS) + chance.choice(REPEATS)
    return out


def regexp_questions(count: int, seed: int) -> Iterator[Question]:
    """Whether a string matches a Pattern; of expressions that Ruby takes."""
    chance = random.Random(seed)
    found = 0
    while found < count:
        source = regexp(chance)
        if fault(source):
            continue
        found += 1
        text = "".join(chance.choice(CHARACTERS) for _ in range(chance.randint(0, 6)))
        value = '"' + text.replace("\n", "\\n") + '"'
        yield {
            "id": f"regexp {found}",
            "ask": "instance",
            "type": f"Pattern[/{source}/]",
            "value": value,
        }
