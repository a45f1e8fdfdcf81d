"""Secrets among contributors: their places are shown, but not their texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analyzer.frontends.puppet.origins.contributors import Contributor, reach
from analyzer.model.secrets import SECRET_WORDS, is_secret

# The kind of contributor that stands between a Sensitive value and what it is made of.
SECRET = "secret"
# Contributors with the name of what holds the value.
NAMED = frozenset(
    {"attribute", "data", "element", "lookup", "node parameter", "parameter", "variable"}
)
# The beginning of a line on which the value of a name that sounds like a secret follows.
NAME = re.compile(rf"(?:{'|'.join(SECRET_WORDS)})\w*['\"]?\s*(?:=>?|:)[^,;}}]*\Z", re.IGNORECASE)
# Such a name with its value inside of a text.
WITHIN = re.compile(rf"(?:{'|'.join(SECRET_WORDS)})\w*['\"]?\s*[=:]", re.IGNORECASE)
SENSITIVE = re.compile(r"\bSensitive(?:\.new)?\s*\(\s*\Z")
QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'?|\"(?:[^\"\\]|\\.)*\"?")
HIDDEN = "[redacted]"
# The most blanks that are looked at between a key and its arrow.
LONGEST_GAP = 200

# The literals whose texts are not shown; ALL: those of a value that is a secret.
Secrets = frozenset[Contributor] | None
ALL: Secrets = None


def is_named_secret(one: Contributor) -> bool:
    """Return whether the name of what holds a value sounds like a secret, or it is Sensitive."""
    return one.kind == SECRET or (one.kind in NAMED and is_secret(one.name))


def secrets_among(several: Iterable[Contributor]) -> frozenset[Contributor]:
    """Return the literals that secrets are made of, among contributors and all of theirs."""
    every = list(reach(several))
    found = {one for one in every if is_secret_literal(one)}
    # So are those that a test compares with a secret.
    found.update(
        other
        for one in every
        if one.kind == "condition" and touches_secret(one)
        for other in one.inner
        if other.kind == "literal"
    )
    pending = [one for one in every if is_named_secret(one)]
    seen = set(pending)
    for one in pending:
        if one.kind == "literal" and not is_key(one):
            found.add(one)
        for other in one.inner:
            if other not in seen:
                seen.add(other)
                pending.append(other)
    return frozenset(found)


def is_secret_literal(one: Contributor) -> bool:
    """Return whether a literal is written as the value of a name that sounds like a secret."""
    if one.kind != "literal" or one.unit is None:
        return False
    start = one.unit.text.rfind("\n", 0, one.offset) + 1
    before = one.unit.text[start : one.offset]
    return bool(NAME.search(before) or SENSITIVE.search(before) or WITHIN.search(one.name))


def is_key(one: Contributor) -> bool:
    """Return whether a literal is the key of an entry of a hash."""
    if one.unit is None or one.kind != "literal":
        return False
    end = one.offset + getattr(one.value, "length", 0)
    return one.unit.text[end : end + LONGEST_GAP].lstrip().startswith("=>")


def touches_secret(one: Contributor) -> bool:
    """Return whether a contributor is a secret, or is made of one in a step or two."""
    inner = (one, *one.inner, *(deeper for other in one.inner for deeper in other.inner))
    return any(map(is_named_secret, inner))


def without_texts(words: str, one: Contributor) -> str:
    """Return the words about a contributor without the texts that it compares a secret with."""
    return QUOTED.sub(HIDDEN, words) if is_secret(words) or touches_secret(one) else words
