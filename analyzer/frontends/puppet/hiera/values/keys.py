"""Keys of a lookup: `a.b.0`, quoted segments, and digging into the value found (lookup_key.rb)."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.formats.yaml_scalars import RubySymbol
from analyzer.frontends.puppet.evaluate.ruby import class_name, to_s
from analyzer.frontends.puppet.hiera.errors import LookupFault, NotFound, RubyFault
from analyzer.model.unknowns import entry_of
from analyzer.model.values import Unknown, Value

Segment = str | int
SPECIAL = re.compile(r"['\".]")
PARTS = re.compile(r"""(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)""")
NUMBER = re.compile(r"^(:?[+-]?[0-9]+)$", re.M)
OPTIONS = "lookup_options"


def split_key(key: str, problem: str) -> tuple[Segment, ...]:
    """Return the segments of a key.

    Raises:
        LookupFault: `Syntax error` with the problem behind it.
    """
    return segments_of(key, problem) if SPECIAL.search(key) else (key,)


@lru_cache(maxsize=4096)
def segments_of(key: str, problem: str) -> tuple[Segment, ...]:
    """Return the segments of a key that may have several."""
    parts = PARTS.split(key)
    while parts and not parts[-1]:
        parts.pop()
    found = [part for part in parts[1:] if part != "."]
    # Between two segments there is one separator, and nothing before the first.
    if not parts or parts[0] or len(parts) < 2 or len(found) * 2 != len(parts):
        raise LookupFault(f"Syntax error {problem}")
    return tuple(_segment(part.strip()) for part in found)


def _segment(text: str) -> Segment:
    if text.startswith(('"', "'")):
        return text[1:-1]
    if NUMBER.search(text):
        return 0 if text.startswith(":") else int(text)
    return text


def dig(key: str, segments: tuple[Segment, ...] | list[Segment], value: object) -> Value:
    """Return the value within a value.

    Raises:
        NotFound: there is none.
        LookupFault: something on the way has no entries.
    """
    for segment in segments:
        if isinstance(value, Unknown):
            return value
        value = _step(key, segment, value)
    return value


def _step(key: str, segment: Segment, value: object) -> Value:
    if value is None:
        raise NotFound
    if isinstance(value, list) and isinstance(segment, int):
        if not 0 <= segment < len(value):
            raise NotFound
        return value[segment]
    if isinstance(value, dict):
        if segment in value:
            return value[segment]
        unknown = entry_of(value, segment)
        if unknown is None:
            raise NotFound
        return unknown
    if isinstance(value, int | RubySymbol) and not isinstance(value, bool):
        # They have a method [], but none to ask what is in them.
        shown = to_s(value) if isinstance(value, int) else f":{to_s(value)}"
        raise RubyFault(f"undefined method `include?' for {shown}:{class_name(value)}")
    raise LookupFault(
        f"Data Provider type mismatch: Got {class_name(value)} when a hash-like object was"
        f" expected to access value using '{segment}' from key '{key}'"
    )


class LookupKey:
    """A parsed key: the root is what data files are asked for, the segments dig into its value."""

    __slots__ = ("module_name", "root", "segments", "text")

    def __init__(self, text: str) -> None:
        segments = split_key(text, f"in key: '{text}'")
        root = segments[0]
        if not isinstance(root, str):
            raise RubyFault(f"undefined method `index' for {root}:Integer")
        self.text = text
        self.root = root
        self.segments = segments[1:]
        module, colons, _ = root.partition("::")
        self.module_name: str | None = (module or root) if colons else None

    def dig(self, value: object) -> Value:
        """Return the part of the root's value that the key means."""
        return dig(self.text, self.segments, value) if self.segments else value

    def undig(self, value: object) -> Value:
        """Return a value that `dig` makes the given one of."""
        for segment in reversed(self.segments):
            value = [None] * segment + [value] if isinstance(segment, int) else {segment: value}
        return value


OPTIONS_KEY = LookupKey(OPTIONS)
