"""Statuses in the layout that Psych writes, read by one pattern a record.

A report has some sixty events of YAML a resource, and libyaml's cost more than all else. What does
not have that layout to the letter is left to the YAML parser, record by record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from analyzer.apply.report.forms import EVENT, STATUS, FormError, Read, hidden, status
from analyzer.apply.report.values import RecordedEvent, RecordedStatus
from analyzer.apply.report.yaml_values import YamlFault, load, scalar

HEADER = "\nresource_statuses:\n"
# Where YAML breaks lines and this module does not.
OTHER_BREAKS = ("\r", "\x85", "\u2028", "\u2029", "\ufeff")
# Where the next record begins, or the next key of the report.
NEXT = re.compile(r"\n(?=  [^ :\n]|[^ \n])")
MOST_KEPT = 50_000


class IrregularError(Exception):
    """A text that is left to the YAML parser."""


def record_pattern(fields: tuple[tuple[str, Read], ...], indent: int, first: str) -> str:
    """Return the pattern of a record: its keys in order, each with the text of its value.

    A value goes on over lines that are indented deeper, lists also by a dash below the key.
    """
    lead = " " * indent
    value = rf"([^\n]*(?:\n(?:{lead}- |{lead} |(?=\n))[^\n]*)*)"
    keys = [rf"{name}:{value}" for name, _ in fields]
    return first + rf"\n{lead}".join(keys)


RECORD = re.compile(record_pattern(STATUS, 4, r"  ([^ ?\n][^\n]*):\n    ") + r"(?=\n)")
EVENT_RECORD = re.compile(record_pattern(EVENT, 6, r"\n    - ") + r"(?=\n|\Z)")
DIGITS = frozenset("0123456789")
PLAIN_START = DIGITS | set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/_(")
QUOTES = ("'", '"')
ITEM = "\n    - "
# Fields whose values hardly ever come again.
UNIQUE = ("title", "resource", "containment_path", "evaluation_time", "time")


def section(text: str) -> tuple[int, int] | None:
    """Return where the statuses begin and end (at line feeds), None if they are not to be found."""
    start = text.find(HEADER)
    if start < 0 or any(mark in text for mark in OTHER_BREAKS):
        return None
    begin = start + len(HEADER) - 1
    end = re.compile(r"\n(?=[^ \n])").search(text, begin)
    return begin, end.start() if end else len(text.rstrip("\n"))


def statuses(text: str, begin: int, end: int) -> Iterator[RecordedStatus]:
    """Yield the statuses between two places of a text.

    Raises:
        IrregularError: a record is no YAML by itself, so it does not stand alone.
        FormError: a status is not what it should be.
    """
    values = Values()
    position = begin
    while position < end:
        found = RECORD.match(text, position + 1, end + 1)
        made = values.status(found) if found else None
        if made is None:
            stop = NEXT.search(text, position + 1, end)
            last = stop.start() if stop else end
            yield from slowly(text[position + 1 : last + 1])
            position = last
        else:
            position = found.end() if found else end
            yield made


def slowly(chunk: str) -> list[RecordedStatus]:
    """Return the statuses of a piece of YAML."""
    try:
        table, _ = load(chunk)
    except YamlFault as fault:
        raise IrregularError from fault
    if not isinstance(table, dict):
        raise IrregularError
    return [status(str(ref), row) for ref, row in table.items() if row]


class Column:
    """The values of one field by their texts; what comes up again and again is made once."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.read = read
        self.kept: dict[str, Any] = {}
        self.keeps = name not in UNIQUE

    def value(self, raw: str) -> Any:
        """Make the value of what follows a key."""
        value = self.read(raw)
        if self.keeps and len(self.kept) < MOST_KEPT:
            self.kept[raw] = value
        return value


class Values:
    """Makes values of the texts that the patterns found."""

    def __init__(self) -> None:
        self.of_event = [Column(name, reader(read, 6)) for name, read in EVENT]
        self.of_status = [
            Column(name, self.events if name == "events" else reader(read, 4))
            for name, read in STATUS
        ]

    def status(self, found: re.Match[str]) -> RecordedStatus | None:
        """Return a status, None if the YAML parser has to look at it."""
        key, *raw = found.groups()
        try:
            made = RecordedStatus(*row(self.of_status, raw))
            return made if data_of(" " + key, 2) == made.resource else None
        except (IrregularError, FormError):
            return None

    def events(self, raw: str) -> tuple[RecordedEvent, ...]:
        """Return the events of a status."""
        if raw == " []":
            return ()
        made = []
        position = 0
        while position < len(raw):
            found = EVENT_RECORD.match(raw, position)
            if not found:
                raise IrregularError
            made.append(hidden(RecordedEvent(*row(self.of_event, found.groups()))))
            position = found.end()
        return tuple(made)


def row(columns: list[Column], raw: Iterable[str]) -> list[Any]:
    """Return the values of a record, in the order of its table."""
    return [
        column.kept[text] if text in column.kept else column.value(text)
        for column, text in zip(columns, raw, strict=True)
    ]


def reader(read: Read, depth: int) -> Callable[[str], Any]:
    """Return a function from the text of a value to what its field holds."""
    return lambda raw: read(data_of(raw, depth))


def data_of(raw: str, depth: int) -> Any:
    """Return the data of what follows a key: a blank and a scalar, a list, or other YAML.

    Raises:
        IrregularError: it does not stand alone.
    """
    try:
        if raw.startswith(ITEM):
            return [of_text(" " + item) for item in raw[len(ITEM) :].split(ITEM)]
        return of_text(raw)
    except IrregularError:
        return by_itself(raw, depth)


def by_itself(raw: str, depth: int) -> Any:
    """Return the value of what follows a key, as the YAML parser reads it.

    What a block of lines is hangs on how deep its key stands.

    Raises:
        IrregularError: it does not stand alone.
    """
    try:
        return load(f"{' ' * depth}v:{raw}\n")[0]["v"]
    except (YamlFault, TypeError, KeyError) as fault:
        raise IrregularError from fault


def of_text(raw: str) -> Any:
    """Return the value of a scalar that is written plainly or in quotes without escapes.

    Raises:
        IrregularError: it is something else.
    """
    if not raw:
        return None
    body = raw[1:]
    if "\n" in body:
        body = folded(body)
    if raw[0] != " " or "\t" in body:
        raise IrregularError
    if body[:1] in QUOTES:
        return unquoted(body)
    return [] if body == "[]" else plain(body)


def unquoted(body: str) -> str:
    """Return what stands in quotes."""
    quote, inner = body[0], body[1:-1]
    if body[-1] != quote or len(body) == 1 or (quote == '"' and "\\" in body):
        raise IrregularError
    if quote not in inner:
        return inner
    if quote == '"' or "'" in inner.replace("''", ""):
        raise IrregularError
    return inner.replace("''", "'")


def plain(body: str) -> Any:
    """Return the value of a scalar without quotes."""
    first = body[:1]
    if first not in PLAIN_START or ": " in body or " #" in body or body[-1] in ": ":
        raise IrregularError
    if first not in DIGITS:
        # Whatever begins like this and is longer than `false` is a text to Psych.
        return body if len(body) > 5 else scalar(body)
    whole, _, part = body.partition(".")
    return float(body) if whole.isdecimal() and part.isdecimal() else scalar(body)


def folded(body: str) -> str:
    """Return a scalar over several lines as one: a break is a blank, blank lines are breaks."""
    first, *rest = body.split("\n")
    text, breaks = first.rstrip(" "), 0
    for line in rest:
        if piece := line.strip(" "):
            text += "\n" * breaks + piece if breaks else " " + piece
            breaks = 0
        else:
            breaks += 1
    return text
