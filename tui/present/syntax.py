"""Colours of a manifest's text, from the tokens of catgraph's own lexers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from tui.present.fit import clean
from tui.present.pieces import Line, Piece

# Larger texts stay plain.
MOST_CHARACTERS = 500_000

# Kinds of tokens by the style they have; all others are plain.
PUPPET = {
    "strong": (
        "CASE CLASS DEFAULT DEFINE IF ELSIF ELSE INHERITS NODE AND OR UNDEF BOOLEAN IN UNLESS "
        "FUNCTION TYPE ATTR PRIVATE PLAN APPLY"
    ),
    "string": "STRING DQPRE DQMID DQPOST REGEX HEREDOC SUBLOCATE",
    "number": "NUMBER",
    "accent": "VARIABLE",
    "title": "CLASSREF",
    "notify": "IN_EDGE_SUB OUT_EDGE_SUB",
    "before": "IN_EDGE OUT_EDGE",
    "key": "LCOLLECT RCOLLECT LLCOLLECT RRCOLLECT AT ATAT",
}
# The groups of the CFEngine lexer's pattern.
CFENGINE_STYLES = {
    "comment": "dim",
    "string": "string",
    "var": "accent",
    "type": "title",
    "guard": "key",
    "arrow": "before",
    "macro": "key",
}

COMMENT = re.compile(r"#[^\n]*|/\*.*?\*/", re.DOTALL)

# A run of characters in one style: start, end, style.
Run = tuple[int, int, str]


def styles_of(table: dict[str, str]) -> dict[str, str]:
    """Return the style of each kind of token."""
    return {kind: style for style, kinds in table.items() for kind in kinds.split()}


PUPPET_STYLES = styles_of(PUPPET)


def runs(text: str, file: str) -> Iterable[Run]:
    """Return the styled runs of a text, the later ones on top; up to the first syntax error."""
    if len(text) > MOST_CHARACTERS:
        return ()
    if file.endswith(".cf"):
        return cfengine_runs(text)
    return puppet_runs(text) if file.endswith(".pp") else ()


def puppet_runs(text: str) -> list[Run]:
    """Return the runs of a Puppet manifest."""
    from analyzer.frontends.puppet.syntax.diagnostic import ParseError
    from analyzer.frontends.puppet.syntax.lexing.lexer import Lexer

    lexer = Lexer(text)
    try:
        tokens = lexer.run()
    except ParseError:
        tokens = lexer.tokens
    found = sorted(
        ((start, start + size, PUPPET_STYLES.get(kind, "")) for kind, _, start, size in tokens),
        key=lambda run: run[0],
    )
    return [*comments(text, found), *found]


def comments(text: str, tokens: Iterable[Run]) -> Iterator[Run]:
    """Yield the comments, which are between the tokens."""
    last = 0
    for start, end, _ in [*tokens, (len(text), len(text), "")]:
        if start > last:
            for found in COMMENT.finditer(text, last, start):
                yield found.start(), found.end(), "dim"
        last = max(last, end)


def cfengine_runs(text: str) -> Iterator[Run]:
    """Yield the runs of a CFEngine policy."""
    from analyzer.frontends.cfengine.syntax.lexer import KEYWORDS, MASTER

    for found in MASTER.finditer(text):
        kind = found.lastgroup or ""
        style = "strong" if found.group() in KEYWORDS else CFENGINE_STYLES.get(kind, "")
        if style:
            yield found.start(), found.end(), style


class Coloured:
    """The lines of a text, coloured when they are needed.

    `paint` has the number of the style of each character.
    """

    def __init__(self, text: str, file: str) -> None:
        self.lines = text.split("\n")
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.styles = [""]
        self.paint = bytearray(len(text))
        known = {"": 0}
        for start, end, style in runs(text, file):
            if style not in known:
                known[style] = len(self.styles)
                self.styles.append(style)
            self.paint[start:end] = bytes([known[style]]) * (end - start)

    def line(self, number: int) -> Line:
        """Return a line by its number, which counts from 1."""
        start, text = self.starts[number - 1], self.lines[number - 1]
        painted = zip(text, self.paint[start : start + len(text)], strict=True)
        return tuple(
            Piece(expanded("".join(char for char, _ in run)), self.styles[style])
            for style, run in groupby(painted, key=lambda one: one[1])
        )

    @property
    def width(self) -> int:
        """Return the characters of the longest line."""
        return max(len(expanded(line)) for line in self.lines)


def expanded(text: str) -> str:
    """Return a text with tabs as blanks and without terminal escapes."""
    return clean(text.removesuffix("\r").replace("\t", "    "))
