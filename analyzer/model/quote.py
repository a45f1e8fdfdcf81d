"""Values as Puppet writes them: quoted strings, numbers of Ruby."""

from __future__ import annotations

from math import inf, isnan

_DOUBLE = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "$": "\\$", "\\": "\\\\"}


def quoted(text: str) -> str:
    """Return a string in single quotes; in double quotes if it has control characters."""
    if any(char < " " for char in text):
        return double_quoted(text)
    pieces = ["'"]
    escaped = False
    for char in text:
        if escaped:
            pieces.append("\\" + char)
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            pieces.append("\\'" if char == "'" else char)
    return "".join(pieces) + ("\\'" if escaped else "'")


def double_quoted(text: str) -> str:
    """Return a string in double quotes."""
    shown = (
        _DOUBLE.get(char) or (f"\\u{{{ord(char):X}}}" if char < " " else char) for char in text
    )
    return '"' + "".join(shown) + '"'


def float_text(value: float) -> str:
    """Return a float as Ruby writes it."""
    if value in (inf, -inf):
        return "Infinity" if value > 0 else "-Infinity"
    if isnan(value):
        return "NaN"
    shown = repr(value)
    mantissa, mark, exponent = shown.partition("e")
    if mark and "." not in mantissa:
        mantissa += ".0"
    return mantissa + mark + exponent


def regexp_text(source: str) -> str:
    """Return a regular expression between slashes, as Ruby shows it."""
    pieces = []
    position = 0
    while position < len(source):
        char = source[position]
        if char == "\\":
            pieces.append(source[position : position + 2])
            position += 1
        else:
            pieces.append({"/": "\\/", "\n": "\n"}.get(char, char))
        position += 1
    return f"/{''.join(pieces)}/"
