"""Reads the errors of compiles: what was not found or not read, and the gap that an error makes."""

from __future__ import annotations

from dataclasses import replace

from analyzer.diagnostics import CompileError
from analyzer.model.completeness import Gap, hint_in
from analyzer.pattern import pattern

# How Puppet names what it does not find.
MISSING_NAME = pattern(
    r"(?P<kind>Could not find(?: declared)? class|Unknown resource type:|Resource type not found:"
    r"|Unknown function:|Resource type(?= [\w:]+ doesn't exist)|references an unresolved type)"
    r" '?(?:::)?(?P<name>\w+(?:::\w+)*)"
)

# A file of a module that is not there: a template, or one that `file` reads.
MISSING_FILE = pattern(
    r"(?P<kind>Could not find (?:template|any files from)) '?(?P<name>\w+)/(?!.*, )"
)

# What another module would have, in Puppet's words.
OF_OTHERS = pattern(
    r"Could not find class|Unknown function|Unknown resource type|Resource type not found"
    r"|Could not find declared class|references an unresolved type"
)
OTHERS = "--modulepath DIRS"
# The code of such an error where a folder of modules could not be searched for the name.
NOT_SEARCHED = "not-searched"
# The code of one about modules that the repository does not have, and that its Puppetfile omits.
NOT_LISTED = "not-listed"

# The codes of errors that keep files from being read, or a compile from ending; and what an error
# says that arose where a statement reads a file.
UNREAD = ("unreadable", "too-much", "too-deep")
NOT_READ = pattern(
    r"cannot be read: |\(--allow-read| @ (?:rb_sysopen|io_fread) - |not UTF-8|UTF-8 octet"
    r"|Unable to parse|control characters are not|[Ss]yntax error"
)


def refused(gap: Gap, message: str, code: str = "") -> Gap:
    """Return the gap that an error makes, with its kind and the option that would help."""
    if code in UNREAD or NOT_READ.search(message):
        reason, hint = hint_in(gap.reason)
        return replace(gap, kind="unread", reason=reason, hint=hint)
    return replace(gap, hint=OTHERS) if OF_OTHERS.search(message) else gap


def gap_of(name: str, error: CompileError, node: str) -> Gap:
    """Return the gap that a class is which could not be compiled by itself."""
    # A class that is given nothing is declared in no file; the node is nobody's.
    span = error.span if error.span.file.endswith(".pp") else None
    message = " ".join(error.message.split()).removesuffix(f" for {node}")
    gap = Gap("class", name, f"was not compiled: {message}", span)
    return refused(gap, error.message, error.code)
