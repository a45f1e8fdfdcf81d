"""The names of node blocks with regular expressions (Puppet::Resource::Type#name)."""

from __future__ import annotations

import re

from analyzer.pattern import pattern

# What begins such a name.
MARK = "__node_regexp__"
_GROUP = pattern(r"\(\?[^)]*\)")
_LEFT_OUT = pattern(r"[^-\w:.]", re.ASCII)
_LETTERS = str.maketrans(
    {"(": "LP", "?": "QU", "<": "LT", ">": "GT", "!": "EX", "=": "EQ", ")": "RP"}
)


def name_of_pattern(source: str, *, marked: bool = True, capitals: bool = False) -> str:
    """Return the name of a block: `marked` ones tell groups such as `(?<!x)` apart.

    The `capitals` of OpenVox before 8.28.1 are those of no name that is looked up.
    """
    text = source.lower()
    if marked:
        text = _GROUP.sub(lambda match: letters_for(match[0], capitals), text)
    return MARK + _LEFT_OUT.sub("", text).lstrip(".")


def letters_for(group: str, capitals: bool) -> str:
    """Return letters for the signs of a group."""
    if capitals:
        return group.translate(_LETTERS)
    return group.translate({sign: text.lower() for sign, text in _LETTERS.items()})
