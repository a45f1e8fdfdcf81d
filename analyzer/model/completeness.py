"""Gaps: what a compile could not know or left out, so that nothing incomplete is called clean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from analyzer.model.nouns import counted
from analyzer.source import Span

GapKind = Literal[
    "undecided",  # an Unknown decided a condition, a title, a relationship, ...
    "function",  # a function that cannot be evaluated here
    "template",
    "resource type",  # generates or relates resources in a way that is not known
    "class",  # could not be compiled
    "error",  # a statement that Puppet refuses
    "module",  # declared, and not installed
    "node",  # a node block that was not compiled
    "file",  # may not be read
    "folder",  # which files it gets from its source
    "unread",  # a file or a statement that was refused: unreadable, too large, too deep, too slow
    "data",  # a key of Hiera without a value
    "worlds",  # what another world may have, and the search did not come to
    "internal error",
]

# The reason why a real run does not start, for the command line and the terminal screens.
REFUSED_RUN = (
    "the catalog is incomplete, so nothing was changed; --allow-incomplete applies the known part"
)

# How many are named of what such a group is about.
NAMED = 3

# What is counted though it hides nothing.
COUNTED = ("undecided", "file", "folder")

# Gaps that are of the input or of our limits, and not of what the user could have given: something
# is there and was not looked at.
UNSEEN = ("file", "unread", "worlds", "internal error")

# Groups of gaps that a statement shows before it counts the rest.
SHOWN = 5

# What is undecided, and its plural where that takes more than an `s`.
PLURALS = {
    "hash of attributes": "hashes of attributes",
    "class name": "class names",
    "call of create_resources": "calls of create_resources",
    "class": "classes",
    "folder with recurse": "folders with recurse",
    "key of Hiera": "keys of Hiera",
}
# What the kinds of gaps are called that are not what they are about.
WORDS = {
    "data": "key of Hiera",
    "error": "refused statement",
    "folder": "folder with recurse",
    "unread": "unread place",
}

# A reason that ends with the option that helps.
WITH_HINT = re.compile(r"(.*?)(?:, and there are no facts)? \((--[^()]*)\)", re.DOTALL)

FACTS, RUBY, OPEN = "--facts FILE", "--ruby auto", "--allow-read DIR"

# Modules that a line names.
MODULES = 6
MODULE = re.compile(r"module '(\w+)'")
DECLARING = re.compile(r"(?:, which| that) (.+?) declares? and ")

# Words of the reasons for which Ruby would help.
IN_RUBY = ("written in Ruby", "Hiera 3 backend", "Hiera's ")

# What differs between reasons that are the same: what they quote, and where it is.
PARTICULARS = re.compile(
    r"'[^']*'|(?<=find class )[\w:-]+|\([^()]*(?:file|line): [^()]*\)"
    r"|\b[A-Z][\w:]*\[[^\]]*\]|\$[\w:]+"
)


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is not known about a catalog.

    `name` is what it is about (`role()`, `Class[x]`, `condition`), `reason` why it is not known,
    `span` where it matters. `hint` is what the user can do (`--facts FILE`), empty where nothing
    helps. `hides` is False where no resource and no relationship can be missing because of it.
    """

    kind: GapKind
    name: str
    reason: str
    span: Span | None = None
    hint: str = ""
    hides: bool = True

    def __str__(self) -> str:
        place = f" at {self.span}" if self.span and self.span.file else ""
        return f"{self.name}{place}{ending(self)}"


def ending(gap: Gap) -> str:
    """Return why it is not known and what helps, as what follows a name."""
    joint = " " if gap.reason.startswith(("is ", "may ", "was ")) else ": "
    return f"{joint}{gap.reason}{f'; try {gap.hint}' if gap.hint else ''}"


def hint_in(reason: str) -> tuple[str, str]:
    """Return the reason of an Unknown, and the option that would help."""
    found = WITH_HINT.fullmatch(reason)
    if found is not None:
        return found[1], found[2]
    return reason, RUBY if any(words in reason for words in IN_RUBY) else ""


def hiding(gaps: Iterable[Gap]) -> list[Gap]:
    """Return the gaps that may keep a resource or a relationship from being seen."""
    return [gap for gap in gaps if gap.hides]


def unseen(gaps: Iterable[Gap]) -> list[Gap]:
    """Return the gaps that hide something because it was refused, and not for lack of inputs."""
    return [gap for gap in hiding(gaps) if gap.kind in UNSEEN or gap.hint == OPEN]


def statement(gaps: Iterable[Gap], *, everything: bool = False) -> list[str]:
    """Return the completeness statement as lines, which name by reason what may hide something.

    What an Unknown decides without hiding anything, and files of data that may not be read, are
    counted. `everything` gives each gap, also
    functions and templates whose values are not known, a line of its own.
    """
    known = list(dict.fromkeys(gaps))
    hidden, others = hiding(known), [gap for gap in known if not gap.hides]
    if everything:
        rows = [f"incomplete: {gap}" for gap in hidden]
        return rows + [f"{head_of(gap)}: {gap}" for gap in others]
    groups = grouped(hidden)
    rows = [f"incomplete: {line_of(group)}" for group in groups[:SHOWN]]
    if len(groups) > SHOWN:
        rest = [gap for group in groups[SHOWN:] for gap in group]
        reasons = counted(len(groups) - SHOWN, "other reason")
        rows.append(f"incomplete: {reasons}, affecting {counts(rest)} (--explain lists them)")
    rows += [f"{head_of(gap)}: {gap}" for gap in others if gap.kind == "worlds"]
    decided = [gap for gap in others if gap.kind in COUNTED]
    if decided:
        rows.append(f"{head_of(decided[0])}: {counts(decided)} (--explain lists them)")
    return rows


def head_of(gap: Gap) -> str:
    """Return the beginning of a line about a gap that hides nothing."""
    return "not explored" if gap.kind == "worlds" else "unknown, but hides no relationship"


def grouped(gaps: Sequence[Gap]) -> list[list[Gap]]:
    """Return gaps by what they have in common, the largest group first."""
    found: dict[tuple[str, ...], list[Gap]] = {}
    for gap in gaps:
        common = PARTICULARS.sub("...", gap.reason)
        key: tuple[str, ...] = gap.kind, common, gap.hint
        if gap.hint == FACTS or gap.kind == "module":
            key = gap.kind, gap.hint
        found.setdefault(key, []).append(gap)
    return sorted(found.values(), key=lambda group: -len(group))


def line_of(group: Sequence[Gap]) -> str:
    """Return one line about gaps that have a reason in common."""
    first, names = group[0], list(dict.fromkeys(gap.name for gap in group))
    if first.kind == "module":
        return modules_line(group)
    if len(group) == 1:
        return str(first)
    if len({gap.reason for gap in group}) > 1 and first.hint != FACTS:
        first = replace(first, reason=reason_of(group))
    place = f" (first at {first.span})" if first.span and first.span.file else ""
    if first.kind == "undecided":
        common = replace(first, reason="there are no facts") if first.hint == FACTS else first
        return f"{counts(group)} unknown{place}{ending(common)}"
    if len(names) == 1:
        return f"{names[0]} at {len(group):,} places{place}{ending(first)}"
    each = ": each" if ending(first)[0] == " " else ""
    return f"{names[0]}{place} and {len(names) - 1:,} more{each}{ending(first)}"


def modules_line(group: Sequence[Gap]) -> str:
    """Return one line about all modules that are declared and not installed."""
    first = group[0]
    found = (MODULE.search(gap.reason) for gap in group)
    modules = sorted({match[1] for match in found if match})
    files = sorted({m[1] for gap in group if (m := DECLARING.search(gap.reason))})
    owner = f" of {' and '.join(map(with_article, files))}" if files else ""
    plural = len(modules) != 1
    count = f"{len(modules)} " if modules else ""
    named = ", ".join([*modules[:MODULES], *(["..."] if len(modules) > MODULES else [])])
    about = f": {named}" if modules else ""
    place = f"first used at {first.span}" if first.span and first.span.file else "in use"
    verb = "are" if plural else "is"
    noun = "modules" if plural else "module"
    uses = len(group)
    used = f"{uses:,} uses, {place}" if uses > 1 else place
    return f"{count}{noun}{owner} {verb} not installed{about} ({used}): run {first.hint}"


def with_article(file: str) -> str:
    """Return the name of a file that declares modules, as a sentence has it."""
    return "the Puppetfile" if file == "Puppetfile" else file


def reason_of(group: Sequence[Gap]) -> str:
    """Return the reason of gaps whose reasons differ in what they quote."""
    first = group[0].reason
    found = (PARTICULARS.search(gap.reason) for gap in group)
    names = list(dict.fromkeys(match[0] for match in found if match))
    if not all(word[0] in "':" or word[0].islower() for word in names):
        return first
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return PARTICULARS.sub(lambda _: ", ".join(names[:NAMED]) + more, first, count=1)


def word_of(gap: Gap) -> str:
    """Return a word for what is not known: `condition`, `function`, ..."""
    if gap.kind == "undecided":
        # `parameter owner of File[/x]` is one of the parameters.
        return "parameter" if gap.name.startswith("parameter ") else gap.name
    return WORDS.get(gap.kind, gap.kind)


def counts(group: Sequence[Gap]) -> str:
    """Return how many conditions, titles, functions, ... are not known."""
    found: dict[str, int] = {}
    for gap in group:
        word = word_of(gap)
        found[word] = found.get(word, 0) + 1
    words = [
        f"{count:,} {word if count == 1 else PLURALS.get(word, word + 's')}"
        for word, count in found.items()
    ]
    return " and ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])
