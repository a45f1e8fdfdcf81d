"""Findings that are known: they pass, so that a gate can be put before old code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256

from analyzer.diagnostics import Finding, InputError
from analyzer.source import Span

VERSION = 1


def fingerprint(finding: Finding) -> str:
    """Return what tells a finding from others, wherever its lines move to.

    That is its code, its file, and the resources it is about; its message where it names none.
    """
    file = finding.span.file if finding.span else ""
    about = sorted(finding.refs) or [finding.message]
    return sha256("\n".join([finding.code, file, *about]).encode("utf-8", "replace")).hexdigest()


def write(findings: Iterable[Finding]) -> str:
    """Return a baseline that has all of these findings."""
    rows = [
        {
            "fingerprint": fingerprint(finding),
            "code": finding.code,
            "file": finding.span.file if finding.span else "",
            "message": finding.message,
        }
        for finding in findings
    ]
    rows.sort(key=lambda row: (row["file"], row["code"], row["message"], row["fingerprint"]))
    return json.dumps({"version": VERSION, "findings": rows}, indent=1) + "\n"


def read(path: str) -> list[dict[str, str]]:
    """Read a baseline.

    Raises:
        InputError: the file cannot be read, or is none.
    """
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        rows = found["findings"]
        if found["version"] != VERSION or any(not isinstance(r["fingerprint"], str) for r in rows):
            raise ValueError("another version")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path), "no-baseline") from None
    except (ValueError, KeyError, TypeError):
        message = "this is no baseline; `catgraph lint --write-baseline` writes one"
        raise InputError(message, Span(path), "no-baseline") from None
    return list(rows)


def split(
    findings: Sequence[Finding], known: Sequence[dict[str, str]]
) -> tuple[list[Finding], list[dict[str, str]]]:
    """Return the findings that are new, and the known ones that were not found any more."""
    left = Counter(row["fingerprint"] for row in known)
    new = []
    for finding in findings:
        mark = fingerprint(finding)
        if left[mark] > 0:
            left[mark] -= 1
        else:
            new.append(finding)
    stale = []
    for row in known:
        if left[row["fingerprint"]] > 0:
            left[row["fingerprint"]] -= 1
            stale.append(row)
    return new, stale
