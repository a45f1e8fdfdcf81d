"""Random values that have something of everything that YAML and JSON write in a way of its own."""

from __future__ import annotations

from random import Random
from typing import Any

CHARACTERS = "abz 019.:-_,#\"'\n\t\\/%@!&*|>[]{}?=~`+éß日😀\u00a0\u2028\x85\r\x01\ufeff²Ⅷ\u0301yYnN"
WORDS_IN_A_LINE = """
y n yes no true null ~ on off .inf -.inf .nan << = 0x1f 010 089 0b1 1_000 1,000 1:30 12:30:45 1:30.5
2001-01-01 2001-02-31 2001-13-01 1e5 1.5 1. +1 . :a : --- ... | || - ? a: %a @a `a !a &a *a {a [a ]
} , ' " '' \\ a\b NULL True nO 0.1.2 1__0 0_
"""
WORDS = (
    *WORDS_IN_A_LINE.split(),
    "", "a\n", "\n", "\n\n", "a\nb", "a\n\nb\n\n", " a", "a ", " a\nb", "a \nb", "\ta", "a\t\nb",
    "2001-01-01 10:00:00", "2001-01-01 25:00:00", "a: b", "a #b", "- a", "? b", "--- a", "a\r\nb",
    "word " * 30, "w" * 140, "ä " * 60, "long line " * 12 + "\nb", "x" * 129, "x\u2028y",
)  # fmt: skip
OTHERS = (1, -5, 0, 2**70, True, False, None, 1.5, 1e15, 1e-5, -0.0, 1e100)
OPTIONS: tuple[dict[str, int], ...] = (
    {}, {}, {}, {"line_width": -1}, {"line_width": 20}, {"indentation": 4}
)  # fmt: skip
JSON_IN_A_LINE = r"""
1 -0 01 1. - 1e5 1E+5 true null NaN -Infinity nul "" "é" 'a' /**/1 12345678901 "\n" "\q" "\u0041"
"\ud83d\ude00" "\ud800" "\u12"
"""
JSON_PARTS = (*JSON_IN_A_LINE.split(), '"a\tb"', "1//x\n")


def text(random: Random) -> str:
    """A text: a word that means something in YAML, or characters."""
    if random.random() < 0.6:
        return random.choice(WORDS)
    return "".join(random.choices(CHARACTERS, k=random.choice((1, 2, 3, 8, 20, 90))))


def value(random: Random, depth: int = 0) -> Any:
    """A value of texts, numbers and words in arrays and hashes."""
    chance = random.random()
    if depth < 4 and chance < 0.2:
        return [value(random, depth + 1) for _ in range(random.randrange(4))]
    if depth < 4 and chance < 0.4:
        return {text(random): value(random, depth + 1) for _ in range(random.randrange(4))}
    return text(random) if chance < 0.8 else random.choice(OTHERS)


def json_text(random: Random, depth: int = 0) -> str:
    """A text that is JSON, or nearly."""
    chance, comma = random.random(), random.choice((",", ",", ", ", ",\n", ",/* c */", ",// c\n"))
    if depth > 3 or chance < 0.5:
        return random.choice(JSON_PARTS)
    inner = [json_text(random, depth + 1) for _ in range(random.randrange(4))]
    if chance < 0.75:
        return f"[{comma.join(inner)}{random.choice(('', '', '', ','))}]"
    return "{" + comma.join(f'"k{i}": {one}' for i, one in enumerate(inner)) + "}"
