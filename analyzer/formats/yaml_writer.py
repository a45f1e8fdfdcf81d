"""Writes YAML as Ruby's Psych does: libyaml's emitter, with Psych's choice of styles."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from io import StringIO
from typing import Any
from unicodedata import category

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from analyzer.formats.yaml_scalars import Disallowed, tokenize
from analyzer.model.keys import of_key
from analyzer.model.quote import float_text
from analyzer.model.values import Default

# libyaml, as in Ruby; PyYAML can be built without it.
EMITTER: Any = getattr(yaml, "CBaseDumper", yaml.BaseDumper)
STR = "tag:yaml.org,2002:str"
INNER_BREAK = re.compile(r"\n(?!\n?\Z)")
# The first character of each line, or of two lines if it is a break, without double quotes behind.
LINE_START = re.compile(r'^(?=([\s\S])[^"\n]*$)', re.M)
NO_OCTAL = re.compile(r"0[0-7]*[89]")
MOMENT = re.compile(r"-?(\d{4})-(\d+)-(\d+)(?:\D+(\d+):(\d+):(\d+))?", re.ASCII)
FLOATS = {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}
SEQUENCE_END, MAPPING_END = SequenceEndEvent(), MappingEndEvent()
NIL = ScalarEvent(None, "tag:yaml.org,2002:null", (True, False), "")
SURROGATES = re.compile("[\ud800-\udfff]")


class Tagged:
    """A value with a tag: the text of an object of Ruby, or a hash of its fields."""

    __slots__ = ("tag", "value")

    def __init__(self, tag: str, value: str | dict[Any, object]) -> None:
        self.tag = tag
        self.value = value


def refuse(value: object) -> Tagged:
    """Refuse a value of another class."""
    raise TypeError(f"{type(value).__name__} has no form in YAML")


def dump(
    value: object,
    *,
    line_width: int | None = None,
    indentation: int = 2,
    convert: Callable[[object], Tagged] = refuse,
) -> str:
    """Return a value as a YAML document; the options are those of Psych.

    `convert` makes texts with a tag of values that are not data.
    """
    stream = StringIO()
    width = line_width if line_width is not None else 0
    emitter = EMITTER(stream, indent=indentation, width=width, allow_unicode=True)
    try:
        emitter.emit(StreamStartEvent())
        emitter.emit(DocumentStartEvent(explicit=True))
        YamlDocument(value, emitter.emit, line_width, convert).write(value)
        emitter.emit(DocumentEndEvent(explicit=False))
        emitter.emit(StreamEndEvent())
    finally:
        emitter.dispose()
    return stream.getvalue()


class YamlDocument:
    """A value on its way to events; arrays and hashes that come again are referred to."""

    def __init__(
        self,
        value: object,
        emit: Callable[[Event], None],
        line_width: int | None,
        convert: Callable[[object], Tagged],
    ) -> None:
        self.emit = emit
        self.line_width = line_width if line_width is None or line_width > 0 else None
        self.convert = convert
        self.seen: set[int] = set()
        self.anchors: dict[int, str] = {}
        self.written: set[int] = set()
        self.number(value)

    def number(self, value: object) -> None:
        """Name the arrays and hashes that come again, in the order in which they do."""
        if isinstance(value, list | dict):
            if id(value) in self.seen:
                self.anchors.setdefault(id(value), str(len(self.anchors) + 1))
                return
            self.seen.add(id(value))
            parts = (
                [p for pair in value.items() for p in pair] if isinstance(value, dict) else value
            )
            for part in parts:
                self.number(part)

    def write(self, value: object, tag: str | None = None) -> None:
        """Emit the events of a value."""
        if type(value) is str:
            self.emit(text(value, self.line_width) if tag is None else tagged(value, tag))
        elif value is None or isinstance(value, int | float | Default):
            self.emit(scalar(value))
        elif isinstance(value, Tagged):
            self.write(value.value, value.tag)
        elif not isinstance(value, list | dict):
            self.write(self.convert(value))
        elif id(value) in self.written and id(value) in self.anchors:
            self.emit(AliasEvent(self.anchors[id(value)]))
        else:
            self.written.add(id(value))
            self.collection(value, self.anchors.get(id(value)), tag)

    def collection(self, value: Any, anchor: str | None, tag: str | None) -> None:
        """Emit the events of an array or a hash."""
        if isinstance(value, list):
            self.emit(SequenceStartEvent(anchor, tag, tag is None, flow_style=False))
            for one in value:
                self.write(one)
            self.emit(SEQUENCE_END)
        else:
            self.emit(MappingStartEvent(anchor, tag, tag is None, flow_style=False))
            for key, one in value.items():
                self.write(key if type(key) is str else of_key(key))
                self.write(one)
            self.emit(MAPPING_END)


@lru_cache(maxsize=50_000)
def text(value: str, line_width: int | None) -> ScalarEvent:
    """Return the event of a text."""
    if value == "<<":
        return ScalarEvent(None, STR, (False, False), value, style="'")
    whole = SURROGATES.sub("\ufffd", value)
    return ScalarEvent(None, None, (True, True), whole, style=style_of(whole, line_width))


def tagged(value: str, tag: str) -> ScalarEvent:
    """Return the event of the text of an object of Ruby."""
    return ScalarEvent(None, tag, (False, False), value)


def scalar(value: float | Default | None) -> ScalarEvent:
    """Return the event of a value that is no text."""
    if value is None:
        return NIL
    return ScalarEvent(None, None, (True, False), plain_text(value))


def plain_text(value: float | Default) -> str:
    """Return the text of a number, a boolean or `default`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        text = float_text(value)
        return FLOATS.get(text, text)
    return ":default" if isinstance(value, Default) else str(value)


def style_of(text: str, line_width: int | None) -> str | None:
    """Return the style that Psych asks for (YAMLTree#visit_String), None for a plain one."""
    if INNER_BREAK.search(text):
        return "|"
    if text in ("y", "n"):
        return '"'
    if line_width is not None and len(text) > line_width:
        return ">"
    if any(not is_word(match[1]) for match in LINE_START.finditer(text)):
        return '"'
    return None if reads_as_text(text) and not NO_OCTAL.match(text) else "'"


def is_word(char: str) -> bool:
    """Return whether a character is a letter, mark, digit or connector, as in `[[:word:]]`."""
    kind = category(char)
    return kind[0] in "LM" or kind in ("Nd", "Nl", "Pc")


def reads_as_text(text: str) -> bool:
    """Return whether Psych reads a plain scalar as this text, and not as a number or a word."""
    try:
        return bool(tokenize(text) == text)
    except Disallowed:
        return not is_moment(text)
    except ValueError:
        return False


def is_moment(text: str) -> bool:
    """Return whether there is such a day, and such a time of the day."""
    match = MOMENT.match(text)
    assert match is not None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    if match[4] is not None:
        return 1 <= month <= 12 and 1 <= day <= 31 and hour <= 24 and max(minute, second) < 60
    try:
        date(year or 4, month, day)  # Python has no year 0; it had 366 days.
    except ValueError:
        return False
    return True
