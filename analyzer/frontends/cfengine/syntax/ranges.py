"""Checks values against the types and ranges of attributes (syntax.c), in CFEngine's words."""

from __future__ import annotations

import re
from functools import cache

from analyzer.frontends.cfengine.syntax.ast import Call, Data, ListValue, Value
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

LISTS = frozenset(("slist", "ilist", "rlist", "clist", "olist"))
BUNDLE_CALLS = frozenset(
    ("bundlesequence", "edit_line", "edit_xml", "usebundle", "service_bundle", "home_bundle")
)
# What a function may return where something else is wanted.
RETURNS = {
    "string": ("int", "real", "option", "context"),
    "slist": ("string",),
    "context": ("string",),
    "ilist": ("int",),
    "rlist": ("real",),
    "olist": ("option",),
    "clist": ("context",),
}
ABSOLUTE = '"?(/.*)'
NO_INTEGER = -678
INFINITY = 999999999
INTEGER = re.compile(r"[ \t\n\r\v\f]*([-+]?[0-9]+)([\s\S])?[ \t\n\r\v\f]*([\s\S])?")
REAL = re.compile(
    r"[ \t\n\r\v\f]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"([\s\S])?[ \t\n\r\v\f]*([\s\S])?"
)
FACTORS = {"k": 1000, "K": 1024, "m": 10**6, "M": 2**20, "g": 10**9, "G": 2**30}

# Permissions of files (modes.c): `0644`, `a+rx`, `u=rw,go=r`.
WHO = {"a": 0o7777, "u": 0o4700, "g": 0o2070, "o": 0o0007}
WHICH = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000}
STICKY = 0o1000
NUMBER = re.compile("(?=[0-7])[0-9]+")
OCTAL = re.compile("[0-7]+")
FILE_TYPES = 0o170000
HIGHEST = 0o7777

BROKEN = "Broken variable syntax or bracket mismatch in string ({})"
GOT_SCALAR = "Attempted to give a scalar to a non-scalar type"
GOT_LIST = "Attempted to give a list to a non-list type"
WRONG_RETURN = "Function does not return the required type"
UNKNOWN_FUNCTION = "Unknown function"
BAD_MODE = "Error parsing Unix permission string"
OUT_OF_RANGE = "Scalar value is out of range"
EMPTY = "Empty scalar value is out of range"
RELATIVE = "Filename is not an absolute path"
NOT_INTEGER = "Cannot parse value as integer"
INTEGER_RANGE = "Integer is out of range"
REAL_INF = "Keyword 'inf' has an integer value, cannot be used as real"
REAL_RANGE = "Real value is out of range"
BRACKETED = "Real range specification should not be enclosed in brackets - just 'a,b'"
MULTIPLE = "Range format specifier should be of form 'a,b'' but got multiple items"
OPTION = "Selection is out of bounds"
CONTEXT = "Context string is invalid/out of range"


def is_naked(text: str, sign: str) -> bool:
    """Return whether a text consists of one reference, as `$(x)` or `@(x)`."""
    pairs = {"(": ")", "{": "}"}
    if len(text) < 3 or text[0] != sign or pairs.get(text[1]) != text[-1]:
        return False
    depth = 0
    for position, char in enumerate(text):
        depth += (char in "({") - (char in ")}")
        if depth == 0 and char in ")}" and position + 1 < len(text):
            return False
    return depth == 0


def has_variable(text: str) -> tuple[bool, bool]:
    """Return whether a text contains a variable, and whether its bracket is not closed."""
    if "$" not in text and "@" not in text:
        return False, False
    left = right = ""
    dollar, depth, found = False, 0, False
    for position, char in enumerate(text):
        if char in "$@":
            dollar = dollar or text[position + 1 : position + 2] in ("(", "{")
        elif char in "({" and dollar:
            left = char
            depth += 1
        elif char in ")}" and dollar:
            right = char
            depth -= 1
        if depth > 0 and char == "/":
            return False, False
        if dollar and depth == 0 and left + right in ("()", "{}"):
            found, dollar = True, False
    broken = dollar and depth != 0
    return found and not broken, broken


def problems_of(name: str, value: Value, kind: str, limits: str) -> list[str]:
    """Return the problem of an attribute's value."""
    return check(name, value, kind, limits, nested=False)


def check(name: str, value: Value, kind: str, limits: str, *, nested: bool) -> list[str]:
    """Check a value, or an item of a list."""
    if isinstance(value, ListValue):
        if kind not in LISTS:
            return [GOT_LIST]
        for item in value.items:
            wrong = check(name, item, kind, limits, nested=True)
            if wrong:
                return wrong
        return []
    if isinstance(value, Call):
        return [] if name in BUNDLE_CALLS else check_call(value.name, kind)
    if isinstance(value, Data) or kind in ("body", "bundle", "data"):
        return []
    if kind in LISTS and not nested:
        return [GOT_SCALAR]
    return SCALARS[kind](name, value.text, limits)


def check_call(name: str, wanted: str) -> list[str]:
    """Check the return type of a function."""
    returned = syntax().functions.get(name)
    if returned is None:
        return [UNKNOWN_FUNCTION]
    fits = returned == wanted or returned in RETURNS.get(wanted, ())
    return [] if fits else [WRONG_RETURN]


@cache
def pattern(limits: str) -> re.Pattern[str]:
    """Return a range that is a regular expression."""
    # PCRE has no set operations; Python warns about `||` in a set.
    return re.compile(limits.replace("||", "|"), re.DOTALL | re.MULTILINE)


def fits(limits: str, text: str) -> bool:
    """Return whether a text matches a range that is a regular expression."""
    return limits == text or pattern(limits).fullmatch(text) is not None


def check_string(name: str, text: str, limits: str) -> list[str]:
    """Check a string."""
    if not limits or is_naked(text, "@") or is_naked(text, "$"):
        return []
    if name in ("mode", "search_mode") and not is_mode(text):
        return [BAD_MODE]
    if fits(limits, text):
        return []
    variable, broken = has_variable(text)
    if variable:
        return []
    problem = EMPTY if not text else RELATIVE if limits == ABSOLUTE else OUT_OF_RANGE
    return [BROKEN.format(text), problem] if broken else [problem]


def check_context(name: str, text: str, limits: str) -> list[str]:
    """Check a class expression."""
    return [] if not limits or fits(limits, text) else [CONTEXT]


def check_option(name: str, text: str, limits: str) -> list[str]:
    """Check one of several words."""
    known = is_naked(text, "@") or is_naked(text, "$") or text in limits.split(",")
    return [] if known else [OPTION]


def integer(text: str) -> int:
    """Return an integer as CFEngine reads it, NO_INTEGER if it is none."""
    if text == "inf":
        return INFINITY
    if text == "now":
        return 1
    found = INTEGER.match(text)
    if not found or found[3]:
        return NO_INTEGER
    number, unit = int(found[1]), found[2]
    if unit == "%":
        return -number if 0 <= number <= 100 else NO_INTEGER
    return number * FACTORS.get(unit or "", 1)


def real(text: str) -> float | None:
    """Return a number as CFEngine reads it, None if it is none."""
    found = REAL.match(text)
    if not found or found[3]:
        return None
    number, unit = float(found[1]), found[2]
    if unit == "%":
        return -number if 0 <= number <= 100 else None
    return number * FACTORS.get(unit or "", 1)


def bounds(limits: str) -> tuple[float, float]:
    """Return the ends of a range `a,b`."""
    low, _, high = limits.partition(",")
    return float(low), float(INFINITY if high == "inf" else high)


def check_integer(name: str, text: str, limits: str) -> list[str]:
    """Check an integer."""
    variable, broken = has_variable(text)
    if variable:
        return []
    before = [BROKEN.format(text)] if broken else []
    number = integer(text)
    if number == NO_INTEGER:
        return [*before, NOT_INTEGER]
    low, high = bounds(limits)
    return before if low <= number <= high else [*before, INTEGER_RANGE]


def check_integer_range(name: str, text: str, limits: str) -> list[str]:
    """Check two integers with a comma."""
    if text[:1] in ("[", "("):
        return [BRACKETED]
    variable, broken = has_variable(text)
    if variable:
        return []
    before = [BROKEN.format(text)] if broken else []
    parts = [part for part in text.split(",") if part]
    if len(parts) != 2:
        return [*before, MULTIPLE]
    low, high = bounds(limits)
    inside = all(low <= integer(part) <= high for part in parts)
    return before if inside else [*before, INTEGER_RANGE]


def check_real(name: str, text: str, limits: str) -> list[str]:
    """Check a number."""
    if text == "inf":
        return [REAL_INF]
    variable, broken = has_variable(text)
    if variable:
        return []
    before = [BROKEN.format(text)] if broken else []
    number = real(text)
    low, high = bounds(limits)
    inside = number is not None and low <= number <= high
    return before if inside else [*before, REAL_RANGE]


SCALARS = {
    "string": check_string,
    "slist": check_string,
    "int": check_integer,
    "ilist": check_integer,
    "real": check_real,
    "rlist": check_real,
    "option": check_option,
    "olist": check_option,
    "context": check_context,
    "clist": check_context,
    "irange": check_integer_range,
}


def is_mode(text: str) -> bool:
    """Return whether CFEngine accepts a text as permissions; odd letters are only logged."""
    affected = value = 0
    acted = whom = False
    position = 0
    while position < len(text):
        char = text[position]
        number = NUMBER.match(text, position)
        if char in WHO:
            affected |= WHO[char]
        elif char in WHICH or char == "t":
            value |= WHICH[char] & affected if char in WHICH else STICKY
        elif number:
            octal = OCTAL.match(text, position)
            value = int(octal[0], 8) & ~FILE_TYPES if octal else 0
            acted, whom, affected = True, False, HIGHEST
            if value > HIGHEST:
                return False
            position = number.end() - 1
        elif char in "+-=" and not acted:
            acted, whom = True, False
        elif char == ",":
            affected = value = 0
            acted, whom = False, True
        else:
            return False
        position += 1
    return text in ("0000", "000") or not (whom or value == 0)
