"""The keys of a file of Hiera's data, with places.

A key of the outermost hash begins a line: text that goes on over several lines is indented. So a
file that is being written has its keys, too.
"""

from __future__ import annotations

import re

from analyzer.lsp.index.facts import Facts, Symbol, Use

KEY = re.compile(
    r"^(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<plain>[^\s#&*!|>%@`'\"{}\[\],?-]"
    r"(?:[^\n:#]|:(?!\s|$)|(?<!\s)#)*?))[ \t]*:(?=\s|$)",
    re.MULTILINE,
)

# A value that takes that of another key.
LOOKUP = re.compile(r"%\{\s*(?:lookup|hiera|alias)\(\s*['\"]([^'\"()\n]+)['\"]\s*\)\s*\}")


def facts_of(text: str) -> Facts:
    """Return the outermost keys of a YAML text, each up to the next, and those in values."""
    found = list(KEY.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    rows = []
    for match, end in zip(found, ends, strict=False):
        group = match.lastgroup or "plain"
        last = match.start() + len(text[match.start() : end].rstrip())
        rows.append(Symbol("key", match[group], *match.span(group), match.start(), last))
    uses = [Use("key", match[1], *match.span(1)) for match in LOOKUP.finditer(text)]
    return Facts(tuple(rows), tuple(uses))
