"""Examples of rules again and again: each copy has names of its own for all that it declares."""

from __future__ import annotations

import re
from string import ascii_lowercase

from analyzer.linter.docs import Example

QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
WORD = r"[A-Za-z_][\w:]*"

# What a manifest calls by bare words, and what it names in quotes: titles and tags.
DEFINED = re.compile(rf"^\s*(?:class|define)\s+({WORD})", re.MULTILINE)
TITLES = re.compile(r"(?:\{\s*|^\s*|;\s*)((?:\[[^\]\n]*\]|'[^'\n]*'|\"[^\"\n]*\")):", re.MULTILINE)
TAGS = re.compile(r"\btag\s*(?:=>|==)\s*('[^'\n]*')")

VARIABLES = re.compile(r"^\s*(\$\w+)\s*=", re.MULTILINE)

# What a policy calls by bare words, in quotes, and by both.
PARTS = re.compile(rf"^\s*(?:bundle|body)\s+\w+\s+({WORD})", re.MULTILINE)
GUARDS = re.compile(r"^\s*!?(\w+)::", re.MULTILINE)
HANDLES = re.compile(r"\bhandle\s*=>\s*\"([^\"\n]*)\"")
CONTROL = re.compile(r"^body common control$.*?^\}$", re.MULTILINE | re.DOTALL)
SEQUENCE = re.compile(r"bundlesequence\s*=>\s*\{([^}]*)\};")


def repeated(example: Example, count: int) -> str:
    """Return the text of an example as often as asked for."""
    text = example.text
    if example.language == "cfengine":
        return policies(text, count)
    named = {stem(one[1:-1]) for t in TITLES.findall(text) for one in QUOTED.findall(t)}
    named |= {one[1:-1] for one in TAGS.findall(text)}
    bare = {word.split("::")[0] for word in DEFINED.findall(text)} | {*VARIABLES.findall(text)}
    return "".join(renamed(text, named | bare, bare, letters(n)) for n in range(count))


def policies(text: str, count: int) -> str:
    """Return a policy as often as asked for, with all that it calls in turn."""
    control = "".join(CONTROL.findall(text)) or "body common control\n{\n}"
    text = CONTROL.sub("", text)
    sequence = SEQUENCE.search(control)
    called = [one[1:-1] for one in QUOTED.findall(sequence[1])] if sequence else ["main"]
    bare = {*PARTS.findall(text), *GUARDS.findall(text)} - {"any", "linux"}
    parts = [renamed(text, bare | {*HANDLES.findall(text)}, bare, letters(n)) for n in range(count)]
    names = ", ".join(f'"{name}{letters(n)}"' for n in range(count) for name in called)
    head = SEQUENCE.sub("", control).removesuffix("}")
    return f"{head}  bundlesequence => {{ {names} }};\n}}\n" + "".join(parts)


def stem(title: str) -> str:
    """Return the word of a title that others share: `ntp` of `/etc/ntp.conf`."""
    plain = re.sub(r"\$\{[^}]*\}", "", title).rstrip("/")
    return plain.rpartition("/")[2].partition(".")[0]


def letters(number: int) -> str:
    """Return a number as letters, which no rule takes for a version."""
    return "q" + ascii_lowercase[number // 26] + ascii_lowercase[number % 26]


def renamed(text: str, quoted: set[str], bare: set[str], suffix: str) -> str:
    """Return a text with a suffix at some words: in quotes, or wherever they stand."""

    def words(names: set[str]) -> str:
        return "|".join(sorted(map(re.escape, names - {""}), key=len, reverse=True)) or r"\Z\A"

    inner = re.compile(rf"(?<![\w-])({words(quoted)})(?![\w-])")
    outer = re.compile(rf"(?<![\w'\"/-])({words(bare)})(?![\w'\"-])(?!\s*=>)")
    text = QUOTED.sub(lambda found: inner.sub(rf"\1{suffix}", found[0]), text)
    return outer.sub(rf"\1{suffix}", text)
