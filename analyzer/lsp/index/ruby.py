"""The resource types, functions and facts that files in Ruby define.

The Ruby is not run: a pattern finds the declared name.
"""

from __future__ import annotations

import re

from analyzer.lsp.index.facts import FileFacts, IndexedSymbol

# The place in a module, the kind of symbol, and how it is declared.
FILES: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("/lib/puppet/type/", "ruby type", re.compile(r"newtype\(?\s*:['\"]?(\w+)")),
    ("/lib/puppet/type/", "ruby type", re.compile(r"name:\s*['\"](\w+)['\"]")),
    (
        "/lib/puppet/functions/",
        "ruby function",
        re.compile(r"create_function\(?\s*:?['\"]?([\w:]+)"),
    ),
    (
        "/lib/puppet/parser/functions/",
        "ruby function",
        re.compile(r"newfunction\(?\s*:?['\"]?(\w+)"),
    ),
    ("/lib/facter/", "fact", re.compile(r"Facter\.add\(?\s*:?['\"]?([\w.]+)")),
)


def brings(path: str) -> bool:
    """Return whether a file in Ruby may define a resource type, a function or a fact."""
    return path.endswith(".rb") and any(place in path for place, *_ in FILES)


def facts_of(text: str, path: str) -> FileFacts:
    """Return the declarations of a file, each name once."""
    found: dict[tuple[str, str], IndexedSymbol] = {}
    for place, kind, pattern in FILES:
        if place in path:
            for match in pattern.finditer(text):
                name = match[1].lower()
                start, end = match.span(1)
                symbol = IndexedSymbol(kind, name, start, end, match.start(), end)
                found.setdefault((kind, name), symbol)
    return FileFacts(tuple(found.values()))
