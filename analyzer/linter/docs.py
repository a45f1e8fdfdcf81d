"""A rule's docstring: a summary, the reason for the rule, and examples that its tests run.

After the summary come paragraphs headed `Why:`, `Evidence:` (what a finding relies on), `Bad:`,
`Good:` and `Silent:` (code that resembles a bad example, and is accepted). Examples are fenced
blocks; words after the opening fence are options (`puppet-version=4`), and a line that the rule
must report ends in the comment `# <--`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from inspect import cleandoc

HEADS = re.compile(r"^(Why|Evidence|Bad|Good|Silent):[ \t]*", re.MULTILINE)
FENCE = re.compile(r"^```(puppet|cfengine)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"[ \t]*# <--$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A manifest or policy, its options, and the lines that the rule must report."""

    text: str
    options: dict[str, str]
    blamed: tuple[int, ...]
    language: str = "puppet"


@dataclass(frozen=True, slots=True)
class Documentation:
    """The parts of a docstring; `text` is all of it without the marks."""

    summary: str
    why: str
    evidence: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    silent: tuple[Example, ...]
    text: str


def read(docstring: str) -> Documentation:
    """Read a rule's docstring."""

    text = cleandoc(docstring)
    parts = HEADS.split(text)
    sections: dict[str, str] = {}
    for head, section in zip(parts[1::2], parts[2::2], strict=True):
        sections[head] = sections.get(head, "") + section
    return Documentation(
        parts[0].strip().rstrip("."),
        " ".join(FENCE.sub("", sections.get("Why", "")).split()),
        " ".join(FENCE.sub("", sections.get("Evidence", "")).split()),
        examples(sections.get("Bad", "")),
        examples(sections.get("Good", "")),
        examples(sections.get("Silent", "")),
        MARK.sub("", text),
    )


def examples(section: str) -> tuple[Example, ...]:
    """Return the examples of a section."""
    found = []
    for language, options, text in FENCE.findall(section):
        lines = text.split("\n")
        blamed = tuple(n for n, line in enumerate(lines, 1) if MARK.search(line))
        pairs = dict(option.partition("=")[::2] for option in options.split())
        found.append(Example(MARK.sub("", text), pairs, blamed, language))
    return tuple(found)
