"""Values as strings, in any of String.new's formats (Puppet's StringConverter)."""

from __future__ import annotations

from base64 import b64encode, encodebytes, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from analyzer.frontends.puppet.types.construct import ruby_format
from analyzer.frontends.puppet.types.construct.containers import (
    TOP,
    Indent,
    array_string,
    hash_string,
)
from analyzer.frontends.puppet.types.construct.formats import (
    USUAL,
    ElementFormat,
    Formats,
    format_for,
    merge_formats,
    read_formats,
    refused_format,
)
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.collections import ARRAY, HASH
from analyzer.frontends.puppet.types.model.objects import ObjectValue
from analyzer.frontends.puppet.types.model.wrappers import Iteration
from analyzer.frontends.puppet.types.problems import ConversionProblem
from analyzer.frontends.puppet.types.text import literal
from analyzer.model.quote import double_quoted, float_text, quoted, regexp_text
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Default, Deferred, Regexp, Sensitive, Uri
from analyzer.model.versions import SemVer, SemVerRange

_INTEGERS, _FLOATS = "dxXobB", "eEfgGaA"


def to_text(value: object, given: object = None) -> str:
    """Return a value as a string; `given` is a format, or a hash of formats by type.

    Raises:
        ConversionProblem: a format is none, or none for this value.
    """
    formats = USUAL
    if isinstance(given, str):
        given = {_key(value): {"format": given} if isinstance(value, list | dict) else given}
    if isinstance(given, dict):
        formats = merge_formats(USUAL, read_formats(given)) or USUAL
    return convert(value, formats, TOP)


def _key(value: object) -> Type:
    if isinstance(value, list):
        return ARRAY
    return HASH if isinstance(value, dict) else infer_set(value)


def convert(value: object, formats: Formats, indent: Indent) -> str:
    """Return a value as a string, within another or not."""
    if isinstance(value, Iteration):
        return convert(list(value), formats, indent)
    form = format_for(infer_set(value), formats)
    if isinstance(value, list):
        return array_string(value, form, formats, indent, convert)
    if isinstance(value, dict):
        return hash_string(value, form, formats, indent, convert)
    if isinstance(value, Type):
        return _type(value, form)
    found = _CONVERT.get(type(value))
    return found(value, form) if found else _other(value, form)


def _text(form: ElementFormat, shown: str) -> str:
    return ruby_format.text(form.flags, form.width, form.precision, shown)


def _formatted(form: ElementFormat, shown: str) -> str:
    """Return `_text` by Ruby's `format`, which has no delimiters."""
    return _text(_checked(form), shown)


def _checked(form: ElementFormat) -> ElementFormat:
    found = next((flag for flag in form.flags if flag in "[({<|"), None)
    if found is not None:
        if found in "{<":
            raise ConversionProblem("malformed name - unmatched parenthesis")
        raise ConversionProblem(f"malformed format string - %{found}")
    return form


def _number(form: ElementFormat, value: int | float) -> str:
    _checked(form)
    if isinstance(value, float):
        return ruby_format.real(form.letter, form.flags, form.width, form.precision, value)
    return ruby_format.integer(form.letter, form.flags, form.width, form.precision, value)


def _integer(value: int, form: ElementFormat) -> str:
    letter = form.letter
    if letter in _INTEGERS:
        return _number(form, value)
    if letter in _FLOATS:
        return _number(form, float(value))
    if letter == "c":
        if not 0 <= value <= 0x10FFFF:
            raise ConversionProblem("pack(U): value out of range")
        char = chr(value)
        return _formatted(form, f'"{char}"' if form.alternative else char)
    if letter == "s":
        return _formatted(form, f'"{value}"' if form.alternative else str(value))
    if letter == "p":
        return _formatted(form, str(value))
    raise refused_format("Integer", form, "dxXobBeEfgGaAspc")


def _float(value: float, form: ElementFormat) -> str:
    letter = form.letter
    if letter in _INTEGERS:
        return _number(form, int(value))
    if letter in _FLOATS:
        return _number(form, value)
    shown = float_text(value)
    if letter == "p":
        return _formatted(form, shown)
    if letter == "s":
        return _formatted(form, f'"{shown}"' if form.alternative else shown)
    raise refused_format("Float", form, "dxXobBeEfgGaAsp")


_BOOLEAN = {"t": ("true", "false"), "T": ("True", "False"), "y": ("yes", "no"), "Y": ("Yes", "No")}


def _boolean(value: bool, form: ElementFormat) -> str:
    letter = form.letter
    if letter in _BOOLEAN:
        shown = _BOOLEAN[letter][0 if value else 1]
        return _text(form, shown[0] if form.alternative else shown)
    if letter in _INTEGERS:
        return _integer(int(value), form)
    if letter in _FLOATS:
        return _float(float(value), form)
    if letter in "sp":
        return _text(form, "true" if value else "false")
    raise refused_format("Boolean", form, "tTyYdxXobBeEfgGaAsp")


def _undef(value: None, form: ElementFormat) -> str:
    plain, alternative = _UNDEF.get(form.letter, (None, None))
    shown = alternative if form.alternative else plain
    if shown is None:
        raise refused_format("Undef", form, "nudxXobBeEfgGaAvVsp")
    return _text(form, shown)


_UNDEF: dict[str, tuple[str | None, str | None]] = {
    **dict.fromkeys(_INTEGERS + _FLOATS, ("NaN", "NaN")),
    "n": ("nil", "null"), "u": ("undef", "undefined"), "v": ("n/a", "n/a"), "V": ("N/A", "N/A"),
    "s": ("", '""'), "p": ("undef", '"undef"'),
}  # fmt: skip


def _default(value: Default, form: ElementFormat) -> str:
    if form.letter not in "dDsp":
        raise refused_format("Default", form, "dDsp")
    shown = "Default" if form.letter == "D" else "default"
    return _text(form, f'"{shown}"' if form.alternative else shown)


def _string(value: str, form: ElementFormat) -> str:
    if form.letter == "s":
        return _formatted(form, value)
    if form.letter == "p":
        return _text(form, double_quoted(value) if form.alternative else quoted(value))
    change = _STRING.get(form.letter)
    if change is None:
        raise refused_format("String", form, "cCudspt")
    shown = change(value)
    return _text(form, quoted(shown)) if form.alternative else _formatted(form, shown)


def _segments(value: str) -> str:
    return "::".join(part.capitalize() for part in value.rstrip(":").split("::"))


_STRING: dict[str, Callable[[str], str]] = {
    "c": str.capitalize,
    "C": _segments,
    "u": str.upper,
    "d": str.lower,
    "t": lambda value: value.lstrip("\t\n\v\f\r ").rstrip("\0\t\n\v\f\r "),
}


def _regexp(value: Regexp, form: ElementFormat) -> str:
    if form.letter == "p":
        return _text(form, regexp_text(value.source))
    if form.letter == "s":
        return _text(form, quoted(value.source) if form.alternative else value.source)
    raise refused_format("Regexp", form, "sp")


def _binary(value: Binary, form: ElementFormat) -> str:
    show = _BINARY.get(form.letter)
    if form.letter == "p":
        return f'Binary("{_text(form, str(value))}")'
    if show is None:
        raise refused_format("Binary", form, "bButTsp")
    shown = show(value.data)
    return _formatted(form, ruby_format.inspect(shown) if form.alternative else shown)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        byte = data[error.start]
        raise ConversionProblem(f'"\\x{byte:02X}" from ASCII-8BIT to UTF-8') from None


def _base64(data: bytes) -> str:
    lines = encodebytes(data).decode().replace("\n", "")
    return "".join(lines[i : i + 60] + "\n" for i in range(0, len(lines), 60))


_BINARY: dict[str, Callable[[bytes], str]] = {
    "s": _decoded,
    "b": _base64,
    "B": lambda data: b64encode(data).decode(),
    "u": lambda data: urlsafe_b64encode(data).decode(),
    "t": lambda data: "Binary",
    "T": lambda data: "BINARY",
}


_CLASSES: dict[type, str] = {
    SemVer: "SemanticPuppet::Version",
    SemVerRange: "SemanticPuppet::VersionRange",
    Sensitive: "Puppet::Pops::Types::PSensitiveType::Sensitive",
}


def _other(value: object, form: ElementFormat) -> str:
    """Return a value that Ruby's `format` is left alone with."""
    _checked(form)
    letter = form.letter
    if letter in "sp":
        hidden = letter == "p" and isinstance(value, Sensitive)
        return _text(form, f"#<{value!r}>" if hidden else str(value))
    if isinstance(value, Timespan | Timestamp):
        if letter in _INTEGERS + "cui":
            form = replace(form, letter="d" if letter in "ui" else letter)
            return _integer(value.nanoseconds // 10**9, form)
        if letter in _FLOATS:
            return _float(value.seconds, form)
    elif letter in _INTEGERS + _FLOATS + "ui":
        kind = "Float" if letter in _FLOATS else "Integer"
        name = _CLASSES.get(type(value), type(value).__name__)
        raise ConversionProblem(f"can't convert {name} into {kind}")
    raise ConversionProblem(f"malformed format string - %{letter}")


def _type(value: Type, form: ElementFormat) -> str:
    if form.letter not in "sp":
        raise refused_format("Type", form, "sp")
    quote = form.alternative and form.letter == "s"
    return _formatted(form, f'"{value}"' if quote else str(value))


def _uri(value: Uri, form: ElementFormat) -> str:
    if form.letter == "p":
        return f"URI({quoted(str(value))})"
    if form.letter == "s":
        return _formatted(form, quoted(str(value)) if form.alternative else str(value))
    raise refused_format("URI", form, "sp")


def _object(value: ObjectValue, form: ElementFormat) -> str:
    return str(value)


def _deferred(value: Deferred, form: ElementFormat) -> str:
    arguments = {"arguments": list(value.arguments)} if value.arguments else {}
    return f"Deferred({literal({'name': value.name, **arguments})})"


_CONVERT: dict[type, Callable[[Any, ElementFormat], str]] = {
    int: _integer,
    float: _float,
    bool: _boolean,
    type(None): _undef,
    Default: _default,
    str: _string,
    Regexp: _regexp,
    Binary: _binary,
    Uri: _uri,
    ObjectValue: _object,
    Deferred: _deferred,
}
