"""Turns errors that stop no node into notes: examples, samples, copies and templates."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.node.unloaded import is_example, is_unloaded
from analyzer.linter.old_code import HYPHENS, OUTSIDE, Texts, around, missing_name, old_form
from analyzer.linter.run import Found
from analyzer.source import Span

REFUSED = "CG200"

MISPLACED = "Unacceptable location."
UNKNOWN_VARIABLE = "Unknown variable: "
DEFINITION = re.compile(rf"{re.escape(MISPLACED)} The name '(?P<n>[\w:-]+)'")

# A file that stands for one with secrets.
OF_SAMPLES = ("dist", "example", "sample", "template")
IN_SAMPLE = re.compile(rf"[-_.](?:{'|'.join(OF_SAMPLES)})\.pp\Z")

# A smoke test among the manifests of a module, which has code outside of classes.
IN_TESTS = re.compile(r"/manifests/(?:examples|tests)/[^/]+\Z")
# A definition whose name a program puts in before Puppet reads the file.
PLACEHOLDER = re.compile(
    r"^[ \t]*(?:class|define|node)\s+['\"]?[\w:-]*?"
    r"(?:\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|@@\w+@@|<%=|\{\{\s*\w+\s*\}\}|__[A-Z_]+__)",
    re.MULTILINE,
)
# The run stages of the class stdlib::stages.
OF_STDLIB = re.compile(
    r"Could not find stage (?:setup|runtime|(?:setup|deploy)_(?:app|infra)|deploy) specified by "
)
STAGES = "stdlib::stages declares this stage, and the checkout has no module stdlib"
# The text before a variable that is a condition by itself.
ASKS = re.compile(r"\b(?:if|unless|elsif|case)\s+!?\s*\Z")
# A variable that selects a value, which may be the one for an empty text.
SELECTS = re.compile(r"\$(?:::)?[\w:]+\s*\?\s*\{")
TESTED = "the code asks whether it is set: before version 8, Puppet takes it for undefined"
EXAMPLE = "this file is an example or a test: no catalog contains it"
UNLOADED = "Puppet does not load this file: no catalog contains it"
SAMPLE = "the checkout has only a sample of the file that defines it"
COPY = "the file with this name defines it: Puppet does not load this one"
TEMPLATE = "a file with placeholders for names is no manifest yet"


def samples_among(found: Iterable[Finding]) -> frozenset[str]:
    """Return the names that only samples of files define, which a site keeps to itself."""
    definitions = (
        DEFINITION.match(one.message)
        for one in found
        if one.span and IN_SAMPLE.search(one.span.file)
    )
    return frozenset(one["n"].lower() for one in definitions if one)


def is_tested(finding: Finding, texts: Texts) -> bool:
    """Return whether an unknown variable is one that the code only asks for."""
    if not finding.message.startswith(UNKNOWN_VARIABLE):
        return False
    before, after = around(finding.span, texts)
    return ASKS.search(before) is not None or SELECTS.match(after) is not None


def has_sample(name: str, span: Span, texts: Texts) -> bool:
    """Return whether a module has a sample of the file that would define a name of its own."""
    folder, manifests, _ = span.file.rpartition("/manifests/")
    module, *parts = name.split("::")
    if not parts or folder.rpartition("/")[2] != module:
        return False
    place = f"{folder}{manifests}{'/'.join(parts)}"
    return any(texts(f"{place}{sign}{word}.pp") for sign in "-_." for word in OF_SAMPLES)


def harmless(
    found: Found,
    texts: Texts,
    inputs: Collection[str],
    samples: Collection[str],
    installed: Collection[str],
) -> Found:
    """Return a finding, as a note if it is an error that stops no node."""
    finding = found.finding
    if finding.code != REFUSED or finding.span is None:
        return found
    is_test = OUTSIDE.match(finding.message) and IN_TESTS.search(finding.span.file)
    reason = EXAMPLE if is_test or is_example(finding.span.file, inputs) else ""
    if not reason and is_unloaded(finding.span.file, inputs):
        # Puppet 3 loaded modules with a hyphen in their name.
        reason = "" if old_form(finding, texts) == HYPHENS else UNLOADED
    definition = DEFINITION.match(finding.message)
    name = definition["n"].lower() if definition else missing_name(finding)
    reason = SAMPLE if name in samples or has_sample(name, finding.span, texts) else reason
    reason = COPY if is_copy(finding, texts) else reason
    reason = TEMPLATE if in_template(finding, texts) else reason
    reason = TESTED if is_tested(finding, texts) else reason
    reason = STAGES if OF_STDLIB.match(finding.message) and "stdlib" not in installed else reason
    return as_note(found, reason) if reason else found


def as_note(found: Found, reason: str) -> Found:
    """Return a finding as a note, with a reason."""
    notes = (*found.finding.notes, reason)
    return replace(found, finding=replace(found.finding, severity="note", notes=notes))


def is_copy(finding: Finding, texts: Texts) -> bool:
    """Return whether a definition in a wrong file is also in the right one, which Puppet loads."""
    definition = DEFINITION.match(finding.message)
    folder, manifests, _ = (finding.span.file if finding.span else "").rpartition("/manifests/")
    module, *parts = definition["n"].lower().split("::") if definition else [""]
    if definition is None or folder.rpartition("/")[2] != module:
        return False
    text = texts(f"{folder}{manifests}{'/'.join(parts or ['init'])}.pp") or ""
    return re.search(rf"^\s*(?:class|define)\s+{definition['n']}\b", text, re.MULTILINE) is not None


def in_template(finding: Finding, texts: Texts) -> bool:
    """Return whether an error is in a file with placeholders for the names of definitions."""
    text = texts(finding.span.file) if finding.span else ""
    return PLACEHOLDER.search(text or "") is not None
