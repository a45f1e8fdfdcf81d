"""Merges findings with one cause: a missing name, code for an old Puppet, one statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from analyzer.diagnostics import Finding
from analyzer.linter.run import Found, listed, notes_about
from analyzer.source import Span

REFUSED, NO_TARGET = "CG200", "CG201"

# Rules about a choice for a whole file, and about a name or a habit of a whole repository.
BY_FILE = ("CG109",)
BY_MESSAGE = ("CG110", "CG111", "CG202")
# Rules whose messages for one place depend on other parts of a catalog.
BY_PLACE = ("CG105", "CG311")

# The same name is missing at each place.
MISSING = re.compile(
    r"(?:Could not find (?:declared )?class|Unknown resource type:) '?(?P<n>[\w:-]+)"
)
ABSENT = "none of them is in a module on the modulepath"

# A mistake that counts once even if it is repeated: definitions in a file that does not match their
# names, and parameters with a qualified name.
MISPLACED = "Unacceptable location."
ONE_MISTAKE = (MISPLACED, "Illegal parameter name.")
DEFINITION = re.compile(rf"{re.escape(MISPLACED)} The name '(?P<n>[\w:-]+)'")

# Code that Puppet 3 accepted and Puppet 4 refuses, by message (lib/puppet/parser/grammar.ra of
# 3.8).
HYPHENS, IMPORTS = "names with a hyphen", "the function import"
OLD = (
    (re.compile(r"Node inheritance is not supported"), "node inheritance"),
    (re.compile(r"Use of 'import' has been discontinued"), IMPORTS),
    (re.compile(r"(?:Unacceptable|Illegal) name\. The (?:given )?name '[\w:]*-[\w:-]*'"), HYPHENS),
    (re.compile(r"This Node Definition is unacceptable as a top level"), "nodes in modules"),
    (re.compile(r"Use of reserved word: "), "these words without quotes"),
    (re.compile(r"The operator '\+=' is no longer supported"), "the operator +="),
    (re.compile(r"Illegal variable name, The given name '[A-Z]"), "variables with a capital"),
)
# Such code that the text shows more clearly than the message: `Package ["x"]`, `$os == Debian`.
DIGITS = re.compile(r"(?:\w+::)*\d\w*(?:::|\b)|(?:\w+::)+\d")
DEFINED = re.compile(r"^\s*(?:class|define|include|contain|require)\s+\Z")
OUTSIDE = re.compile(r"This .* is unacceptable as a top level construct in this location")
AT_BRACKET = ("Syntax error at '['", "Expression is not valid as a resource")
SPACED = re.compile(r"[A-Z]\w*(?:::[A-Z]\w*)*[ \t]+\Z")
# The removed language of application orchestration, and the errors that it causes now.
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
# A definition whose name a program puts in before Puppet reads the file.
PLACEHOLDER = re.compile(
    r"^[ \t]*(?:class|define|node)\s+['\"]?[\w:-]*?"
    r"(?:\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|@@\w+@@|<%=|\{\{\s*\w+\s*\}\}|__[A-Z_]+__)",
    re.MULTILINE,
)
TEMPLATE = "a file with placeholders for names is no manifest yet"

Texts = Callable[[str], str | None]


def gathered(found: Sequence[Found], texts: Texts, installed: Collection[str]) -> list[Found]:
    """Return findings; merge those of one cause at many places into the first one.

    `installed` are the names of the installed modules.
    """
    definitions = (DEFINITION.match(one.finding.message) for one in found)
    misplaced = {one["n"].lower() for one in definitions if one}
    groups: dict[object, list[Found]] = {}
    for number, one in enumerate(found):
        key = cause(one.finding, texts, installed, misplaced) or number
        groups.setdefault(key, []).append(one)
    return [together(group, texts) for group in groups.values()]


def cause(
    finding: Finding, texts: Texts, installed: Collection[str], misplaced: Collection[str]
) -> tuple[str, ...]:
    """Return the cause that a finding may share with others, empty if there is none.

    Equal messages about one place differ only in other parts of a catalog. `misplaced` are the
    names of definitions in files where Puppet does not look for them.
    """
    if finding.span is None:
        return ()
    if finding.condition:
        # A target may be missing for several statements in the same worlds.
        missing = finding.code == NO_TARGET
        return (NO_TARGET, finding.message, str(finding.condition)) if missing else ()
    if finding.code in BY_FILE:
        return finding.code, finding.span.file
    if finding.code in BY_MESSAGE:
        return finding.code, finding.message
    if finding.code == REFUSED:
        return cause_of_error(finding, texts, installed, misplaced)
    words = "" if finding.code in BY_PLACE else finding.message
    return finding.code, finding.severity, str(finding.span), words


def cause_of_error(
    finding: Finding, texts: Texts, installed: Collection[str], misplaced: Collection[str]
) -> tuple[str, ...]:
    """Return the cause of an error of Puppet; see `cause`."""
    name = missing_name(finding)
    if name in misplaced:
        return (MISPLACED,)
    if name and "-" not in name:
        return "missing", name if name.partition("::")[0] in installed else ""
    mistake = next((m for m in ONE_MISTAKE if finding.message.startswith(m)), "")
    if mistake:
        return (mistake,)
    if in_template(finding, texts):
        return (TEMPLATE,)
    old = old_form(finding, texts)
    return ("old", old) if old else ()


def in_template(finding: Finding, texts: Texts) -> bool:
    """Return whether an error is in a file with placeholders for the names of definitions."""
    text = texts(finding.span.file) if finding.span else ""
    return PLACEHOLDER.search(text or "") is not None


def missing_name(finding: Finding) -> str:
    """Return the name of the missing class or type in an error, or an empty string."""
    missing = MISSING.match(finding.message)
    return missing["n"].removeprefix("::").lower() if missing else ""


def old_form(finding: Finding, texts: Texts) -> str:
    """Return the old syntax in an error, empty if the error has another subject."""
    for words, form in OLD:
        if words.match(finding.message):
            return form
    if "-" in missing_name(finding):
        return HYPHENS
    before, after = around(finding.span, texts)
    named = finding.message == "Illegal fully qualified name" or DEFINED.search(before)
    if named and DIGITS.match(after):
        return "names with a segment that begins with a digit"
    text = texts(finding.span.file) if finding.span else ""
    if PARSING.match(finding.message) and ORCHESTRATED.search(text or ""):
        return ORCHESTRATION
    if OUTSIDE.match(finding.message):
        return IMPORTS if after.startswith("import ") else "code outside of classes in modules"
    if finding.message.startswith(AT_BRACKET) and SPACED.search(before):
        return "a space between a type and its title"
    if finding.message.startswith("Resource type not found: ") and BARE.match(after):
        return "capitalized words without quotes"
    return ""


def around(span: Span | None, texts: Texts) -> tuple[str, str]:
    """Return the text of a line, divided at a place."""
    lines = (texts(span.file) or "").splitlines() if span else []
    if span is None or not 0 < span.line <= len(lines):
        return "", ""
    return lines[span.line - 1][: span.column - 1], lines[span.line - 1][span.column - 1 :]


def together(group: Sequence[Found], texts: Texts) -> Found:
    """Return the first of the findings with one cause, with notes about the others.

    A name that is missing comes after the definition that Puppet does not find.
    """
    misplaced = any(one.finding.message.startswith(MISPLACED) for one in group)
    first, *rest = sorted(group, key=lambda one: misplaced and bool(missing_name(one.finding)))
    also = [other for one in rest for other in (one.finding, *one.finding.also)]
    finding = first.finding
    if also:
        own = set(notes_about(finding))
        finding = replace(finding, also=(*finding.also, *(replace(one, also=()) for one in also)))
        notes = [*(note for note in finding.notes if note not in own), *notes_about(finding)]
        notes += other_places(finding)
        notes += other_names(finding)
        finding = replace(finding, notes=tuple(notes))
    if finding.code == REFUSED and in_template(finding, texts):
        return replace(
            first, finding=replace(finding, severity="note", notes=(*finding.notes, TEMPLATE))
        )
    old = old_form(finding, texts) if finding.code == REFUSED else ""
    if old:
        version, refusing = ("3 or older", "Puppet 4 and later refuse")
        if old == ORCHESTRATION:
            version, refusing = ("4 or 5", "Puppet 7 refuses")
        note = f"this is code for Puppet {version}: {refusing} {old}"
        finding = replace(finding, notes=(*finding.notes, note))
    return replace(first, finding=finding)


def other_places(finding: Finding) -> list[str]:
    """Return a note about the further places of a cause."""
    places = dict.fromkeys(str(one.span) for one in finding.also if one.span != finding.span)
    count = "1 more place" if len(places) == 1 else f"{len(places):,} more places"
    return [f"at {count}: {listed(list(places))}"] if places else []


def other_names(finding: Finding) -> list[str]:
    """Return a note about the other names that are missing for one cause."""
    name = missing_name(finding)
    others = dict.fromkeys(missing_name(one) for one in finding.also)
    others.pop(name, None)
    if finding.message.startswith(MISPLACED):
        others.pop("", None)
        return [f"so that Puppet does not find {listed(list(others))}"] if others else []
    if not name or "-" in name or not others:
        return []
    return [f"also missing: {listed(list(others))}; {ABSENT}"]
