"""Puts findings of one cause together: a missing name, code for an old Puppet, one statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from analyzer.diagnostics import Finding
from analyzer.linter.run import Found, listed, notes_about
from analyzer.source import Span

REFUSED = "CG200"

# Rules about what is chosen once in a file, and about a name or a habit of a whole repository.
BY_FILE = ("CG109",)
BY_MESSAGE = ("CG110", "CG111")

# The same name is missing at each place.
MISSING = re.compile(
    r"(?:Could not find (?:declared )?class|Unknown resource type:) '?(?P<n>[\w:]+)"
)

# A definition is not in the file that its name says.
MISPLACED = "Unacceptable location."

# What Puppet 3 took and Puppet 4 refuses, by its words (lib/puppet/parser/grammar.ra of 3.8).
HYPHENS = "names with a hyphen"
OLD = (
    (re.compile(r"Node inheritance is not supported"), "node inheritance"),
    (re.compile(r"Use of 'import' has been discontinued"), "the function import"),
    (re.compile(r"Unacceptable name\. The name '[\w:]*-[\w:-]*'"), HYPHENS),
    (re.compile(r"This Node Definition is unacceptable as a top level"), "nodes in modules"),
    (re.compile(r"Illegal variable name, The given name '[A-Z]"), "variables with a capital"),
)
# The same of which the text says more than the message: `Package ["x"]`, `$os == Debian`.
DIGITS = re.compile(r"(?:\w+::)*\d\w*(?:::|\b)|(?:\w+::)+\d")
AT_BRACKET = ("Syntax error at '['", "Expression is not valid as a resource")
SPACED = re.compile(r"[A-Z]\w*(?:::[A-Z]\w*)*[ \t]+\Z")
# The language of application orchestration, and the errors that it gives since it is none.
ORCHESTRATION = "the language of application orchestration"
ORCHESTRATED = re.compile(
    r"^[ \t]*(?:site[ \t]*\{(?!\s*(?:['\"\[]|\$\w+\s*:|default\b))|application[ \t]+\w"
    r"|[A-Z][\w:]*[ \t]+(?:produces|consumes)[ \t]+[A-Z])",
    re.MULTILINE,
)
PARSING = re.compile(
    r"Syntax error at|This [\w -]+ (?:has no effect|is unacceptable as a top level construct)"
    r"|This expression is invalid. Did you try declaring a 'site'"
)
BARE = re.compile(r"[A-Z]\w*(?![\w:]*[ \t]*[\[$])")

Texts = Callable[[str], str | None]


def gathered(found: Sequence[Found], texts: Texts) -> list[Found]:
    """Return findings with those of one cause at many places as one, at the first of them."""
    groups: dict[object, list[Found]] = {}
    for number, one in enumerate(found):
        groups.setdefault(cause(one.finding, texts) or number, []).append(one)
    return [together(group, texts) for group in groups.values()]


def cause(finding: Finding, texts: Texts) -> tuple[str, ...]:
    """Return the cause that a finding may share with others, empty if it has none.

    The same words about the same place differ only in what else is in a catalog.
    """
    if finding.span is None or finding.condition:
        return ()
    if finding.code in BY_FILE:
        return finding.code, finding.span.file
    if finding.code in BY_MESSAGE:
        return finding.code, finding.message
    if finding.code != REFUSED:
        return finding.code, finding.severity, str(finding.span), finding.message
    missing = MISSING.match(finding.message)
    if missing is not None:
        return "missing", missing["n"].removeprefix("::")
    if finding.message.startswith(MISPLACED):
        return (MISPLACED,)
    old = old_form(finding, texts)
    return ("old", old) if old else ()


def old_form(finding: Finding, texts: Texts) -> str:
    """Return the old form that an error is about, empty if it is about another thing."""
    for words, form in OLD:
        if words.match(finding.message):
            return form
    before, after = around(finding.span, texts)
    if finding.message == "Illegal fully qualified name" and DIGITS.match(after):
        return "names with a segment that begins with a digit"
    if finding.message.startswith(AT_BRACKET) and SPACED.search(before):
        return "a space between a type and its title"
    if finding.message.startswith("Resource type not found: ") and BARE.match(after):
        return "capitalized words without quotes"
    if finding.span and PARSING.match(finding.message):
        found = ORCHESTRATED.search(texts(finding.span.file) or "")
        return ORCHESTRATION if found else ""
    return ""


def around(span: Span | None, texts: Texts) -> tuple[str, str]:
    """Return the text of a line before and after a place."""
    lines = (texts(span.file) or "").splitlines() if span else []
    if span is None or not 0 < span.line <= len(lines):
        return "", ""
    return lines[span.line - 1][: span.column - 1], lines[span.line - 1][span.column - 1 :]


def together(group: Sequence[Found], texts: Texts) -> Found:
    """Return the first of findings of one cause, with what the others say besides."""
    first, *rest = group
    also = [other for one in rest for other in (one.finding, *one.finding.also)]
    finding = first.finding
    if also:
        own = set(notes_about(finding))
        finding = replace(finding, also=(*finding.also, *(replace(one, also=()) for one in also)))
        notes = [*(note for note in finding.notes if note not in own), *notes_about(finding)]
        notes += other_places(finding)
        finding = replace(finding, notes=tuple(notes))
    old = old_form(finding, texts) if finding.code == REFUSED else ""
    if old:
        version, refusing = ("3 or older", "Puppet 4 and later refuse")
        if old == ORCHESTRATION:
            version, refusing = ("4 or 5", "Puppet 7 refuses")
        note = f"this is code for Puppet {version}: {refusing} {old}"
        finding = replace(finding, notes=(*finding.notes, note))
    return replace(first, finding=finding)


def other_places(finding: Finding) -> list[str]:
    """Return a note of the places of a cause besides its first."""
    places = dict.fromkeys(str(one.span) for one in finding.also if one.span != finding.span)
    count = "1 more place" if len(places) == 1 else f"{len(places):,} more places"
    return [f"at {count}: {listed(list(places))}"] if places else []
