"""Finds old code among errors: what an older Puppet accepted, and what names are missing."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.diagnostics import Finding
from analyzer.pattern import pattern
from analyzer.source import Span

Texts = Callable[[str], str | None]

# The same name is missing at each place.
MISSING = pattern(r"(?:Could not find (?:declared )?class|Unknown resource type:) '?(?P<n>[\w:-]+)")

# Code that Puppet 3 accepted and Puppet 4 refuses, by message (lib/puppet/parser/grammar.ra of
# 3.8).
HYPHENS, IMPORTS = "names with a hyphen", "the function import"
NODES, OUTSIDE_CLASSES = "nodes in modules", "code outside of classes in modules"
OLD = (
    (pattern(r"Node inheritance is not supported"), "node inheritance"),
    (pattern(r"Use of 'import' has been discontinued"), IMPORTS),
    (pattern(r"(?:Unacceptable|Illegal) name\. The (?:given )?name '[\w:]*-[\w:-]*'"), HYPHENS),
    (pattern(r"This Node Definition is unacceptable as a top level"), NODES),
    (pattern(r"Use of reserved word: "), "these words without quotes"),
    (pattern(r"The operator '\+=' is no longer supported"), "the operator +="),
    (pattern(r"Illegal variable name, The given name '[A-Z]"), "variables with a capital"),
    (pattern(r"Illegal attempt to assign via \[index/key\]"), "assignments to a key of a hash"),
    (pattern(r"Could not find template '[^/']+'"), "templates that are in no module"),
)
# Old code that the text shows more clearly than the message: `Package ["x"]`, `$os == Debian`.
DIGITS = re.compile(r"(?:\w+::)*\d\w*(?:::|\b)|(?:\w+::)+\d")
DEFINED = re.compile(r"^\s*(?:class|define|include|contain|require)\s+\Z")
# A type name or a block there is what the parser makes of a misspelled `class`.
OUTSIDE = re.compile(
    r"This (?!Type-Name|Block).*is unacceptable as a top level construct in this location"
)
AT_BRACKET = (
    "Syntax error at '['",
    "Expression is not valid as a resource",
    "This Array Expression has no effect",
)
SPACED = pattern(r"[A-Z]\w*(?:::[A-Z]\w*)*[ \t]+\Z")
# The removed language of application orchestration, and the errors that it causes now.
ORCHESTRATION = "the language of application orchestration"
ORCHESTRATED = pattern(
    r"^[ \t]*(?:site[ \t]*\{(?!\s*(?:['\"\[]|\$\w+\s*:|default\b))|application[ \t]+\w"
    r"|[A-Z][\w:]*[ \t]+(?:produces|consumes)[ \t]+[A-Z])",
    re.MULTILINE,
)
PARSING = pattern(
    r"Syntax error at|This [\w -]+ (?:has no effect|is unacceptable as a top level construct)"
    r"|This expression is invalid. Did you try declaring a 'site'"
)
# The type of a resource whose name has a hyphen is a text.
OF_TEXT, HYPHENED = "Illegal Resource Type expression", re.compile(r"[a-z][\w:]*-[\w:-]*\s*\{")
# `file["x"]`: the access to a part of a text.
OF_PART, SMALL = (
    "A substring operation does not accept a String as a character index.",
    re.compile(r"(?:^|[\s,\[(>])[a-z]\w*(?:::\w+)*\[\s*['\"]?\Z"),
)
BARE = re.compile(r"[A-Z]\w*(?![\w:]*[ \t]*[\[$])")


def missing_name(finding: Finding) -> str:
    """Return the name of the missing class or type in an error, or an empty string."""
    missing = MISSING.match(finding.message)
    return missing["n"].removeprefix("::").lower() if missing else ""


def old_form(finding: Finding, texts: Texts) -> str:
    """Return the old syntax that causes an error, or an empty string."""
    for words, form in OLD:
        if words.match(finding.message):
            return form
    before, after = around(finding.span, texts)
    is_type = finding.message.startswith(OF_TEXT) and HYPHENED.match(after)
    if is_type or "-" in missing_name(finding):
        return HYPHENS
    named = finding.message == "Illegal fully qualified name" or DEFINED.search(before)
    if named and DIGITS.match(after):
        return "names with a segment that begins with a digit"
    text = texts(finding.span.file) if finding.span else ""
    if PARSING.match(finding.message) and ORCHESTRATED.search(text or ""):
        return ORCHESTRATION
    if OUTSIDE.match(finding.message):
        return IMPORTS if after.startswith("import ") else OUTSIDE_CLASSES
    return old_reference(finding, before, after)


def old_reference(finding: Finding, before: str, after: str) -> str:
    """Return the old form of a reference to a resource, or an empty string."""
    if finding.message.startswith(AT_BRACKET) and SPACED.search(before):
        return "a space between a type and its title"
    if finding.message.startswith(OF_PART) and SMALL.search(before):
        return "references in small letters"
    if finding.message.startswith("Resource type not found: ") and BARE.match(after):
        return "capitalized words without quotes"
    return ""


def around(span: Span | None, texts: Texts) -> tuple[str, str]:
    """Return the text of a line, divided at a place."""
    lines = (texts(span.file) or "").splitlines() if span else []
    if span is None or not 0 < span.line <= len(lines):
        return "", ""
    return lines[span.line - 1][: span.column - 1], lines[span.line - 1][span.column - 1 :]
