"""Texts of stdlib, escaped for shells, batch files, PowerShell, URIs, XML, regular expressions."""

from __future__ import annotations

import base64 as codec
import binascii
import re

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, ParseFault, inspect, to_s
from analyzer.frontends.puppet.functions.stdlib.strings.text import each_text
from analyzer.model.values import Value

NOT_SAFE_IN_SHELL = re.compile(r"[^A-Za-z0-9_\-.,:+/@\n]")
NOT_SAFE_IN_URI = re.compile(r"[^\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]", re.ASCII)
SPECIAL = str.maketrans(
    {char: f"\\{char}" for char in "[]{}()|-*.\\?+^$# "}
    | {"\n": "\\n", "\t": "\\t", "\f": "\\f", "\v": "\\v", "\r": "\\r"}
)
POWERSHELL = str.maketrans({char: f"`{char}" for char in " '`|\n$"} | {'"': '\\`"'})
BATCH = str.maketrans({'"': '""', "$": "\\$", "\\": "\\\\"})
XML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
WORD = re.compile(
    r"""\s*(?:([^\s\\'"]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|(\\.?)|(\S))(\s|\Z)?""",
    re.S | re.ASCII,
)
NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]")
STRICT_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z")
LINE = 45  # Bytes of a line of `encode64`.


@modern("batch_escape stdlib::batch_escape", "Any $string")
def batch_escape(call: Call, value: object) -> str:
    """Quote text for a batch file."""
    return f'"{to_s(value).translate(BATCH)}"'


@modern("powershell_escape stdlib::powershell_escape", "Any $string")
def powershell_escape(call: Call, value: object) -> str:
    """Escape text for PowerShell."""
    return to_s(value).translate(POWERSHELL)


@modern("shell_escape stdlib::shell_escape", "Any $string")
def shell_escape(call: Call, value: object) -> str:
    """Escape text as one word of a Bourne shell."""
    return shell_word(to_s(value))


def shell_word(text: str) -> str:
    """Return text as one word of a Bourne shell."""
    return NOT_SAFE_IN_SHELL.sub(r"\\\g<0>", text).replace("\n", "'\n'") or "''"


@legacy("shell_join")
def shell_join(call: Call, *values: object) -> str:
    """Escape words and join them to a command line."""
    if len(values) != 1:
        raise ParseFault(f"shell_join(): Wrong number of arguments given ({len(values)} for 1)")
    if not isinstance(values[0], list):
        raise ParseFault(f"First argument is not an Array: {inspect(values[0])}")
    return " ".join(shell_word(to_s(one)) for one in values[0])


@legacy("shell_split")
def shell_split(call: Call, *values: object) -> list[str]:
    """Split a command line into its words."""
    if len(values) != 1:
        raise ParseFault(f"shell_split(): Wrong number of arguments given ({len(values)} for 1)")
    line = to_s(values[0])
    words: list[str] = []
    field = ""
    pos = 0
    while match := WORD.match(line, pos):
        plain, single, double, escaped, garbage, end = match.groups()
        if garbage is not None:
            raise Fault(f"Unmatched quote: {inspect(line)}")
        if double is not None:
            double = re.sub(r'\\([$`"\\\n])', r"\1", double)
        for part in (plain, single, double):
            field += part or ""
        field += re.sub(r"\\(.)", r"\1", escaped or "")  # Not of a newline, which `.` is not.
        if end is not None:
            words.append(field)
            field = ""
        pos = match.end()
    return words


@legacy("uriescape")
def uriescape(call: Call, *values: object) -> Value:
    """Escape what a URI cannot hold."""
    return each_text("uriescape", values, lambda text: NOT_SAFE_IN_URI.sub(percent, text))


def percent(match: re.Match[str]) -> str:
    """Return a character's bytes as a URI writes them."""
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


@legacy("regexpescape")
def regexpescape(call: Call, *values: object) -> Value:
    """Escape the special characters of a regular expression."""
    return each_text("regexpescape", values, lambda text: text.translate(SPECIAL))


@modern("stdlib::xml_encode", "String $str, Enum['text','attr'] $type = 'text'")
def xml_encode(call: Call, text: str, kind: str = "text") -> str:
    """Escape text for XML, as an attribute with its quotes."""
    escaped = text.translate(XML)
    if kind == "text":
        return escaped
    return '"' + escaped.replace('"', "&quot;").replace("'", "&apos;") + '"'


@legacy("base64")
def base64(call: Call, *values: object) -> str:
    """Encode or decode Base64."""
    if len(values) < 2:
        raise ParseFault(f"base64(): Wrong number of arguments ({len(values)}; must be >= 2)")
    action, text, method = (*values[:3], "default")[:3]
    if action not in ("encode", "decode"):
        raise ParseFault("base64(): the first argument must be one of 'encode' or 'decode'")
    if not isinstance(text, str):
        raise ParseFault("base64(): the second argument must be a string to base64")
    if method not in ("default", "strict", "urlsafe"):
        raise ParseFault(
            "base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'"
        )
    if action == "encode":
        return encoded(text.encode("utf-8", "surrogateescape"), method)
    return decoded(text, method).decode("utf-8", "surrogateescape")


def encoded(data: bytes, method: str) -> str:
    """Return Base64: lines of 60 characters, or one line."""
    if method == "urlsafe":
        return codec.urlsafe_b64encode(data).decode()
    if method == "strict":
        return codec.b64encode(data).decode()
    lines = (data[at : at + LINE] for at in range(0, len(data), LINE))
    return "".join(codec.b64encode(line).decode() + "\n" for line in lines)


def decoded(text: str, method: str) -> bytes:
    """Return the bytes; without a method, characters that are not Base64 are skipped."""
    if method == "default":
        plain = NOT_BASE64.sub("", text.partition("=")[0])
        plain = plain[: len(plain) - (len(plain) % 4 == 1)]
        return binascii.a2b_base64(plain + "=" * (-len(plain) % 4))
    if method == "urlsafe":
        if not text.endswith("="):
            text += "=" * (-len(text) % 4)
        text = text.translate(str.maketrans("-_", "+/"))
    if not STRICT_BASE64.match(text) or codec.b64encode(codec.b64decode(text)).decode() != text:
        raise Fault("invalid base64")
    return codec.b64decode(text)
