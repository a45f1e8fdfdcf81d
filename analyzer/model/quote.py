"""Values as Puppet writes them: quoted strings, numbers of Ruby."""

from __future__ import annotations

from math import isfinite, isnan

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
    """Return a float as Ruby writes it (flo_to_s): whole numbers from 1e15 up with an exponent."""
    if not isfinite(value):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    mantissa, mark, exponent = repr(value).partition("e")
    if not mark and abs(value) >= 1e15 and mantissa.endswith(".0"):
        # Python begins at 1e16; both write all digits of a number with a fraction.
        mark, exponent = "e", "+15"
        minus, digits = mantissa[: value < 0], mantissa[value < 0 : -2]
        mantissa = f"{minus}{digits[0]}.{digits[1:].rstrip('0')}".rstrip(".")
    whole = "" if not mark or "." in mantissa else ".0"
    return f"{mantissa}{whole}{mark}{exponent}"


def value_text(value: object) -> str:
    """Return a value as Puppet's language writes it: `{'m' => true}`."""
    if value is None or isinstance(value, bool):
        return {None: "undef", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, dict):
        rows = (f"{value_text(key)} => {value_text(one)}" for key, one in value.items())
        return f"{{{', '.join(rows)}}}"
    return str(value)


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
