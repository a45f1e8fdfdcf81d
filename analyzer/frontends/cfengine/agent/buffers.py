"""The lines of a file while an edit bundle changes them, as far as they are known.

Facts: files_editline.c of 3.21, measured: an expression of delete_lines and field_edits matches a
whole line, that of replace_patterns a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from analyzer.frontends.cfengine.agent.events import KEPT, NOT_KEPT, REPAIRED, TIMEOUT
from analyzer.frontends.cfengine.policy.patterns import in_time, regular
from analyzer.frontends.cfengine.policy.unknown import UnknownResult

# The texts of a promise's attributes.
Texts = dict[str, str]
# How often the agent replaces in one line.
MOST = 20
LONGEST = 100_000
GROUP = re.compile(r"\$[({]match\.(\d+)[)}]")
# Attributes that decide what becomes of the lines.
READ = frozenset(
    (
        *("field_operation", "field_separator", "field_value", "insert_type", "occurrences"),
        *("replace_value", "select_field", "whitespace_policy"),
    )
)
# Attributes whose effect is not computed: what they do to the lines is not known.
NOT_READ = frozenset(
    (
        "select_start",
        "select_end",
        "insert_select",
        "delete_select",
        "not_matching",
        "expand_scalars",
    )
)


@dataclass(slots=True)
class Buffer:
    """The lines of a file that is edited; None: they are not known."""

    lines: list[str] | None = None

    def text(self) -> str | None:
        """Return the content of the file, None if it is not known."""
        if self.lines is None:
            return None
        return "".join(f"{line}\n" for line in self.lines)


def edit_outcome(before: str | None, after: str | None, worst: str) -> str:
    """Return the outcome of an edit; `worst` is that of its promises.

    Measured: promises that fail do not make it fail.
    """
    if before is not None and after is not None:
        return KEPT if before == after else REPAIRED
    return KEPT if worst in (NOT_KEPT, TIMEOUT) else worst


def edit(buffer: Buffer, kind: str, promiser: str, texts: Texts) -> str | None:
    """Change the lines as a promise wants, and return its outcome; None if it is not known.

    Then the lines are not known either.
    """
    if buffer.lines is None:
        return None
    work = EDITS.get(kind)
    try:
        if work is None or not NOT_READ.isdisjoint(texts):
            raise UnknownResult(kind)
        return work(buffer.lines, promiser, texts)
    except (UnknownResult, ValueError, LookupError):
        buffer.lines = None
        return None


def insert(lines: list[str], promiser: str, texts: Texts) -> str:
    """Insert the lines that are not there."""
    kind = texts.get("insert_type", "literal")
    if kind not in ("literal", "string"):
        raise UnknownResult(kind)
    loose = "ignore" in texts.get("whitespace_policy", "")
    have = {" ".join(line.split()) if loose else line for line in lines}
    new = []
    for line in promiser.split("\n"):
        key = " ".join(line.split()) if loose else line
        if key not in have:
            have.add(key)
            new.append(line)
    lines += new
    return REPAIRED if new else KEPT


def delete(lines: list[str], promiser: str, texts: Texts) -> str:
    """Delete the lines that match."""
    if "\n" in promiser:
        raise UnknownResult(promiser)
    pattern = regular(promiser)
    kept = in_time(lambda: [line for line in lines if pattern.fullmatch(line) is None])
    changed = len(kept) < len(lines)
    lines[:] = kept
    return REPAIRED if changed else KEPT


def edit_fields(lines: list[str], promiser: str, texts: Texts) -> str:
    """Set a field of the lines that match; without one the promise fails."""
    pattern = regular(promiser)
    found = in_time(lambda: [n for n, line in enumerate(lines) if pattern.fullmatch(line)])
    if not found:
        return NOT_KEPT
    if texts.get("field_operation", "") != "set" or "field_separator" not in texts:
        raise UnknownResult(promiser)
    before = list(lines)
    for number in found:
        lines[number] = with_field(lines[number], texts)
    return REPAIRED if lines != before else KEPT


def with_field(line: str, texts: Texts) -> str:
    """Return a line with one field replaced; the separators stay as they are."""
    separators = in_time(lambda: list(regular(texts["field_separator"]).finditer(line)))
    starts = [0, *(found.end() for found in separators)]
    ends = [*(found.start() for found in separators), len(line)]
    place = int(texts.get("select_field", "1")) - 1
    return line[: starts[place]] + texts.get("field_value", "") + line[ends[place] :]


def replace(lines: list[str], promiser: str, texts: Texts) -> str:
    """Replace what matches; the promise fails if the expression still matches afterwards.

    Measured: with an expression for whole lines the line keeps its last text, otherwise it stays as
    it was, and the lines after it are not looked at.
    """
    if "replace_value" not in texts:
        return NOT_KEPT
    if "allow_non_convergent" in texts:
        raise UnknownResult(promiser)
    pattern, wanted = regular(promiser), texts["replace_value"]
    first = texts.get("occurrences") == "first"
    whole = promiser.startswith("^") and promiser.endswith("$")
    outcome = KEPT
    for number, line in enumerate(lines):
        new = in_time(partial(replaced, line, pattern, wanted, 1 if first else MOST))
        if new is None:
            continue
        again = in_time(partial(pattern.search, new)) is not None
        if again and not whole:
            return NOT_KEPT
        lines[number] = new
        if first:
            return REPAIRED
        outcome = NOT_KEPT if again or outcome == NOT_KEPT else REPAIRED
    return outcome


def replaced(line: str, pattern: re.Pattern[str], wanted: str, most: int) -> str | None:
    """Return a line in which matches are replaced, each time from its start on; None without."""
    text: str | None = None
    size = 0
    for _ in range(most):
        found = pattern.search(line)
        if found is None or size == len(line):
            break
        start, end = found.span()
        size = end - start
        value = GROUP.sub(partial(group_of, found), wanted)
        line = text = line[:start] + value + line[end:]
        if len(line) > LONGEST:
            raise UnknownResult("a line grows too long")
    return text


def group_of(found: re.Match[str], name: re.Match[str]) -> str:
    """Return the group of a match that a variable names."""
    return found[int(name[1])] or ""


EDITS: dict[str, Callable[[list[str], str, Texts], str]] = {
    "delete_lines": delete,
    "field_edits": edit_fields,
    "insert_lines": insert,
    "replace_patterns": replace,
}
