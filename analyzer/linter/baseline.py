"""Baselines: files of accepted findings and gaps, so that the gate can start with existing code.

An entry is found by a fingerprint that survives edits elsewhere: it has no line numbers and no
absolute paths.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from analyzer.diagnostics import Finding, InputError
from analyzer.model.completeness import Gap
from analyzer.reading import read_text
from analyzer.source import Span

VERSION = 2

# Of the first version, which has findings only: gaps are not accepted.
FIRST = 1

# A place in a message: it changes when lines move.
PLACE = re.compile(r"file: [^,)]*, line: \d+(?:, column: \d+)?")
# The same, and numbers in a reason: how many worlds were tried, how long something took.
NUMBERS = re.compile(rf"{PLACE.pattern}|\d+")

# The keys of the entries.
FINDING = ("fingerprint", "code", "file", "message")
GAP = ("fingerprint", "kind", "file", "name", "reason")

# The states of a node, from worst to best.
STATES = ("not compiled", "partly known", "complete")

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The accepted findings and gaps, and the state of each node when they were accepted.

    `folder` is what the files of the entries are relative to. `gaps` are None in a file of the
    first version. `nodes` has one of `STATES` for each node.
    """

    folder: str
    findings: tuple[Row, ...] = ()
    gaps: tuple[Row, ...] | None = None
    nodes: Mapping[str, str] = field(default_factory=dict)


def fingerprint(finding: Finding, file: str, folder: str = "") -> str:
    """Return the fingerprint of a finding, which survives moved lines and other checkouts.

    It consists of its code, its file, and its resources, or its message if it names none. `folder`
    is the baseline's.
    """
    about = sorted(finding.refs) or [PLACE.sub("", message_in(finding, folder))]
    return digest_of([finding.code, file, *about])


def message_in(finding: Finding, folder: str) -> str:
    """Return the message with paths relative to a folder: those of data are absolute."""
    return finding.message.replace(os.path.join(folder, ""), "") if folder else finding.message


def digest_of(parts: Iterable[str]) -> str:
    """Return the digest of some texts."""
    return sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


def file_of(finding: Finding, folder: str) -> str:
    """Return the file of a finding relative to the baseline's folder, with slashes."""
    return relative(finding.span.file if finding.span else finding.path, folder)


def relative(file: str, folder: str) -> str:
    """Return a file relative to the baseline's folder, with slashes."""
    if os.path.isabs(file) and not os.path.exists(file):
        # A manifest of the catalog's server: it has this name everywhere.
        return file
    return os.path.relpath(os.path.realpath(file), folder).replace(os.sep, "/")


def folder_of(path: str) -> str:
    """Return the folder that a baseline's files are relative to: its own."""
    return os.path.dirname(os.path.realpath(path))


def finding_rows(findings: Iterable[Finding], folder: str) -> list[Row]:
    """Return the entries of findings, in order."""
    rows = []
    for finding in findings:
        file = file_of(finding, folder)
        values = fingerprint(finding, file, folder), finding.code, file, message_in(finding, folder)
        rows.append(dict(zip(FINDING, values, strict=True)))
    return sorted(rows, key=lambda row: (row["file"], row["code"], row["message"], row[FINDING[0]]))


def gap_row(gap: Gap, folder: str, line_at: Callable[[Span], str]) -> Row:
    """Return the entry of a gap: its kind, its subject, its reason, and the text of its line.

    `line_at` returns the line of a place, empty if it cannot be read.
    """
    span = gap.span
    file = relative(span.file, folder) if span and span.file else ""
    inside = os.path.join(folder, "")
    name, reason = (text.replace(inside, "") for text in (gap.name, gap.reason))
    line = line_at(span).strip() if span and span.line else ""
    about = [gap.kind, name, file, NUMBERS.sub("", reason), line]
    return dict(zip(GAP, (digest_of(about), gap.kind, file, name, reason), strict=True))


def gap_rows(gaps: Iterable[Gap], folder: str, line_at: Callable[[Span], str]) -> list[Row]:
    """Return the entries of gaps, in order."""
    rows = [gap_row(gap, folder, line_at) for gap in gaps]
    return sorted(rows, key=lambda row: tuple(row[key] for key in (*GAP[1:], GAP[0])))


def text_of(baseline: Baseline) -> str:
    """Return the text of the file."""
    content = {
        "version": VERSION,
        "findings": baseline.findings,
        "gaps": baseline.gaps or (),
        "nodes": dict(sorted(baseline.nodes.items())),
    }
    return json.dumps(content, indent=1) + "\n"


def read(path: str) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: the file cannot be read, or is not a baseline.
    """
    try:
        text = read_text(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path), "no-baseline") from None
    except ValueError:
        raise not_one(path) from None
    return parse(text, path)


def parse(text: str, path: str) -> Baseline:
    """Return the baseline with a text; its entries are relative to the folder of `path`.

    Raises:
        InputError: it is not a baseline.
    """
    try:
        content = json.loads(text)
        version = content["version"]
        findings = rows_of(content["findings"], FINDING)
        if version == FIRST:
            return Baseline(folder_of(path), findings)
        gaps, nodes = rows_of(content["gaps"], GAP), content["nodes"]
        if version != VERSION or not set(STATES).issuperset(nodes.values()):
            raise ValueError("another version")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise not_one(path) from None
    return Baseline(folder_of(path), findings, gaps, nodes)


def rows_of(rows: Sequence[Row], keys: Sequence[str]) -> tuple[Row, ...]:
    """Return entries.

    Raises:
        ValueError: an entry has another form.
    """
    if not all(isinstance(row[key], str) for row in rows for key in keys):
        raise ValueError("another form")
    return tuple(rows)


def not_one(path: str) -> InputError:
    """Return the error for a file that is no baseline."""
    message = "not a baseline; `catgraph check --write-baseline` writes one"
    return InputError(message, Span(path), "no-baseline")


def split(findings: Sequence[Finding], baseline: Baseline) -> tuple[list[Finding], list[Row]]:
    """Return the new findings, and the entries of the baseline that were not found."""
    left = Counter(row["fingerprint"] for row in baseline.findings)
    new = []
    for finding in findings:
        # One entry of a cause accepts all of it: the finding that represents it may change.
        every = [
            fingerprint(one, file_of(one, baseline.folder), baseline.folder)
            for one in (finding, *finding.also)
        ]
        marks = [mark for mark in dict.fromkeys(every) if left[mark] > 0]
        left.subtract(marks)
        if not marks:
            new.append(finding)
    return new, rest_of(baseline.findings, left)


def split_gaps(
    gaps: Iterable[Gap], baseline: Baseline, line_at: Callable[[Span], str]
) -> tuple[list[Gap], list[Row]]:
    """Return the new gaps, and the entries of the baseline that were not found.

    An entry accepts all gaps with its fingerprint: how often one line is compiled depends on the
    code elsewhere.
    """
    known = {row["fingerprint"] for row in baseline.gaps or ()}
    seen: set[str] = set()
    new = []
    for gap in gaps:
        mark = gap_row(gap, baseline.folder, line_at)["fingerprint"]
        seen.add(mark)
        if mark not in known:
            new.append(gap)
    return new, [row for row in baseline.gaps or () if row["fingerprint"] not in seen]


def rest_of(rows: Sequence[Row], left: Counter[str]) -> list[Row]:
    """Return the entries of which some are left."""
    rest = []
    for row in rows:
        if left[row["fingerprint"]] > 0:
            left[row["fingerprint"]] -= 1
            rest.append(row)
    return rest
