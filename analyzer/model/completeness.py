"""Gaps: the unknown and omitted parts of a compile, so that nothing incomplete is called clean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from analyzer.model.nouns import counted
from analyzer.source import Span, by_fields

GapKind = Literal[
    "undecided",  # an Unknown decided a condition, a title, a relationship, ...
    "function",  # a function that cannot be evaluated here
    "template",
    "resource type",  # generates or relates resources in an unknown way
    "class",  # could not be compiled
    "error",  # a statement that Puppet refuses
    "module",  # declared, and not installed
    "node",  # a node block that was not compiled
    "file",  # may not be read
    "folder",  # the files that it gets from its source are unknown
    "containment",  # edges between containers and their contents are missing
    "unread",  # a file or a statement that was refused: unreadable, too large, too deep, too slow
    "data",  # a key of Hiera without a value
    "assumption",  # taken for absent, as nobody can see it here
    "worlds",  # something in other worlds that the search did not reach
    "internal error",
]

# The reason why a real run does not start, for the command line and the terminal screens.
REFUSED_RUN = (
    "the catalog is incomplete, so nothing was changed; --allow-incomplete applies the known part"
)

# The most names in the line of a group.
NAMED = 3

# Kinds that are counted although they hide nothing.
COUNTED = ("undecided", "file", "folder")

# Gaps of the input or of our limits, which no option closes: a part of the input was not checked.
UNSEEN = ("file", "unread", "worlds", "internal error")

# Groups of gaps that a statement shows before it counts the rest.
SHOWN = 5

# Undecided things, with their irregular plurals.
PLURALS = {
    "hash of attributes": "hashes of attributes",
    "class name": "class names",
    "call of create_resources": "calls of create_resources",
    "class": "classes",
    "folder with recurse": "folders with recurse",
    "key of Hiera": "keys of Hiera",
}
# The words for kinds of gaps, if they differ from the kind.
WORDS = {
    "data": "key of Hiera",
    "error": "refused statement",
    "folder": "folder with recurse",
    "unread": "unread place",
}

# A reason that ends with a helpful option.
WITH_HINT = re.compile(r"(.*?)(?:, and no facts are given)? \((--[^()]*)\)", re.DOTALL)

FACTS, RUBY, OPEN = "--facts FILE", "--ruby auto", "--allow-read DIR"

# The most modules that a line names.
MODULES = 6
MODULE = re.compile(r"module '(\w+)'")
DECLARING = re.compile(r"(?:, which| that) (.+?) declares? and ")

# Words of the reasons for which Ruby would help.
IN_RUBY = ("written in Ruby", "Hiera 3 backend", "Hiera's ")

# The parts in which equal reasons differ: quotations and places.
PARTICULARS = re.compile(
    r"'[^']*'|(?<=find class )[\w:-]+|\([^()]*(?:file|line): [^()]*\)"
    r"|\b[A-Z][\w:]*\[[^\]]*\]|\$[\w:]+"
)


@dataclass(frozen=True, slots=True)
class Gap:
    """An unknown part of a catalog.

    `name` is its subject (`role()`, `Class[x]`, `condition`), `reason` the reason why it is not
    known, `span` the place where it matters. `hint` is advice (`--facts FILE`), empty if nothing
    helps. `hides` is False if no resource and no relationship can be missing because of it.
    """

    kind: GapKind
    name: str
    reason: str
    span: Span | None = None
    hint: str = ""
    hides: bool = True

    __reduce__ = by_fields

    def __str__(self) -> str:
        place = f" at {self.span}" if self.span and self.span.file else ""
        return f"{self.name}{place}{ending(self)}"


def ending(gap: Gap) -> str:
    """Return the reason and the hint as the end of a sentence that begins with a name."""
    joint = " " if gap.reason.startswith(("is ", "may ", "was ")) else ": "
    return f"{joint}{gap.reason}{f'; try {gap.hint}' if gap.hint else ''}"


def hint_in(reason: str) -> tuple[str, str]:
    """Return the reason of an Unknown, and the option that helps."""
    found = WITH_HINT.fullmatch(reason)
    if found is not None:
        return found[1], found[2]
    return reason, RUBY if any(words in reason for words in IN_RUBY) else ""


def hiding(gaps: Iterable[Gap]) -> list[Gap]:
    """Return the gaps that may hide a resource or a relationship."""
    return [gap for gap in gaps if gap.hides]


def unseen(gaps: Iterable[Gap]) -> list[Gap]:
    """Return the gaps that hide refused code, not those for lack of inputs."""
    return [gap for gap in hiding(gaps) if gap.kind in UNSEEN or gap.hint == OPEN]


def is_complete(gaps: Iterable[Gap]) -> bool:
    """Return whether all resources and relationships of a node are known.

    Gaps of kind `node` and `class` are about other catalogs.
    """
    return not any(gap.hides and gap.kind not in ("node", "class") for gap in gaps)


def verdict(gaps: Iterable[Gap]) -> str:
    """Return the sentence of every output about a catalog without a cycle."""
    return "no dependency cycle" if is_complete(gaps) else "incomplete; no cycle in the known part"


def notice(gaps: Iterable[Gap]) -> list[str]:
    """Return the statement for outputs that show an answer: lines about gaps that may change it."""
    return statement(hiding(gaps))


def statement(gaps: Iterable[Gap], *, everything: bool = False) -> list[str]:
    """Return the completeness statement as lines, with the hiding gaps by reason.

    Decisions that depend on an Unknown but hide nothing, and files of data that may not be read,
    are counted. With `everything`, each gap has its own line, including functions and templates
    with unknown values.
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
    """Return gaps grouped by their common reason, the largest group first."""
    found: dict[tuple[str, ...], list[Gap]] = {}
    for gap in gaps:
        common = PARTICULARS.sub("...", gap.reason)
        key: tuple[str, ...] = gap.kind, common, gap.hint
        if gap.hint == FACTS or gap.kind == "module":
            key = gap.kind, gap.hint
        found.setdefault(key, []).append(gap)
    return sorted(found.values(), key=lambda group: -len(group))


def line_of(group: Sequence[Gap]) -> str:
    """Return one line about gaps with a common reason."""
    first, names = group[0], list(dict.fromkeys(gap.name for gap in group))
    if first.kind == "module":
        return modules_line(group)
    if len(group) == 1:
        return str(first)
    if len({gap.reason for gap in group}) > 1 and first.hint != FACTS:
        first = replace(first, reason=reason_of(group))
    place = f" (first at {first.span})" if first.span and first.span.file else ""
    if first.kind == "undecided":
        common = replace(first, reason="no facts are given") if first.hint == FACTS else first
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
    declaring = (DECLARING.search(gap.reason) for gap in group)
    files = sorted({file for m in declaring if m for file in m[1].split(" and ")})
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
    """Return the name of a file that declares modules, for use in a sentence."""
    return "the Puppetfile" if file == "Puppetfile" else file


def reason_of(group: Sequence[Gap]) -> str:
    """Return the common reason of gaps whose reasons differ in their quotations."""
    first = group[0].reason
    found = (PARTICULARS.search(gap.reason) for gap in group)
    names = list(dict.fromkeys(match[0] for match in found if match))
    if not all(word[0] in "':" or word[0].islower() for word in names):
        return first
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return PARTICULARS.sub(lambda _: ", ".join(names[:NAMED]) + more, first, count=1)


def word_of(gap: Gap) -> str:
    """Return a word for the unknown part: `condition`, `function`, ..."""
    if gap.kind == "undecided":
        # `parameter owner of File[/x]` is one of the parameters.
        return "parameter" if gap.name.startswith("parameter ") else gap.name
    return WORDS.get(gap.kind, gap.kind)


def counts(group: Sequence[Gap]) -> str:
    """Return the numbers of unknown conditions, titles, functions, ..."""
    found: dict[str, int] = {}
    for gap in group:
        word = word_of(gap)
        found[word] = found.get(word, 0) + 1
    words = [
        f"{count:,} {word if count == 1 else PLURALS.get(word, word + 's')}"
        for word, count in found.items()
    ]
    return " and ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])
