"""YAML made data, safely: tags make no objects, aliases are counted, depth is bounded."""

from __future__ import annotations

import base64
from typing import Any

import yaml

from analyzer.formats.yaml_reader import PARSER, nests
from analyzer.formats.yaml_scalars import Disallowed, RubySymbol, tokenize
from analyzer.model.values import Default

DEEPEST = 60
TOO_DEEP = "this is nested too deeply for a report"
# Values that aliases may add to those that are written.
MOST_COPIED = 1_000_000
STR = "tag:yaml.org,2002:str"
BINARY = ("!binary", "tag:yaml.org,2002:binary")
SYMBOL = ("!ruby/sym", "!ruby/symbol")


class YamlFault(ValueError):
    """Text that is no YAML, or that is not read; `line` counts from 1, 0 means not known."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def load(text: str) -> tuple[Any, str]:
    """Return the value of the one document and the tag of its root.

    Raises:
        YamlFault: it is no YAML, nested too deeply, or its aliases make too much of it.
    """
    parser = PARSER(text.encode("utf-8", "surrogatepass"))
    try:
        return YamlDataReader(parser).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        if nests(text, error, DEEPEST):
            raise YamlFault(TOO_DEEP, *place) from None
        raise YamlFault(str(error.problem or error.context), *place) from None
    except yaml.reader.ReaderError as error:
        raise YamlFault(str(error.reason)) from None
    finally:
        parser.dispose()


def scalar(text: str) -> object:
    """Return the value of a plain scalar, by Psych's rules; times and dates stay texts."""
    try:
        value = tokenize(text)
    except (Disallowed, ValueError):
        return text
    if isinstance(value, RubySymbol):
        return value.name
    return "default" if isinstance(value, Default) else value


class YamlDataReader:
    """Makes data of the events of a parser, as they come."""

    def __init__(self, parser: Any) -> None:
        self.next = parser.get_event
        self.anchors: dict[str, tuple[object, int]] = {}
        self.copied = 0
        self.made = 0

    def document(self) -> tuple[Any, str]:
        """Return the first value and its tag; None of an empty text."""
        while True:
            event = self.next()
            if isinstance(event, yaml.NodeEvent):
                value = self.value(event, 0)
                self.next()
                if not isinstance(rest := self.next(), yaml.StreamEndEvent):
                    raise YamlFault("a second document begins", line_of(rest))
                return value, getattr(event, "tag", None) or ""
            if isinstance(event, yaml.StreamEndEvent):
                return None, ""

    def value(self, event: yaml.NodeEvent, depth: int) -> object:
        """Return the value that an event begins."""
        if type(event) is yaml.AliasEvent:
            return self.copy(event)
        before = self.made + self.copied
        self.made += 1
        if type(event) is yaml.ScalarEvent:
            value = scalar_of(event)
        elif depth > DEEPEST:
            raise YamlFault(TOO_DEEP, line_of(event))
        elif type(event) is yaml.SequenceStartEvent:
            value = self.sequence(depth)
        else:
            value = self.mapping(depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = value, self.made + self.copied - before
        return value

    def copy(self, event: yaml.AliasEvent) -> object:
        """Return the value of an alias; one that contains itself is refused."""
        line = line_of(event)
        if event.anchor not in self.anchors:
            raise YamlFault(f"the alias *{event.anchor} stands for nothing before it", line)
        value, size = self.anchors[event.anchor]
        self.copied += size
        if self.copied > MOST_COPIED:
            raise YamlFault("its aliases expand to too many values, so this is not a report", line)
        return value

    def sequence(self, depth: int) -> list[object]:
        """Return a list."""
        values = []
        while type(event := self.next()) is not yaml.SequenceEndEvent:
            values.append(self.value(event, depth + 1))
        return values

    def mapping(self, depth: int) -> dict[object, object]:
        """Return a hash."""
        found: dict[object, object] = {}
        while type(event := self.next()) is not yaml.MappingEndEvent:
            key = self.value(event, depth + 1)
            if isinstance(key, (list, dict)):
                raise YamlFault("a key is not text: this is not a report", line_of(event))
            found[key] = self.value(self.next(), depth + 1)
        return found


def line_of(event: yaml.Event) -> int:
    """Return the line on which an event begins, from 1."""
    return event.start_mark.line + 1 if event.start_mark else 1


def scalar_of(event: yaml.ScalarEvent) -> object:
    """Return the value of a scalar: its tag says at most that it is a text or bytes."""
    tag = event.tag
    if event.implicit[1] or tag == STR or (tag or "").startswith(SYMBOL):
        return event.value
    if tag in BINARY:
        return bytes_of(event.value)
    return scalar(event.value)


def bytes_of(text: str) -> str:
    """Return the text that base64 stands for, as Ruby writes texts that are not UTF-8."""
    try:
        return base64.b64decode(text).decode(errors="replace")
    except ValueError:
        return text
