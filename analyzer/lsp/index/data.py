"""The keys of a file of Hiera data, and the classes that its lists assign, with places.

A key of the top-level hash begins a line, because text over several lines is indented. So the keys
of a half-written file are found too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.lsp.index.facts import FileFacts, IndexedSymbol, IndexedUse

KEY = re.compile(
    r"^(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<plain>[^\s#&*!|>%@`'\"{}\[\],?-]"
    r"(?:[^\n:#]|:(?!\s|$)|(?<!\s)#)*?))[ \t]*:(?=\s|$)",
    re.MULTILINE,
)

# A value that interpolates the value of another key.
LOOKUP = re.compile(r"%\{\s*(?:lookup|hiera|alias)\(\s*['\"]([^'\"()\n]+)['\"]\s*\)\s*\}")

# An item of a list that may be the name of a class. Without `::` it is one only below a key that
# `ASSIGNING` matches.
ITEM = re.compile(
    r"^[ \t]*-[ \t]+(['\"]?)(?:::)?(?P<name>[a-z]\w*(?:::[a-z]\w*)*)\1[ \t]*(?:#.*)?$", re.MULTILINE
)
ASSIGNING = re.compile(r"(?:\A|_|::)(?:classes|roles|profiles)\Z")


def facts_of(text: str) -> FileFacts:
    """Return the top-level keys of a YAML text, each up to the next, and the names in values."""
    found = list(KEY.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    rows = []
    for match, end in zip(found, ends, strict=False):
        group = match.lastgroup or "plain"
        last = match.start() + len(text[match.start() : end].rstrip())
        rows.append(IndexedSymbol("key", match[group], *match.span(group), match.start(), last))
    uses = [IndexedUse("key", match[1], *match.span(1)) for match in LOOKUP.finditer(text)]
    uses += [one for row in rows for one in classes_in(text, row)]
    return FileFacts(tuple(rows), tuple(uses))


def classes_in(text: str, key: IndexedSymbol) -> Iterator[IndexedUse]:
    """Yield the names of classes in the lists of a key: `classes: [role::web]`."""
    assigns = ASSIGNING.search(key.name) is not None
    for match in ITEM.finditer(text, key.first, key.last):
        if assigns or "::" in match["name"]:
            yield IndexedUse("class", match["name"], *match.span("name"))
