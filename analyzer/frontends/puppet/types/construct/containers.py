"""Arrays and hashes as strings, with indentation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.types.construct.formats import (
    ARRAY_FORMAT,
    HASH_FORMAT,
    INNER,
    ElementFormat,
    Formats,
    refused_format,
)
from analyzer.frontends.puppet.types.model.objects import ObjectValue
from analyzer.model.keys import pairs_of
from analyzer.model.values import Deferred


@dataclass(frozen=True, slots=True)
class Indent:
    """The depth of a value, whether it is the first there, and whether lines are broken."""

    level: int
    first: bool
    indenting: bool

    @property
    def breaks(self) -> bool:
        """Return whether it begins a line of its own."""
        return self.indenting and self.level > 0 and not self.first

    @property
    def padding(self) -> str:
        """Return the blanks before it."""
        return "  " * self.level

    def inner(self, indenting: bool = False) -> Indent:
        """Return the indentation of the first of its elements."""
        return Indent(self.level + 1, True, indenting)


TOP = Indent(0, True, False)
Convert = Callable[[Any, Formats, Indent], str]


def _is_container(value: object) -> bool:
    return isinstance(value, list | dict | ObjectValue | Deferred)


def array_string(
    value: list[object], form: ElementFormat, formats: Formats, indent: Indent, convert: Convert
) -> str:
    """Return an array with `a`, `s` or `p`."""
    if form.letter not in "asp":
        raise refused_format("Array", form, "asp")
    alternative = form.alternative
    indent = Indent(indent.level, indent.first, alternative or indent.indenting)
    inner = form.inner or INNER
    # Puppet takes the first element for the first, too, only when it stands there.
    within = Indent(indent.level + 1, False, alternative)
    shown = [convert(each, formats if _is_container(each) else inner, within) for each in value]
    pair = form.delimiters
    opening, closing = (pair[:1], pair[1:]) if pair is not None else ("[", "]")
    start = f"\n{indent.padding}" if indent.breaks else ""
    body = _joined(value, shown, form, within)
    if body.startswith("\n") and (start + opening).endswith(" "):
        opening = opening.rstrip()
    return start + opening + body + closing


def _joined(value: list[object], shown: list[str], form: ElementFormat, within: Indent) -> str:
    separator = ARRAY_FORMAT.separator if form.separator is None else form.separator
    assert separator is not None
    alternative = form.alternative
    broken = alternative and form.width is not None and _widest(value, shown) > form.width
    out = ""
    for index, text in enumerate(shown):
        nested = isinstance(value[index], list | dict)
        if index == 0:
            out += " " if broken and not nested else ""
        else:
            out += separator
            after_nested = isinstance(value[index - 1], list | dict)
            if not nested and (broken or (alternative and after_nested)):
                out = out if out.endswith("\n") else out.rstrip()
                out += "\n" + within.padding
        if out.endswith(" ") and text.startswith("\n"):
            out = out.rstrip()
        out += text
    return out


def _widest(value: list[object], shown: list[str]) -> int:
    widths = [0]
    for each, text in zip(value, shown, strict=True):
        if isinstance(each, list | dict):
            widths.append(0)
        else:
            widths[-1] += len(text)
    return max(widths)


def hash_string(
    value: dict[object, object],
    form: ElementFormat,
    formats: Formats,
    indent: Indent,
    convert: Convert,
) -> str:
    """Return a hash with `h`, `s` or `p`; with `a` as an array of pairs."""
    if form.letter == "a":
        return convert(pairs_of(value), formats, indent)
    if form.letter not in "hsp":
        raise refused_format("Hash", form, "hasp")
    separator = HASH_FORMAT.separator if form.separator is None else form.separator
    between = HASH_FORMAT.separator2 if form.separator2 is None else form.separator2
    assert separator is not None
    inner = form.inner or INNER
    indent = Indent(indent.level, indent.first, form.alternative or indent.indenting)
    within = indent.inner()
    padding = line = ""
    if form.alternative:
        separator = (separator if separator.endswith("\n") else separator.rstrip()) + "\n"
        padding, line = within.padding, "\n"

    def show(each: object) -> str:
        return convert(each, formats if _is_container(each) else inner, within)

    entries = [f"{padding}{show(key)}{between}{show(each)}" for key, each in pairs_of(value)]
    pair = form.delimiters
    opening, closing = (pair[:1], pair[1:]) if pair is not None else ("{", "}")
    start = f"\n{indent.padding}" if indent.breaks else ""
    end = indent.padding if form.alternative else ""
    return f"{start}{opening}{line}{separator.join(entries)}{line}{end}{closing}"
