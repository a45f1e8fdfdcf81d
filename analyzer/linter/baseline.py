"""Baselines: files of accepted findings, so that the lint can start with existing code."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256

from analyzer.diagnostics import Finding, InputError
from analyzer.reading import read_text
from analyzer.source import Span

VERSION = 1

# A place in a message of Puppet: it changes when lines move.
PLACE = re.compile(r"file: [^,)]*, line: \d+(?:, column: \d+)?")

# The keys of an entry.
ROW = ("fingerprint", "code", "file", "message")


def fingerprint(finding: Finding, file: str) -> str:
    """Return the fingerprint of a finding, which survives moved lines.

    It consists of its code, its file, and its resources, or its message if it names none.
    """
    about = sorted(finding.refs) or [PLACE.sub("", finding.message)]
    return sha256("\n".join([finding.code, file, *about]).encode("utf-8", "replace")).hexdigest()


def file_of(finding: Finding, folder: str) -> str:
    """Return the file of a finding relative to the baseline's folder, with slashes."""
    file = finding.span.file if finding.span else finding.path
    if os.path.isabs(file) and not os.path.exists(file):
        # A manifest of the catalog's server: it has this name everywhere.
        return file
    return os.path.relpath(os.path.realpath(file), folder).replace(os.sep, "/")


def folder_of(path: str) -> str:
    """Return the folder that a baseline's files are relative to: its own."""
    return os.path.dirname(os.path.realpath(path))


def write(findings: Iterable[Finding], path: str) -> str:
    """Return the text of a baseline at a path, with all of these findings."""
    rows = []
    for finding in findings:
        file = file_of(finding, folder_of(path))
        rows.append(
            {
                "fingerprint": fingerprint(finding, file),
                "code": finding.code,
                "file": file,
                "message": finding.message,
            }
        )
    rows.sort(key=lambda row: (row["file"], row["code"], row["message"], row["fingerprint"]))
    return json.dumps({"version": VERSION, "findings": rows}, indent=1) + "\n"


def read(path: str) -> list[dict[str, str]]:
    """Read a baseline.

    Raises:
        InputError: the file cannot be read, or is not a baseline.
    """
    try:
        found = json.loads(read_text(path))
        rows = found["findings"]
        texts = [row[key] for row in rows for key in ROW]
        if found["version"] != VERSION or not all(isinstance(text, str) for text in texts):
            raise ValueError("another version")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path), "no-baseline") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        message = "not a baseline; `catgraph lint --write-baseline FILE` writes one"
        raise InputError(message, Span(path), "no-baseline") from None
    return list(rows)


def split(
    findings: Sequence[Finding], known: Sequence[dict[str, str]], path: str
) -> tuple[list[Finding], list[dict[str, str]]]:
    """Return the new findings, and the entries of the baseline that were not found."""
    left = Counter(row["fingerprint"] for row in known)
    new = []
    folder = folder_of(path)
    for finding in findings:
        # One entry of a cause accepts all of it: the finding that represents it may change.
        every = [fingerprint(one, file_of(one, folder)) for one in (finding, *finding.also)]
        marks = [mark for mark in dict.fromkeys(every) if left[mark] > 0]
        left.subtract(marks)
        if not marks:
            new.append(finding)
    stale = []
    for row in known:
        if left[row["fingerprint"]] > 0:
            left[row["fingerprint"]] -= 1
            stale.append(row)
    return new, stale
