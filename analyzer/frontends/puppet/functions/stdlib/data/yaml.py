"""stdlib's to_yaml: values as Psych writes them."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.functions.registry import Call, Undecided
from analyzer.frontends.puppet.functions.stdlib.api import modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, class_name, float_text
from analyzer.frontends.puppet.functions.stdlib.yaml_scalars import (
    BREAKS,
    LONGEST_KEY,
    style_of,
    wanted_style,
)
from analyzer.frontends.puppet.functions.stdlib.yaml_writer import WIDTH, Writer, byte_length
from analyzer.model.keys import of_key
from analyzer.model.values import DEFAULT, Regexp, Unknown

NO_LIMIT = 1 << 31


class Document:
    """A value on its way into text; what comes twice is named and then referred to."""

    def __init__(self, line_width: int | None, indentation: int) -> None:
        limit = line_width if line_width and line_width > indentation * 2 else WIDTH
        limit = NO_LIMIT if line_width == -1 else limit
        self.line_width = None if line_width == -1 else line_width
        self.writer = Writer(limit, indentation)
        self.seen: set[int] = set()
        self.anchors: dict[int, int] = {}
        self.written: set[int] = set()

    def number(self, value: Any) -> None:
        """Give numbers to the arrays and hashes that come again, in the order they do."""
        if not isinstance(value, list | dict):
            return
        if id(value) in self.seen:
            self.anchors.setdefault(id(value), len(self.anchors) + 1)
            return
        self.seen.add(id(value))
        for part in parts_of(value):
            self.number(part)

    def text(self, value: Any) -> str:
        """Return the document of a value."""
        self.number(value)
        self.writer.indicator("---", spaced=True)
        self.node(value)
        self.writer.new_line()
        return self.writer.text()

    def node(self, value: Any, *, as_key: bool = False, in_mapping: bool = False) -> None:
        """Write a value."""
        if not isinstance(value, list | dict):
            self.scalar(value, as_key=as_key)
            return
        anchor = self.anchors.get(id(value))
        if id(value) in self.written and anchor is not None:
            self.writer.indicator(f"*{anchor}", spaced=True)
            if as_key:
                self.writer.put(" ")
            return
        self.written.add(id(value))
        if anchor is not None:
            self.writer.indicator(f"&{anchor}", spaced=True)
        if not value:
            self.writer.indicator("[" if isinstance(value, list) else "{", spaced=True)
            self.writer.indicator("]" if isinstance(value, list) else "}")
        elif isinstance(value, list):
            self.sequence(value, indentless=in_mapping and not self.writer.in_indent)
        else:
            self.mapping(value)

    def sequence(self, values: list[Any], *, indentless: bool) -> None:
        """Write an array, each element behind a dash."""
        writer = self.writer
        writer.increase(indentless=indentless)
        for value in values:
            writer.new_line()
            writer.indicator("-", spaced=True, indents=True)
            self.node(value)
        writer.decrease()

    def mapping(self, values: dict[Any, Any]) -> None:
        """Write a hash, each entry on a line; long and complex keys behind a question mark."""
        writer = self.writer
        writer.increase()
        for key, value in values.items():
            name = of_key(key)
            writer.new_line()
            if self.is_simple(name):
                self.node(name, as_key=True)
                writer.indicator(":")
            else:
                writer.indicator("?", spaced=True, indents=True)
                self.node(name, in_mapping=True)
                writer.new_line()
                writer.indicator(":", spaced=True, indents=True)
            self.node(value, in_mapping=True)
        writer.decrease()

    def is_simple(self, name: Any) -> bool:
        """Say whether a key stands before its colon in one line."""
        if isinstance(name, list | dict):
            return not name or (id(name) in self.written and id(name) in self.anchors)
        if isinstance(name, str):
            return byte_length(name) <= LONGEST_KEY and not any(c in name for c in BREAKS)
        return True

    def scalar(self, value: Any, *, as_key: bool) -> None:
        """Write what is no array or hash."""
        writer = self.writer
        if isinstance(value, str):
            if value == "<<":
                writer.indicator("!!str", spaced=True)
            wanted = wanted_style(value, self.line_width)
            writer.scalar(value, style_of(value, wanted, as_key=as_key), as_key=as_key)
        elif value is None:
            if as_key:
                writer.indicator("!", spaced=True)
            writer.scalar("", "'" if as_key else "plain", as_key=as_key)
        else:
            if isinstance(value, Regexp):
                writer.indicator("!ruby/regexp", spaced=True)
            text = plain_text(value)
            style = style_of(text, "plain", as_key=as_key)
            writer.scalar(text, style, as_key=as_key)


def plain_text(value: Any) -> str:
    """Return the text of a number, boolean, `default` or regular expression."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        text = float_text(value)
        return {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}.get(text, text)
    if isinstance(value, int):
        return str(value)
    if value is DEFAULT:
        return ":default"
    if isinstance(value, Regexp):
        return inspect(value)
    raise Undecided(Unknown(f"to_yaml of {class_name(value)}"))


def parts_of(value: Any) -> list[Any]:
    """Return what an array or hash holds, in order."""
    if isinstance(value, dict):
        return [part for pair in value.items() for part in pair]
    return list(value)


@modern("to_yaml stdlib::to_yaml", "Any $data, Hash $options = {}")
def to_yaml(call: Call, data: Any, options: dict[str, Any] | None = None) -> str:
    """Return a value as YAML; options are those of Psych: `indentation`, `line_width`."""
    options = options or {}
    if unknown := set(options) - {"indentation", "line_width"}:
        raise Undecided(Unknown(f"to_yaml with the option {sorted(map(str, unknown))[0]}"))
    width, step = options.get("line_width"), options.get("indentation", 2)
    if isinstance(width, int) and width < -1:
        raise Fault(f"Invalid line_width {width}, must be non-negative or -1 for unlimited.")
    step = step if isinstance(step, int) and 2 <= step <= 9 else 2
    return Document(width if isinstance(width, int) else None, step).text(data)
