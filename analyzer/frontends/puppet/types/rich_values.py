"""The values that JSON has no form for: as the catalog of an agent has them, and for Ruby."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any, NamedTuple

from analyzer.frontends.puppet.types.uris import parse_uri
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Regexp, Uri, Value
from analyzer.model.versions import SemVer, SemVerRange


def nanoseconds(value: Any) -> int:
    """Return a moment or a span of time as a number, which has no other spelling."""
    found: int = value.nanoseconds
    return found


class RichValue(NamedTuple):
    """A kind of values: the name of its type, and its forms.

    `text` is that of a catalog; `encode` and `decode` are those of the bridge to Ruby, whose tag
    is the name.
    """

    kind: type
    name: str
    text: Callable[[Any], str]
    encode: Callable[[Any], str | int]
    decode: Callable[[Any], Value]


def _source(value: Any) -> str:
    return str(value.source)


RICH_VALUES = (
    RichValue(Binary, "Binary", str, str, lambda text: Binary(b64decode(text))),
    RichValue(Regexp, "Regexp", _source, _source, Regexp),
    RichValue(SemVer, "SemVer", str, str, SemVer.parse),
    RichValue(SemVerRange, "SemVerRange", str, str, SemVerRange.parse),
    RichValue(Timespan, "Timespan", str, nanoseconds, Timespan),
    RichValue(Timestamp, "Timestamp", str, nanoseconds, Timestamp),
    RichValue(Uri, "URI", str, lambda value: str(value.text), parse_uri),
)
