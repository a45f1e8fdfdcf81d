"""The text of Puppet's PN notation: plain values and brackets (Puppet::Pops::PN).

`sep` stands before the elements inside the brackets: a space, or a line end and the indentation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

STEP = "  "
SPECIAL = re.compile(r'["\\\x00-\x1f]')
ESCAPES = {code: f"\\o{code:03o}" for code in range(0x20)} | {
    ord(character): "\\" + escape
    for character, escape in {"\t": "t", "\n": "n", "\r": "r", '"': '"', "\\": "\\"}.items()
}
FIRST_WITH_EXPONENT = 1e15

# In a regular expression: what makes Ruby fix its encoding to UTF-8, after escapes that do not.
FIXED_TO_UTF8 = re.compile(
    r"""(?:[^\\\x80-\U0010ffff]|\\(?!u|[pP]|x[89a-fA-F]|[23][0-7]{2}).|\\u00[0-7]|\\u\{0*[0-7]?.\})*
    (?:[\x80-\U0010ffff]
      |\\(?!u00[0-7]|u\{0*[0-7]?.\})(?:u|[pP]|x[89a-fA-F]|[23][0-7]{2}))""",
    re.VERBOSE | re.DOTALL,
)


def deeper(sep: str) -> str:
    """Return the separator one level further in."""
    return sep if sep == " " else sep + STEP


def call(name: str, elements: Sequence[str], sep: str) -> str:
    """Return `(name element ...)`."""
    return f"({name}{sep}{sep.join(elements)})" if elements else f"({name})"


def bracketed(elements: Sequence[str], sep: str) -> str:
    """Return `[element ...]`."""
    return f"[{first(elements, sep)}{sep.join(elements)}]"


def braced(entries: Sequence[str], sep: str) -> str:
    """Return `{:key value ...}`."""
    return f"{{{first(entries, sep)}{sep.join(entries)}}}"


def first(elements: Sequence[str], sep: str) -> str:
    """Return the text before the first element."""
    return sep if sep != " " and elements else ""


def quoted(text: str) -> str:
    """Return a string in quotes."""
    return f'"{text.translate(ESCAPES)}"' if SPECIAL.search(text) else f'"{text}"'


def regexp_source(pattern: str) -> str:
    """Return a pattern as PRegexpType.regexp_to_s does: with its options when there are any."""
    return f"(?-imx:{pattern})" if FIXED_TO_UTF8.match(pattern) else pattern


def plain(value: object) -> str:
    """Return the notation of a plain value."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return floating(value)
    return "nil" if value is None else str(value)


def floating(value: float) -> str:
    """Return a number as Ruby's Float#to_s does, which turns to exponents at 1e15."""
    text = repr(value)
    if "inf" in text:
        return text.replace("inf", "Infinity")
    mantissa, _, exponent = text.partition("e")
    if exponent:
        return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}"
    if abs(value) < FIRST_WITH_EXPONENT:
        return text
    whole, _, rest = text.partition(".")
    digits = (whole + rest).rstrip("0")
    point = 2 if value < 0 else 1
    return f"{digits[:point]}.{digits[point:] or '0'}e+{len(whole) - point}"
