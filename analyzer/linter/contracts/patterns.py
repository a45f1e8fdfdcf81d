"""Patterns with `*`, for classes and modules (`profile::*`) and for resources (`Service[*]`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from analyzer.model.names import capitalize_type
from analyzer.model.resource import Resource

# The name of a class, or a pattern for it.
CLASS = re.compile(r"(?:::)?(?:[a-z0-9_*]+)(?:::[a-z0-9_*]+)*", re.IGNORECASE)
REFERENCE = re.compile(r"((?:::)?[a-z]\w*(?:::[a-z]\w*)*)\[(.+)\]", re.IGNORECASE | re.DOTALL)

ANY = "**"


@dataclass(frozen=True, slots=True)
class ClassPattern:
    """A pattern for class names: `*` matches any text within a part, `**` any number of parts."""

    text: str
    parts: tuple[str, ...]

    def matches(self, parts: Sequence[str]) -> bool:
        """Return whether the pattern matches a name, given as parts."""
        return fits(self.parts, parts)


@dataclass(frozen=True, slots=True)
class ReferencePattern:
    """A pattern for references: a type, and a title in which `*` matches any text."""

    text: str
    type: str
    title: str

    def matches(self, resource: Resource) -> bool:
        """Return whether the pattern matches a resource."""
        return resource.type == self.type and fnmatchcase(resource.title, self.title)


Pattern = ClassPattern | ReferencePattern


def pattern_of(text: str) -> Pattern | None:
    """Return the pattern in a string, or None if it is neither a name nor a reference."""
    if CLASS.fullmatch(text):
        parts = tuple(text.lower().removeprefix("::").split("::"))
        mixed = any(ANY in part and part != ANY for part in parts)
        return None if mixed else ClassPattern(text, parts)
    found = REFERENCE.fullmatch(text)
    if found is None:
        return None
    kind = capitalize_type(found[1].removeprefix("::"))
    title = capitalize_type(found[2].removeprefix("::")) if kind == "Class" else found[2]
    return ReferencePattern(text, kind, title.replace("[", "[[]").replace("?", "[?]"))


def fits(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Return whether a pattern matches parts; `**` matches one part or more.

    It is enough to try only the last `**` again, so the time grows with the product of lengths.
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


def innermost(patterns: Sequence[ClassPattern], name: str) -> tuple[int, str] | None:
    """Return the number of the pattern that matches a name or its namespace, and the match.

    The longest namespace wins, and the first of several patterns.
    """
    parts = name.split("::")
    for length in range(len(parts), 0, -1):
        for number, pattern in enumerate(patterns):
            if pattern.matches(parts[:length]):
                return number, "::".join(parts[:length])
    return None
