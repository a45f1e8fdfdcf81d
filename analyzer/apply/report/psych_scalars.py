"""Values in the layout that Psych writes: what follows a key, without a YAML parser."""

from __future__ import annotations

from analyzer.apply.report.yaml_values import YamlFault, load, scalar

DIGITS = frozenset("0123456789")
PLAIN_START = DIGITS | set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/_(")
# What makes a hash or a comment of a scalar without quotes.
NOT_PLAIN = (": ", ":\n", " #", "\n#")
QUOTES = ("'", '"')


class IrregularError(Exception):
    """A text that is left to the YAML parser."""


def data_of(raw: str, depth: int) -> object:
    """Return the data of what follows a key: a blank and a scalar, a list, or other YAML.

    `depth` is how far the key is indented.

    Raises:
        IrregularError: it does not stand alone.
    """
    item = "\n" + " " * depth + "- "
    try:
        if raw.startswith(item):
            return [of_text(" " + one) for one in raw[len(item) :].split(item)]
        return of_text(raw)
    except IrregularError:
        return by_itself(raw, depth)


def by_itself(raw: str, depth: int) -> object:
    """Return the value of what follows a key, as the YAML parser reads it.

    The contents of a block of lines depend on the indent of its key.

    Raises:
        IrregularError: it does not stand alone.
    """
    try:
        return load(f"{' ' * depth}v:{raw}\n")[0]["v"]
    except (YamlFault, TypeError, KeyError) as fault:
        raise IrregularError from fault


def of_text(raw: str) -> object:
    """Return the value of a scalar that is written plainly or in quotes without escapes.

    Raises:
        IrregularError: it is something else.
    """
    if not raw:
        return None
    body = raw[1:]
    if "\n" in body:
        body = folded(body)
    if raw[0] != " " or "\t" in body:
        raise IrregularError
    if body[:1] in QUOTES:
        return unquoted(body)
    return [] if body == "[]" else plain(body)


def unquoted(body: str) -> str:
    """Return the text between quotes."""
    quote, inner = body[0], body[1:-1]
    if body[-1] != quote or len(body) == 1 or (quote == '"' and "\\" in body):
        raise IrregularError
    if quote not in inner:
        return inner
    if quote == '"' or "'" in inner.replace("''", ""):
        raise IrregularError
    return inner.replace("''", "'")


def plain(body: str) -> object:
    """Return the value of a scalar without quotes."""
    first = body[:1]
    if first not in PLAIN_START or body[-1] in ": " or any(mark in body for mark in NOT_PLAIN):
        raise IrregularError
    if first not in DIGITS:
        # Whatever begins like this and is longer than `false` is a text to Psych.
        return body if len(body) > 5 else scalar(body)
    whole, _, part = body.partition(".")
    return float(body) if whole.isdecimal() and part.isdecimal() else scalar(body)


def folded(body: str) -> str:
    """Return a scalar over several lines as one: a break is a blank, blank lines are breaks."""
    first, *rest = body.split("\n")
    text, breaks = first.rstrip(" "), 0
    for line in rest:
        if piece := line.strip(" "):
            text += "\n" * breaks + piece if breaks else " " + piece
            breaks = 0
        else:
            breaks += 1
    return text
