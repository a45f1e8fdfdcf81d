"""YAML as Puppet loads it: libyaml's events, made into values by the rules of Ruby's Psych."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any

import yaml

from analyzer.formats.yaml_scalars import Disallowed, RubySymbol, symbol, tokenize
from analyzer.model.values import Default, Unknown

STR = "tag:yaml.org,2002:str"
BINARY = {"!binary", "tag:yaml.org,2002:binary"}
FLOATS = {"!float", "tag:yaml.org,2002:float"}
STRINGS = re.compile(r"!(?:str|ruby/string)(?::(.*))?$")
SYMBOLS = re.compile(r"!ruby/sym(?:bol)?:?")
REFUSED_SCALARS = {
    "!ruby/object:BigDecimal": "BigDecimal",
    "!ruby/object:DateTime": "DateTime",
    "!ruby/object:Complex": "Complex",
    "!ruby/object:Rational": "Rational",
    "!ruby/regexp": "Regexp",
    "!ruby/range": "Range",
}
REFUSED_MAPPINGS = {
    **dict.fromkeys(("!set", "tag:yaml.org,2002:set"), "Psych::Set"),
    **dict.fromkeys(("!omap", "tag:yaml.org,2002:omap"), "Psych::Omap"),
    "!ruby/range": "Range",
    "!ruby/object:Complex": "Complex",
    "!ruby/object:Rational": "Rational",
}
NAMED_CLASSES = re.compile(
    r"!(?:ruby/struct|ruby/object|ruby/exception|ruby/array|ruby/hash|map|seq|ruby/marshalable"
    r"|ruby/hash-with-ivars|str|ruby/string):(.+)"
)
UNNAMED = {"!ruby/struct": "Struct", "!ruby/object": "Object", "!ruby/exception": "Exception"}
DEEPEST = 400
# Characters that libyaml reads ahead of its events.
LOOKAHEAD = 1024

# Values of a document, those that aliases repeat counted each time: a few lines can mean billions.
MOST_VALUES = 10_000_000
# libyaml, which Psych uses too: the messages are the same. PyYAML can be built without it.
PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class YamlError(Exception):
    """Text that is no YAML, or that Puppet does not load; the message is Psych's."""


class TooLarge(Exception):
    """A document whose aliases make it larger than it looks."""


def load(text: str, file: str, *, dates_as_text: bool = False) -> Any:
    """Return the value of the first document; an empty one is False, as in Puppet::Util::Yaml.

    Dates and times are refused, as by Puppet, or are text, as in Facter's files of facts.

    Raises:
        YamlError: with Psych's message.
    """
    # As bytes: the parser says what is wrong with those that are no UTF-8.
    parser = PARSER(text.encode("utf-8", "surrogateescape"))
    try:
        value = YamlBuilder(
            _events(parser), _scalar_or_date if dates_as_text else _scalar
        ).document()
    except yaml.MarkedYAMLError as error:
        if nests(text, error, DEEPEST):
            raise RecursionError from None
        raise YamlError(_syntax_message(error, file)) from None
    except yaml.reader.ReaderError as error:
        raise YamlError(f"({file}): {error.reason} at line 1 column 1") from None
    except (Disallowed, TooLarge) as error:
        raise YamlError(f"({file}): {error}") from None
    except ValueError as error:
        raise YamlError(str(error)) from None
    finally:
        parser.dispose()
    return False if value is None else value


def _events(parser: Any) -> list[object]:
    """Return all events of the first document: its syntax is judged before its values are."""
    events = []
    depth = 0
    while not isinstance(event := parser.get_event(), yaml.DocumentEndEvent | yaml.StreamEndEvent):
        events.append(event)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise RecursionError
    return events


def nests(text: str, error: yaml.MarkedYAMLError, deepest: int) -> bool:
    """Return whether the text before a syntax error is nested more deeply than `deepest`.

    Some releases of libyaml have a limit of their own, which they reach while they read ahead.
    """
    mark = error.problem_mark or error.context_mark
    part = text[max(0, mark.index - LOOKAHEAD) : mark.index] if mark is not None else ""
    return sum(map(part.count, "[{")) - sum(map(part.count, "]}")) > deepest


def _syntax_message(error: yaml.MarkedYAMLError, file: str) -> str:
    mark = error.context_mark
    if mark is None and isinstance(error, yaml.scanner.ScannerError):
        mark = error.problem_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    words = " ".join(part for part in (error.problem, error.context) if part)
    return f"({file}): {words} at line {line} column {column}"


class YamlBuilder:
    """Makes values of the events of one document."""

    def __init__(self, events: list[object], scalar: Callable[[yaml.ScalarEvent], object]) -> None:
        self._scalar = scalar
        self._rest = iter(events)
        self._anchors: dict[str, object] = {}
        # Values so far, each alias counted as all that it stands for; and of each anchor.
        self._count = 0
        self._sizes: dict[str, int] = {}
        self._depth = 0

    def document(self) -> Any:
        """Return the value of the first document; None of an empty stream."""
        for event in self._rest:
            if isinstance(event, yaml.NodeEvent):
                return self._value(event)
        return None

    def _next(self) -> Any:
        return next(self._rest)

    def _value(self, event: yaml.NodeEvent) -> object:
        before = self._count
        self._count += 1
        value = self._made(event)
        if event.anchor is not None and not isinstance(event, yaml.AliasEvent):
            self._sizes[event.anchor] = self._count - before
        return value

    def _made(self, event: yaml.NodeEvent) -> object:
        if isinstance(event, yaml.ScalarEvent):
            value = self._scalar(event)
            self._register(event, value)
            return value
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event.anchor)
        self._depth += 1
        if self._depth > DEEPEST:
            raise RecursionError
        assert isinstance(event, yaml.CollectionStartEvent)
        made = self._sequence if isinstance(event, yaml.SequenceStartEvent) else self._mapping
        value = made(event)
        self._depth -= 1
        return value

    def _alias(self, anchor: str | None) -> object:
        if anchor is None or anchor not in self._anchors:
            raise YamlError(f"Unknown alias: {anchor}")
        if anchor not in self._sizes:
            raise TooLarge(f"The alias {anchor} is part of what it stands for")
        self._count += self._sizes[anchor]
        if self._count > MOST_VALUES:
            raise TooLarge(
                f"Aliases make more than {MOST_VALUES} values of the document; no option raises "
                "this limit"
            )
        return self._anchors[anchor]

    def _register(self, event: yaml.NodeEvent, value: object) -> None:
        if event.anchor is not None:
            self._anchors[event.anchor] = value

    def _sequence(self, event: yaml.CollectionStartEvent) -> object:
        _refuse_class(event.tag)
        values: list[Any] = []
        self._register(event, values)
        while not isinstance(item := self._next(), yaml.SequenceEndEvent):
            values.append(self._value(item))
        if event.tag in ("!omap", "tag:yaml.org,2002:omap"):
            return {key: value for item in values for key, value in item.items()}
        return values

    def _mapping(self, event: yaml.CollectionStartEvent) -> dict[object, object]:
        if event.tag in REFUSED_MAPPINGS:
            raise Disallowed(REFUSED_MAPPINGS[event.tag])
        _refuse_class(event.tag)
        hash_: dict[object, object] = {}
        self._register(event, hash_)
        while not isinstance(key_event := self._next(), yaml.MappingEndEvent):
            key = self._value(key_event)
            value_event = self._next()
            value = self._value(value_event)
            if key == "<<" and key_event.tag != STR:
                _merge(hash_, value, value_event)
            else:
                hash_[_key(key)] = value
        return hash_


def _key(key: object) -> Any:
    """Return a key; arrays and hashes, which Puppet refuses later, as tuples."""
    if isinstance(key, list):
        return tuple(_key(item) for item in key)
    if isinstance(key, dict):
        return tuple((name, _key(item)) for name, item in key.items())
    return key


def _merge(hash_: dict[object, object], value: Any, event: yaml.NodeEvent) -> None:
    if isinstance(event, yaml.AliasEvent | yaml.MappingStartEvent) and isinstance(value, dict):
        hash_.update(value)
    elif isinstance(event, yaml.SequenceStartEvent) and all(isinstance(v, dict) for v in value):
        # Of several the first wins, but all win over what stands before them.
        merged: dict[object, object] = {}
        for item in reversed(value):
            merged.update(item)
        hash_.update(merged)
    else:
        hash_["<<"] = value


def _refuse_class(tag: str | None) -> None:
    if tag is None:
        return
    named = NAMED_CLASSES.match(tag)
    if named and tag != "!ruby/object:Hash":
        raise Disallowed(named[1])
    if tag in UNNAMED:
        raise Disallowed(UNNAMED[tag])


def _scalar(event: yaml.ScalarEvent) -> object:
    text, tag = event.value, event.tag
    if event.implicit[1]:
        return text
    if tag is None:
        return tokenize(text)
    return _tagged(text, tag)


def _scalar_or_date(event: yaml.ScalarEvent) -> object:
    try:
        return _scalar(event)
    except Disallowed:
        if event.tag is None:
            return event.value
        raise


def _tagged(text: str, tag: str) -> object:
    if tag in BINARY:
        return _binary(text)
    if tag in REFUSED_SCALARS:
        raise Disallowed(REFUSED_SCALARS[tag])
    if tag in ("!ruby/class", "!ruby/module"):
        raise Disallowed(text)
    strings = STRINGS.match(tag)
    if strings and strings[1]:
        raise Disallowed(strings[1])
    if strings or tag == STR:
        return text
    if SYMBOLS.match(tag):
        return symbol(":" + text)
    value = tokenize(text)
    return _float(value) if tag in FLOATS else value


def _float(value: Any) -> float:
    if value is None:
        raise YamlError("can't convert nil into Float")
    if isinstance(value, bool):
        raise YamlError(f"can't convert {str(value).lower()} into Float")
    if isinstance(value, RubySymbol | Default):
        raise YamlError("can't convert Symbol into Float")
    try:
        return float(value)
    except ValueError:
        raise YamlError(f'invalid value for Float(): "{value}"') from None


def _binary(text: str) -> object:
    cut = re.sub(r"[^A-Za-z0-9+/]", "", text.split("=", maxsplit=1)[0])
    if len(cut) % 4 == 1:
        cut = cut[:-1]
    try:
        return base64.b64decode(cut + "=" * (-len(cut) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return Unknown("binary data that is not text")
