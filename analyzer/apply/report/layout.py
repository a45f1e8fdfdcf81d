"""Records in the layout that Psych writes, read by one pattern each.

A report has some sixty events of YAML a resource, and libyaml's cost more than all else. What does
not have that layout to the letter is left to the YAML parser, record by record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from analyzer.apply.report.forms import EVENT, LOG, STATUS, FormError, Read, hidden, log, status
from analyzer.apply.report.psych_scalars import IrregularError, data_of
from analyzer.apply.report.values import LogLine, RecordedEvent, RecordedStatus
from analyzer.apply.report.yaml_values import YamlFault, load

# Where YAML breaks lines and this module does not.
OTHER_BREAKS = ("\r", "\x85", "\u2028", "\u2029", "\ufeff")
# Values that a column keeps; lines of a value, as each costs the pattern some memory; characters
# that are left to the YAML parser, which takes a second for some megabytes.
MOST_KEPT, MOST_LINES, MOST_IRREGULAR = 50_000, 2_000, 32_000_000
# Fields whose values hardly ever come again.
UNIQUE = ("title", "resource", "containment_path", "evaluation_time", "time")

Make = Callable[[re.Match[str]], object]


def record_pattern(fields: tuple[tuple[str, Read], ...], indent: int, first: str) -> str:
    """Return the pattern of a record: its keys in order, each with the text of its value.

    A value goes on over lines that are indented deeper, lists also by a dash below the key.
    """
    lead = " " * indent
    value = rf"([^\n]*(?:\n(?:{lead}- |{lead} |(?=\n))[^\n]*){{0,{MOST_LINES}}})"
    keys = [rf"{name}:{value}" for name, _ in fields]
    return first + rf"\n{lead}".join(keys)


EVENT_RECORD = re.compile(record_pattern(EVENT, 6, r"\n    - ") + r"(?=\n|\Z)")


@dataclass(frozen=True, slots=True)
class RecordSection:
    """A list or a hash of many records: its key, the pattern of a record, where the next one
    begins and where the section ends, what makes a value of a match, and one of parsed YAML."""

    name: str
    record: re.Pattern[str]
    next: re.Pattern[str]
    end: re.Pattern[str]
    maker: Callable[[], Make]
    slow: Callable[[Any], list[object]]

    def bounds(self, text: str) -> tuple[int, int] | None:
        """Return where the records begin and end (at line feeds), None if there are none."""
        header = f"\n{self.name}:\n"
        start = text.find(header)
        if start < 0:
            return None
        begin = start + len(header) - 1
        end = self.end.search(text, begin)
        return begin, end.start() if end else len(text.rstrip("\n"))

    def records(self, text: str, begin: int, end: int) -> Iterator[object]:
        """Yield the values between two places of a text.

        Raises:
            IrregularError: a record is no YAML by itself, so it does not stand alone.
            FormError: a record is not what it should be.
        """
        make = self.maker()
        position, irregular = begin, 0
        while position < end:
            found = self.record.match(text, position + 1, end + 1)
            made = make(found) if found else None
            if found and made is not None:
                position = found.end()
                yield made
                continue
            stop = self.next.search(text, position + 1, end)
            last = stop.start() if stop else end
            irregular += last - position
            if irregular > MOST_IRREGULAR:
                raise IrregularError
            yield from self.slowly(text[position + 1 : last + 1])
            position = last

    def slowly(self, chunk: str) -> list[object]:
        """Return the values of a piece of YAML."""
        try:
            return self.slow(load(chunk)[0])
        except (YamlFault, AttributeError, TypeError) as fault:
            raise IrregularError from fault


class FieldColumn:
    """The values of one field by their texts; what comes up again and again is made once."""

    def __init__(self, name: str, read: Callable[[str], object]) -> None:
        self.read = read
        self.kept: dict[str, object] = {}
        self.keeps = name not in UNIQUE

    def value(self, raw: str) -> object:
        """Make the value of what follows a key."""
        value = self.read(raw)
        if self.keeps and len(self.kept) < MOST_KEPT:
            self.kept[raw] = value
        return value


def status_maker() -> Make:
    """Return a function from matches to statuses, None if the YAML parser is needed."""
    of_event = columns(EVENT, 6)

    def events(raw: str) -> tuple[RecordedEvent, ...]:
        made = []
        position = len(raw) if raw == " []" else 0
        while position < len(raw):
            found = EVENT_RECORD.match(raw, position)
            if not found:
                raise IrregularError
            made.append(hidden(RecordedEvent(*row(of_event, found.groups()))))
            position = found.end()
        return tuple(made)

    of_status = columns(STATUS, 4, events=events)

    def make(found: re.Match[str]) -> RecordedStatus | None:
        key, *raw = found.groups()
        try:
            made = RecordedStatus(*row(of_status, raw))
            return made if data_of(" " + key, 2) == made.resource else None
        except (IrregularError, FormError):
            return None

    return make


def log_maker() -> Make:
    """Return a function from matches to log lines."""
    of_log = columns(LOG, 2)

    def make(found: re.Match[str]) -> LogLine | None:
        try:
            return LogLine(*row(of_log, found.groups()))
        except (IrregularError, FormError):
            return None

    return make


def columns(
    fields: tuple[tuple[str, Read], ...], depth: int, **own: Callable[[str], object]
) -> list[FieldColumn]:
    """Return the columns of records whose keys are indented so far."""
    return [FieldColumn(name, own.get(name) or reader(read, depth)) for name, read in fields]


def reader(read: Read, depth: int) -> Callable[[str], object]:
    """Return a function from the text of a value to what its field holds."""
    return lambda raw: read(data_of(raw, depth))


def row(of_record: list[FieldColumn], raw: Iterable[str]) -> list[Any]:
    """Return the values of a record, in the order of its table."""
    return [
        column.kept[text] if text in column.kept else column.value(text)
        for column, text in zip(of_record, raw, strict=True)
    ]


SECTIONS = (
    RecordSection(
        "logs",
        re.compile(record_pattern(LOG, 2, "- ") + r"(?=\n)"),
        re.compile(r"\n(?=[^ \n])"),
        re.compile(r"\n(?=[^ \n-])"),
        log_maker,
        lambda rows: [log(one) for one in rows],
    ),
    RecordSection(
        "resource_statuses",
        re.compile(record_pattern(STATUS, 4, r"  ([^ ?\n][^\n]*):\n    ") + r"(?=\n)"),
        re.compile(r"\n(?=  [^ :\n]|[^ \n])"),
        re.compile(r"\n(?=[^ \n])"),
        status_maker,
        lambda table: [status(str(ref), one) for ref, one in table.items() if one],
    ),
)


def cut(text: str) -> tuple[str, dict[str, tuple[object, ...]]]:
    """Return a report without its long sections, and their contents.

    Raises:
        IrregularError: it does not have the layout.
        FormError: a record is not what it should be.
    """
    if any(mark in text for mark in OTHER_BREAKS):
        raise IrregularError
    found = [(section, bounds) for section in SECTIONS if (bounds := section.bounds(text))]
    pieces, last = [], 0
    for _, (begin, end) in sorted(found, key=lambda one: one[1]):
        if begin < last:
            raise IrregularError
        pieces.append(text[last:begin] + " []")
        last = end
    head = "".join(pieces) + text[last:]
    if len(head) > MOST_IRREGULAR:
        raise IrregularError
    return head, {section.name: tuple(section.records(text, *at)) for section, at in found}
