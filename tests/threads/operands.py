"""Chains with operands that are empty, in a short notation, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.threads.case import HERE

FILE = HERE / "operands.txt"

# Resources, a collector that finds the first of them, one that finds nothing.
SHORT = {
    "T<|0|>": "Package <| tag == 'none' |>",
    "T<|a|>": "Notify <| title == 'a' |>",
    "A": "Notify['a']",
    "B": "Notify['b']",
    "C": "Notify['c']",
    ";": "\n",
}
WORD = re.compile("|".join(map(re.escape, SHORT)))

VERSIONS = (8, 4)


def chains() -> dict[str, str]:
    """What is expected of each chain."""
    blocks = FILE.read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text for name, _, text in (block.partition("\n") for block in blocks)}


def program(chain: str) -> str:
    """The manifest that a chain stands for."""
    return "notify { ['a', 'b', 'c']: }\n" + WORD.sub(lambda m: SHORT[m[0]], chain) + "\n"


def edges(relationships: Iterable[tuple[str, str, bool]]) -> str:
    """Relationships (source, target, whether it notifies) in a line."""
    shown = {f"{s} {'~>' if event else '->'} {t}" for s, t, event in relationships}
    return re.sub(r"Notify\[(\w)\]", lambda m: m[1].upper(), ", ".join(sorted(shown))) or "-"
