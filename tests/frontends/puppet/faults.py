"""What Puppet and we find wrong with a program, as lines: `CODE LINE:COLUMN message`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.frontends.puppet.syntax.check import check
from tests.oracle.harness import Answer, Question

ACCEPTED = "accepted"

# What the JSON library of Ruby says, and where in the text, is its own.
_JSON = re.compile(r"(Cannot parse invalid JSON string\.) .*")


def puppets_faults(answer: Answer) -> list[str]:
    """Puppet's answer as lines, in its order."""
    found = [*answer["diagnostics"]]
    found += [{**answer[key], "severity": "error"} for key in ("syntax", "import") if key in answer]
    return [
        _line(
            each.get("code") or "-",
            each["severity"],
            (each["line"] or 0, each["pos"] or 0),
            each["message"],
        )
        for each in found
    ] or [ACCEPTED]


def our_faults(question: Question) -> list[str]:
    """Our answer to the same question."""
    flags = {flag: question.get(flag, False) for flag in ("epp", "tasks")}
    found = check(
        question["code"],
        question.get("file", ""),
        strict=question.get("strict", "error"),
        modulepath=question.get("modulepath"),
        **flags,
    ).found
    return [
        _line(each.code, each.severity, (each.line, each.column), each.message) for each in found
    ] or [ACCEPTED]


def _line(code: str, severity: str, place: tuple[int, int], message: str) -> str:
    kind = code if severity == "error" else f"{code}/{severity}"
    line, column = (str(number or "-") for number in place)
    return f"{kind} {line}:{column} {' '.join(message.split())}"


def comparable(ours: Sequence[str], puppets: Sequence[str]) -> tuple[list[str], list[str]]:
    """Both, without what Puppet leaves out and we know, and without the words of libraries."""
    kept = [*ours]
    if _stops(puppets[-1]):
        kept = kept[: len(puppets)]
    if len(kept) == len(puppets):
        kept = [_reduced(*pair) for pair in zip(kept, puppets, strict=True)]
    return [_JSON.sub(r"\1", line) for line in kept], [_JSON.sub(r"\1", line) for line in puppets]


def _stops(line: str) -> bool:
    """Whether Puppet looks no further: at a heredoc's syntax, or a definition that is there."""
    return line.startswith("- ") or "Invalid produced text having syntax" in line


def _reduced(ours: str, puppets: str) -> str:
    if ACCEPTED in (ours, puppets):
        return ours
    code, place, message = ours.split(" ", 2)
    their_code, their_place, _ = puppets.split(" ", 2)
    pairs = zip(place.split(":"), their_place.split(":"), strict=True)
    shown = ("-" if theirs == "-" else mine for mine, theirs in pairs)
    return f"{'-' if their_code == '-' else code} {':'.join(shown)} {message}"
