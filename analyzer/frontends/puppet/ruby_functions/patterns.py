"""Ruby's regular expressions on texts: matches, `gsub`, `split`, `scan`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.frontends.puppet.ruby_functions.evaluation import LONGEST
from analyzer.frontends.puppet.ruby_functions.machine import Machine
from analyzer.frontends.puppet.ruby_functions.values import Matched, NotStatic, Pattern, written

_REFERENCE = re.compile(r"\\(\d|\\|&|k<\w+>|.)", re.DOTALL)


def python_of(pattern: Any) -> re.Pattern[str]:
    """Return Python's expression for Ruby's, or for a text.

    Raises:
        NotStatic: it cannot be translated.
    """
    if isinstance(pattern, str):
        return re.compile(re.escape(pattern))
    if not isinstance(pattern, Pattern):
        raise NotStatic("a pattern")
    try:
        return compiled(pattern.source, pattern.options)
    except (re.error, RecursionError):
        raise NotStatic(f"the regular expression {pattern.source}") from None


def matched_of(found: re.Match[str]) -> Matched:
    """Return a match as a value."""
    return Matched(found.start(), found.end(), found[0], found.groups(), found.groupdict())


def match(machine: Machine, text: str, pattern: Any, start: int = 0) -> Matched | None:
    """Return the first match, and remember it for `$1`."""
    found = python_of(pattern).search(text, start)
    machine.match = None if found is None else matched_of(found)
    return machine.match


def expanded(replacement: str, found: re.Match[str]) -> str:
    """Return a replacement with the groups that it names."""

    def part(reference: re.Match[str]) -> str:
        what = reference[1]
        if what == "\\":
            return "\\"
        if what in ("0", "&"):
            return found[0]
        if what.isdigit():
            number = int(what)
            return (found[number] or "") if number <= found.re.groups else ""
        raise NotStatic("a reference in a replacement")

    return _REFERENCE.sub(part, replacement)


def replace(
    machine: Machine, text: str, block: Any, pattern: Any, given: Any = None, *, count: int = 0
) -> str:
    """Evaluate `gsub` (every match) or `sub` (the first)."""

    size = 0

    def text_for(found: re.Match[str]) -> str:
        nonlocal size
        part = replacement_for(found)
        size += len(part)
        if size > LONGEST:
            raise NotStatic("too long a text")
        return part

    def replacement_for(found: re.Match[str]) -> str:
        if block is not None:
            machine.match = matched_of(found)
            return written(machine.call_block(block, [found[0]]))
        if isinstance(given, dict):
            return written(given.get(found[0]))
        if not isinstance(given, str):
            raise NotStatic("a replacement")
        return expanded(given, found)

    return python_of(pattern).sub(text_for, text, count=count)


def split(text: str, pattern: Any = None, limit: Any = 0) -> list[str]:
    """Return the parts of a text between matches."""
    if type(limit) is not int:
        raise NotStatic("a limit")
    if pattern is None or pattern == " ":
        if limit:
            raise NotStatic("a limit")
        return [one for one in re.split(r"[\t\n\v\f\r \0]+", text) if one]
    if text == "":
        return []
    parts, start = cut(text, python_of(pattern), limit)
    parts.append(text[start:])
    if limit == 0:
        while parts and parts[-1] == "":
            parts.pop()
    return parts


def cut(text: str, expression: re.Pattern[str], limit: int) -> tuple[list[str], int]:
    """Return the parts before each match, and where the last one begins."""
    parts: list[str] = []
    start = at = 0
    while limit <= 0 or len(parts) < limit - 1:
        found = expression.search(text, at)
        if found is None or (found.end() == found.start() and found.start() >= len(text)):
            break
        if found.end() == found.start() == start:
            # An empty match here ends nothing: a part has one character at least.
            at = start + 1
            found = expression.search(text, at)
            if found is None or found.start() >= len(text):
                break
        parts.append(text[start : found.start()])
        parts += [one for one in found.groups() if one is not None]
        start = at = found.end()
    return parts, start


def scan(machine: Machine, text: str, block: Any, pattern: Any) -> Any:
    """Return all matches, or their groups."""
    found = []
    for one in python_of(pattern).finditer(text):
        found.append(list(one.groups()) if one.re.groups else one[0])
        if block is not None:
            machine.match = matched_of(one)
            machine.call_block(block, [found[-1]])
    return text if block is not None else found


def letters(text: str, *sets: str) -> Callable[[str], bool]:
    """Return a test for the characters of all sets, as `delete` and `tr` take them.

    Raises:
        NotStatic: a set has escapes.
    """
    tests = []
    for one in sets:
        negated = len(one) > 1 and one[0] == "^"
        chosen = set(span(one[1:] if negated else one))
        tests.append((chosen, negated))
    return lambda char: all((char in chosen) != negated for chosen, negated in tests)


def span(text: str) -> str:
    """Return the characters that a set such as `a-z0` names."""
    if "\\" in text:
        raise NotStatic("an escape in a set of characters")
    found, at = [], 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            low, high = ord(text[at]), ord(text[at + 2])
            found += [chr(code) for code in range(low, high + 1)]
            at += 3
        else:
            found.append(text[at])
            at += 1
    return "".join(found)


def translated(text: str, wanted: str, given: str) -> str:
    """Evaluate `tr`."""
    negated = len(wanted) > 1 and wanted[0] == "^"
    source, target = span(wanted[1:] if negated else wanted), span(given)
    if negated:
        last = target[-1:] if target else ""
        return "".join(char if char in source else last for char in text)
    table: dict[str, str] = {}
    for number, char in enumerate(source):
        table.setdefault(char, target[min(number, len(target) - 1)] if target else "")
    return "".join(table.get(char, char) for char in text)
