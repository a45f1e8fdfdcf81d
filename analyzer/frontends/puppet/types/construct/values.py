"""The `new` of strings, collections, times, versions and other values."""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64decode
from collections.abc import Iterable, Sequence
from typing import Any

from analyzer.frontends.puppet.types.construct.constructor import Constructor, Overloads
from analyzer.frontends.puppet.types.construct.formats import PATTERN_TEXT
from analyzer.frontends.puppet.types.construct.moments import moment_of, now
from analyzer.frontends.puppet.types.construct.strings import to_text
from analyzer.frontends.puppet.types.infer import infer_generic
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.model.strings import EnumType
from analyzer.frontends.puppet.types.model.wrappers import ITERABLE, TypeType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.problems import ConversionProblem
from analyzer.frontends.puppet.types.uris import build_uri, parse_uri
from analyzer.model.documents import JsonObject
from analyzer.model.keys import as_key, pairs_of
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import DEFAULT, Binary, Default, Regexp, Sensitive, Value
from analyzer.model.versions import FULL, MAX, MIN, SemVer, SemVerRange


def elements(value: Any) -> list[Any]:
    """Return all elements of an iteration over a value."""
    if isinstance(value, dict):
        return pairs_of(value)
    if isinstance(value, int):
        return list(range(value))
    if isinstance(value, TypeType):
        value = value.type
    if isinstance(value, IntegerType):
        return list(range(value.low or 0, (value.high or 0) + 1))
    return list(value.values if isinstance(value, EnumType) else value)


def string() -> Constructor:
    """String.new."""
    container = (
        "Struct[{Optional[format] => Format, Optional[separator] => String, "
        "Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]"
    )
    overloads = Overloads(
        "new_string",
        {
            "Format": f"Pattern[/{PATTERN_TEXT}/]",
            "ContainerFormat": container,
            "TypeMap": "Hash[Type, Variant[Format, ContainerFormat]]",
            "Convertible": "Any",
            "Formats": "Variant[Default, String[1], TypeMap]",
        },
    )
    way = overloads.overload(to_text, "Convertible from", "Formats string_formats?")
    return Constructor("new_string", (way,))


def _escaped(text: str) -> str:
    names = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f", "\v": "\\v", " ": "\\ "}
    return re.sub(
        r"[\[\](){}|*.\\?+^$#\-\s]", lambda match: names.get(match[0], "\\" + match[0]), text
    )


def regexp() -> Constructor:
    """Regexp.new."""
    overloads = Overloads("new_float", {})

    def make(pattern: str, escape: bool = False) -> Regexp:
        return Regexp(_escaped(pattern) if escape else pattern)

    return Constructor(
        "new_float", (overloads.overload(make, "String pattern", "Boolean escape?"),)
    )


def _array(value: object, wrap: bool = False) -> list[Value]:
    if isinstance(value, list):
        return value
    return list(value.data) if isinstance(value, Binary) else elements(value)


def array() -> Constructor:
    """Array.new, and Tuple.new."""
    overloads = Overloads("new_array", {})

    def wrapped(value: object, wrap: bool) -> list[Value]:
        return value if isinstance(value, list) else [value]

    def wrong(value: object, wrap: bool = False) -> str:
        return f"Value of type {infer_generic(value)} cannot be converted to Array"

    return Constructor(
        "new_array",
        (
            overloads.overload(
                _array, "Variant[Array,Hash,Binary,Iterable] from", "Boolean[false] wrap?"
            ),
            overloads.overload(wrapped, "Any from", "Boolean[true] wrap"),
        ),
        (overloads.overload(wrong, "Any from", "Boolean wrap?"),),
    )


def _numbered(value: object) -> Value:
    if not isinstance(value, list):
        return value
    return {index: _numbered(each) for index, each in enumerate(value)}


def _tree(pairs: list[Any], option: str | None = None) -> dict[Value, Value]:
    if option is None:
        return _pairs(pairs)
    result: dict[object, object] = {}
    for path, value in pairs:
        if not path:
            result |= dict(enumerate(value)) if isinstance(value, list) else value
            continue
        place: Any = result
        for key in path[:-1]:
            if isinstance(place, dict) and key not in place:
                place[key] = {}
            place = place[key]
        place[path[-1]] = _numbered(value) if option == "hash_tree" else value
    return result


def _pairs(pairs: Iterable[Sequence[Value]]) -> dict[Value, Value]:
    return {as_key(key): value for key, value in pairs}


def _hash(value: object) -> dict[object, Value]:
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        if len(value) % 2:
            raise ConversionProblem("odd number of arguments for Hash")
        return _pairs(list(zip(value[::2], value[1::2], strict=True)))
    if instance(ITERABLE, value):
        return _hash(elements(value))
    raise ConversionProblem(f"Value of type {infer_generic(value)} cannot be converted to Hash")


def hash_() -> Constructor:
    """Hash.new, and Struct.new."""
    overloads = Overloads(
        "new_hash",
        {
            "KeyValueArray": "Array[Tuple[Any,Any],1]",
            "TreeArray": "Array[Tuple[Array,Any],1]",
            "NewHashOption": "Enum[tree, hash_tree]",
        },
    )
    return Constructor(
        "new_hash",
        (
            overloads.overload(_tree, "TreeArray from", "NewHashOption build_option?"),
            overloads.overload(_pairs, "KeyValueArray from"),
            overloads.overload(_hash, "Any from"),
        ),
    )


def sensitive() -> Constructor:
    """Sensitive.new."""
    overloads = Overloads("new_Sensitive", {})
    return Constructor(
        "new_Sensitive",
        (
            overloads.overload(lambda value: value, "Sensitive value"),
            overloads.overload(Sensitive, "Any value"),
        ),
    )


_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}\Z")


def _binary(text: str, form: str | None = None) -> Binary:
    if form == "%b":
        # Ruby passes over what is not of the alphabet.
        kept = re.sub(r"[^A-Za-z0-9+/]", "", text.partition("=")[0])
        if len(kept) % 4 == 1:
            kept = kept[:-1]
        return Binary(b64decode(kept + "=" * (-len(kept) % 4)))
    if form in ("%s", "%r"):
        return Binary(text.encode())
    if form == "%u":
        text = text + "=" * (-len(text) % 4)
        if re.fullmatch(r"[A-Za-z0-9_+/-]*={0,2}", text):
            return Binary(urlsafe_b64decode(text.replace("+", "-").replace("/", "_")))
    elif _BASE64.match(text) and len(text) % 4 == 0:
        return Binary(b64decode(text))
    raise ConversionProblem("invalid base64")


def binary() -> Constructor:
    """Binary.new."""
    overloads = Overloads(
        "new_Binary",
        {
            "ByteInteger": "Integer[0,255]",
            "Base64Format": 'Enum["%b", "%u", "%B", "%s", "%r"]',
            "StringHash": 'Struct[{value => String, "format" => Optional[Base64Format]}]',
            "ArrayHash": "Struct[{value => Array[ByteInteger]}]",
            "BinaryArgsHash": "Variant[StringHash, ArrayHash]",
        },
    )

    def of_hash(given: JsonObject) -> Binary:
        value = given["value"]
        return (
            Binary(bytes(value)) if isinstance(value, list) else _binary(value, given.get("format"))
        )

    return Constructor(
        "new_Binary",
        (
            overloads.overload(_binary, "String str", "Base64Format format?"),
            overloads.overload(lambda value: Binary(bytes(value)), "Array[ByteInteger] byte_array"),
            overloads.overload(of_hash, "BinaryArgsHash hash_args"),
        ),
    )


def uri() -> Constructor:
    """URI.new."""
    text = ", ".join(
        f"Optional[{name}] => {'Integer[0]' if name == 'port' else 'String[1]'}"
        for name in (
            *("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"),
        )
    )
    overloads = Overloads("new_error", {})
    return Constructor(
        "new_error",
        (
            overloads.overload(parse_uri, "String[1] uri"),
            overloads.overload(build_uri, f"Struct[{{{text}}}] hash"),
        ),
    )


def _version(
    major: int, minor: int, patch: int, prerelease: str | None = None, build: str | None = None
) -> SemVer:
    return SemVer(
        major, minor, patch, (prerelease,) if prerelease else None, (build,) if build else None
    )


def semver() -> Constructor:
    """SemVer.new."""
    overloads = Overloads(
        "new_Version",
        {
            "PositiveInteger": "Integer[0,default]",
            "SemVerQualifier": r"Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]",
            "SemVerPattern": rf"Pattern[/\A{FULL}\Z/]",
            "SemVerHash": (
                "Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,"
                "Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]"
            ),
        },
    )
    numbers = ("PositiveInteger major", "PositiveInteger minor", "PositiveInteger patch")
    qualifiers = ("SemVerQualifier prerelease?", "SemVerQualifier build?")
    return Constructor(
        "new_Version",
        (
            overloads.overload(SemVer.parse, "SemVerPattern str"),
            overloads.overload(_version, *numbers, *qualifiers),
            overloads.overload(lambda given: _version(**given), "SemVerHash hash_args"),
        ),
        (
            overloads.overload(
                lambda text: f"The string '{text}' cannot be converted to a SemVer", "String str"
            ),
        ),
    )


def _between(
    low: SemVer | Default, high: SemVer | Default = DEFAULT, exclude_max: bool = False
) -> SemVerRange:
    start, end = (
        MIN if isinstance(low, Default) else low,
        MAX if isinstance(high, Default) else high,
    )
    return SemVerRange.between(start, end, exclude_max)


def semver_range() -> Constructor:
    """SemVerRange.new."""
    limit = "Variant[Default,SemVer]"
    overloads = Overloads(
        "new_VersionRange",
        {
            "SemVerRangeString": "String[1]",
            "SemVerRangeHash": (
                f"Struct[{{min=>{limit},Optional[max]=>{limit},Optional[exclude_max]=>Boolean}}]"
            ),
        },
    )

    def of_hash(given: JsonObject) -> SemVerRange:
        return _between(given["min"], given.get("max", DEFAULT), given.get("exclude_max", False))

    return Constructor(
        "new_VersionRange",
        (
            overloads.overload(SemVerRange.parse, "SemVerRangeString str"),
            overloads.overload(_between, f"{limit} min", f"{limit} max", "Boolean exclude_max?"),
            overloads.overload(of_hash, "SemVerRangeHash hash_args"),
        ),
    )


_FIELDS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")


def timespan() -> Constructor:
    """Timespan.new."""
    overloads = Overloads("new_timespan", {"Formats": "Variant[String[2],Array[String[2], 1]]"})

    def of_fields(*values: int) -> Timespan:
        return Timespan.of(dict(zip(_FIELDS, values, strict=False)))

    def of_text(given: JsonObject) -> Timespan:
        return Timespan.parse(given["string"], given.get("format") or ())

    named = ", ".join(f"Optional[{name}] => Integer" for name in _FIELDS)
    return Constructor(
        "new_timespan",
        (
            overloads.overload(
                lambda value: Timespan(int(value * 10**9)), "Variant[Integer,Float] seconds"
            ),
            overloads.overload(Timespan.parse, "String[1] string", "Formats format?"),
            overloads.overload(
                of_fields,
                *(
                    f"Integer {name}{'?' if index > 3 else ''}"
                    for index, name in enumerate(_FIELDS)
                ),
            ),
            overloads.overload(
                of_text, "Struct[{string => String[1], Optional[format] => Formats}] hash_arg"
            ),
            overloads.overload(
                Timespan.of, f"Struct[{{Optional[negative] => Boolean, {named}}}] hash_arg"
            ),
        ),
    )


def timestamp() -> Constructor:
    """Timestamp.new."""
    overloads = Overloads("new_timestamp", {"Formats": "Variant[String[2],Array[String[2], 1]]"})

    def of_text(given: JsonObject) -> Timestamp:
        return moment_of(given["string"], given.get("format"), given.get("timezone"))

    return Constructor(
        "new_timestamp",
        (
            overloads.overload(now),
            overloads.overload(
                lambda value: Timestamp(int(value * 10**9)), "Variant[Integer,Float] seconds"
            ),
            overloads.overload(
                moment_of, "String[1] string", "Formats format?", "String[1] timezone?"
            ),
            overloads.overload(
                of_text,
                "Struct[{string => String[1], Optional[format] => Formats, "
                "Optional[timezone] => String[1]}] hash_arg",
            ),
        ),
    )


def type_() -> Constructor:
    """Type.new."""
    overloads = Overloads("new_type", {})
    return Constructor("new_type", (overloads.overload(parse_type, "String[1] type_string"),))


def unit() -> Constructor:
    """Return the `new` of Unit, which accepts any value."""
    overloads = Overloads("new_unit", {})
    return Constructor("new_unit", (overloads.overload(lambda value: value, "Any from"),))
