"""Names with `*`: of classes and modules (`profile::*`), and of resources (`Service[*]`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from analyzer.model.names import capitalize_type
from analyzer.model.resource import Resource

# Parts of a name of a class, or of its pattern.
CLASS = re.compile(r"(?:::)?(?:[a-z0-9_*]+)(?:::[a-z0-9_*]+)*", re.IGNORECASE)
REFERENCE = re.compile(r"((?:::)?[a-z]\w*(?:::[a-z]\w*)*)\[(.+)\]", re.IGNORECASE | re.DOTALL)

ANY = "**"


@dataclass(frozen=True, slots=True)
class Name:
    """A pattern of names of classes: `*` is any text within a part, `**` any number of parts."""

    text: str
    parts: tuple[str, ...]

    def matches(self, parts: Sequence[str]) -> bool:
        """Return whether a name, in parts, is one of the pattern's."""
        return fits(self.parts, parts)


@dataclass(frozen=True, slots=True)
class Reference:
    """A pattern of references: a type, and titles in which `*` is any text."""

    text: str
    type: str
    title: str

    def matches(self, resource: Resource) -> bool:
        """Return whether a resource has such a reference."""
        return resource.type == self.type and fnmatchcase(resource.title, self.title)


Pattern = Name | Reference


def pattern_of(text: str) -> Pattern | None:
    """Return the pattern that a text is, None if it is neither a name nor a reference."""
    if CLASS.fullmatch(text):
        parts = tuple(text.lower().removeprefix("::").split("::"))
        mixed = any(ANY in part and part != ANY for part in parts)
        return None if mixed else Name(text, parts)
    found = REFERENCE.fullmatch(text)
    if found is None:
        return None
    kind = capitalize_type(found[1].removeprefix("::"))
    title = capitalize_type(found[2].removeprefix("::")) if kind == "Class" else found[2]
    return Reference(text, kind, title.replace("[", "[[]").replace("?", "[?]"))


def fits(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Return whether parts match a pattern; `**` takes one part or more.

    Only the last `**` is tried again, which suffices: the time grows with the product of lengths.
    """
    p = n = after = 0
    star = -1
    while n < len(parts):
        if p < len(pattern) and pattern[p] == ANY:
            star, after = p, n + 1
            p, n = p + 1, n + 1
        elif p < len(pattern) and fnmatchcase(parts[n], pattern[p]):
            p, n = p + 1, n + 1
        elif star >= 0:
            p, n, after = star + 1, after + 1, after + 1
        else:
            return False
    return p == len(pattern)


def innermost(patterns: Sequence[Name], name: str) -> tuple[int, str] | None:
    """Return the number of the pattern that a name or a namespace of it has, and what matched.

    The longest namespace counts, and of several patterns the first.
    """
    parts = name.split("::")
    for length in range(len(parts), 0, -1):
        for number, pattern in enumerate(patterns):
            if pattern.matches(parts[:length]):
                return number, "::".join(parts[:length])
    return None
