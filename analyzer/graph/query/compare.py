"""Compares the texts of a resource or an edge with the values of a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from json import dumps

from analyzer.graph.query.ast import Compare, Value
from analyzer.graph.query.refusal import refuse
from analyzer.model.names import canonical_ref, split_ref
from analyzer.model.resource import REDACTED, is_sensitive
from analyzer.model.values import Unknown

# A test of the texts of a field.
Test = Callable[[list[str]], bool]

# Values of rich data that only the agent knows.
DEFERRED = "the agent computes it (Deferred)"


def same_text(have: str, want: str) -> bool:
    """Return whether two texts are equal."""
    return have == want


def same_word(have: str, want: str) -> bool:
    """Return whether two texts are equal except for capitals."""
    return have.casefold() == want.casefold()


def same_path(have: str, want: str) -> bool:
    """Return whether a path ends with the given parts: `/a/manifests/x.pp` with `x.pp`."""
    return have == want or have.endswith(f"/{want.lstrip('/')}")


# Compares two texts of a field, and gives the flags of a pattern's regular expression.
STYLES: dict[str, tuple[Callable[[str, str], bool], str]] = {
    "exact": (same_text, r"\A(?s:{})\Z"),
    "word": (same_word, r"\A(?si:{})\Z"),
    "path": (same_path, r"(?:\A|/)(?s:{})\Z"),
}


def test_of(text: str, asked: Compare, style: str) -> Test:
    """Return the test of a comparison; `text` is the whole query.

    Raises:
        InputError: the operator does not accept the value.
    """
    same, glob = STYLES[style]
    if asked.operator == "=":
        return equal(asked.values, same)
    value = asked.values[0]
    if asked.operator == "~":
        found = pattern(text, value, glob).search
        return lambda have: any(map(found, have))
    limit = number(value.text)
    if limit is None:
        refuse(text, value.column, f"'{asked.operator}' needs a number")
    compare = ORDERS[asked.operator]
    return lambda have: any(n is not None and compare(n, limit) for n in map(number, have))


ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": float.__lt__,
    "<=": float.__le__,
    ">": float.__gt__,
    ">=": float.__ge__,
}


def equal(values: Iterable[Value], same: Callable[[str, str], bool]) -> Test:
    """Return the test that a text is one of the values."""
    wanted = [plain_ref(v.text) if v.kind == "ref" else v.text for v in values if v.kind != "undef"]
    unset = any(v.kind == "undef" for v in values)
    return lambda have: (
        any(same(one, want) for one in have for want in wanted) or (unset and not have)
    )


def plain_ref(text: str) -> str:
    """Return a reference in Puppet's capitals."""
    parts = split_ref(text)
    return canonical_ref(*parts) if parts else text


def pattern(text: str, value: Value, glob: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern; a glob must match the whole text.

    Raises:
        InputError: it is not a regular expression, or a glob in the place of one.
    """
    if value.kind == "glob":
        if value.text[:1] == "^" or value.text[-1:] == "$":
            meant = value.text.replace("/", "\\/")
            said = (
                "the text after ~ is a pattern with * and ?; write a regular expression "
                f"as /{meant}/"
            )
            refuse(text, value.column, said)
        return re.compile(glob.format(expression(value.text)))
    try:
        return re.compile(value.text)
    except re.error as error:
        refuse(text, value.column, f"invalid regular expression: {error}")


def expression(glob: str) -> str:
    """Return the regular expression of a glob.

    The text between two stars is searched for once, so that the time is linear in the text.
    """
    first, *rest = (re.escape(part).replace(r"\?", ".") for part in glob.split("*"))
    if not rest:
        return first
    *middle, last = rest
    return f"{first}{''.join(f'(?>.*?{part})' for part in middle if part)}.*{last}"


def number(text: str) -> float | None:
    """Return a text as a number."""
    try:
        return float(text)
    except ValueError:
        return None


def texts_of(value: object) -> tuple[list[str], str]:
    """Return the texts of a parameter's entries, and the reason if some of them are unknown.

    An undef has no text. A Sensitive value has the text that Puppet shows instead of it.
    """
    if isinstance(value, list):
        parts = [texts_of(entry) for entry in value]
        reason = next((why for _, why in parts if why), "")
        return [text for texts, _ in parts for text in texts], reason
    if value is None:
        return [], ""
    if isinstance(value, bool):
        return [str(value).lower()], ""
    if isinstance(value, Unknown):
        return [], value.reason
    if isinstance(value, dict):
        return texts_of_hash(value)
    return [str(value)], ""


def texts_of_hash(value: dict[str, object]) -> tuple[list[str], str]:
    """Return a hash as JSON, or the value of rich data."""
    if is_sensitive(value):
        return [REDACTED], ""
    if value.get("__ptype", value.get("__pcore_type__")) == "Deferred":
        return [], DEFERRED
    if "__unknown" in value:
        return [], str(value["__unknown"])
    return [dumps(value, ensure_ascii=False, sort_keys=True, default=str)], ""


def dig(value: object, keys: Iterable[str]) -> object:
    """Return the value at a path in hashes and lists; None if there is none."""
    for key in keys:
        if isinstance(value, Unknown):
            return value
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
