"""Reads the names in a text: of definitions, of files, of keys of Hiera, and computed ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

WORD = re.compile(r"(?<![\w:])(?:::)?([a-z]\w*(?:::\w+)*)")
# Names that Puppet 3 took.
HYPHENATED = re.compile(r"[a-z]\w*(?:(?:::|-)\w+)+")
PATH = re.compile(r"[\w.@+~-]+(?:/[\w.@+~-]+)+")
QUOTED = re.compile(r"""(["'])([^"'\n]{1,200})\1""")
COMMENT = re.compile(r"^[^\S\n]*#.*$", re.MULTILINE)
# What a text in double quotes, or of data, has in place of a part that is computed.
COMPUTED = re.compile(r"\$\{[^}\n]*\}|\$(?:::)?[a-z_]\w*|[%#]\{[^}\n]*\}")
TEXT = re.compile(r'"[^"\n]*(?:\$|#\{)[^"\n]*"|[^\s"\']*%\{[^}\n]*\}[^\s"\']*')
MODULE_NAME = re.compile(r"\$(?:\{(?:::)?module_name\}|(?:::)?module_name\b)")
# A key of Hiera that is a variable and nothing else.
LOOKUP_OF_VARIABLE = re.compile(
    r"\b(?:lookup|hiera(?:_array|_hash)?)\s*\(?\s*\$|\b(?:lookup|hiera(?:_array|_hash)?)\s*\(\s*\""
    r"(?:\$\{[^}\n]*\})+\""
)
# A class that is a variable, or that is computed as a whole.
INCLUDE = re.compile(
    r"\b(?:include|contain|require|hiera_include)\b\s*\(?\s*(?:\$(?P<name>(?:::)?[a-z_]\w*)|"
    r"\"(?:(?:::)?\$\{[^}\n]*\})+\")|\bclass\s*\{\s*\$(?P<title>(?:::)?\w+)\s*:"
)
# A text that names may begin with, and functions that put names together.
BEGINNING = re.compile(r"""["'](?:::)?((?:\w+::)+)["']""")
MAKERS = re.compile(r"\b(?:regsubst|prefix|suffix|sprintf|join|map)\b")
# Variables of the top scope that facts set.
FACTS = frozenset({"facts", "trusted"})
# The fewest letters of a computed name that are not computed.
LEAST = 2


@dataclass(frozen=True, slots=True)
class Pattern:
    """A computed name as an expression, with the place that computes it."""

    matching: re.Pattern[str]
    file: str
    line: int


@dataclass(slots=True)
class NamesInTexts:
    """The names of texts; `open_keys` are places where a key of Hiera may be any.

    `open_classes` are those where the name of a class may be.
    """

    words: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)
    quoted: set[str] = field(default_factory=set)
    patterns: list[Pattern] = field(default_factory=list)
    open_keys: list[tuple[str, int]] = field(default_factory=list)
    open_classes: list[tuple[str, int]] = field(default_factory=list)

    def add(self, other: NamesInTexts) -> None:
        """Add the names of another text."""
        self.words |= other.words
        self.paths |= other.paths
        self.quoted |= other.quoted
        self.patterns += other.patterns
        self.open_keys += other.open_keys
        self.open_classes += other.open_classes


def names_in(text: str, file: str, module: str = "") -> NamesInTexts:
    """Return the names in a text; `module` is the one that it belongs to."""
    text = COMMENT.sub("", text)
    if module:
        text = MODULE_NAME.sub(module, text)
    found = NamesInTexts()
    lower = text.lower()
    found.words.update(WORD.findall(lower), HYPHENATED.findall(lower))
    for path in PATH.findall(text):
        parts = path.split("/")
        found.paths.update("/".join(parts[start:]) for start in range(len(parts) - 1))
    found.quoted.update(one for _, one in QUOTED.findall(text))
    found.patterns += patterns_in(text, file)
    found.open_keys += [
        (file, text.count("\n", 0, one.start()) + 1) for one in LOOKUP_OF_VARIABLE.finditer(text)
    ]
    found.open_classes += [
        (file, text.count("\n", 0, one.start()) + 1)
        for one in INCLUDE.finditer(text)
        if is_open(one, text)
    ]
    return found


def is_open(match: re.Match[str], text: str) -> bool:
    """Return whether a class that is included may be any: its name is in no text.

    A variable that the text itself sets has a name from here, or from data.
    """
    name = match["name"] or match["title"]
    if not name or name in FACTS or name.startswith("::"):
        return True
    if MAKERS.search(text) and not BEGINNING.search(text):
        return True
    return not re.search(
        rf"\${name}\s*=(?![=~>])|[A-Z][\w:]*(?:\[[^\n]*\])?\s+\${name}\b|\|[^|\n]*\${name}\b[^|\n]*\|",
        text,
    )


def patterns_in(text: str, file: str) -> Iterator[Pattern]:
    """Yield the computed names of a text; `'profile::'` is the beginning of some."""
    for match in BEGINNING.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Pattern(re.compile(f"{match[1]}.+", re.IGNORECASE), file, line)
    for match in TEXT.finditer(text):
        written = match[0].strip('"').removeprefix("puppet:///modules/").removeprefix("::")
        parts = COMPUTED.split(written)
        if len(parts) < 2 or sum(map(str.isalnum, "".join(parts))) < LEAST:
            continue
        expression = ".+".join(re.escape(part) for part in parts)
        line = text.count("\n", 0, match.start()) + 1
        yield Pattern(re.compile(expression, re.IGNORECASE), file, line)
