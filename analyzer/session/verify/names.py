"""Replaces private names in a case: each is tried, so that the difference stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count, product
from string import ascii_lowercase
from typing import Any

from analyzer.frontends.puppet.compiler.definitions.native import ATTRIBUTES
from analyzer.frontends.puppet.functions.families import MODULES
from analyzer.frontends.puppet.syntax.lexing.tokens import KEYWORDS
from analyzer.graph.automatic.tables import tabled_types
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.session.verify.cases import Case

WORD = re.compile(r"(?<![A-Za-z0-9_])_?[A-Za-z]\w+", re.ASCII)
LITERAL = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n$]|\\.)*\"")
# The parts of an example's name, which are nobody's.
OF_EXAMPLES = frozenset(EXAMPLE_NODE.split("."))
# Words with a meaning that a case may need, and that tell nothing of the site.
OF_THE_LANGUAGE = """
    name title tag alias noop loglevel audit schedule stage before require notify subscribe
    include contain create_resources lookup hiera ensure present absent facts trusted main
    settings lookup_options merge strategy version hierarchy path paths data datadir any
    integer string boolean float array hash optional variant enum pattern sensitive true false
    undef default type
"""

Holds = Callable[[Case, str], bool]


def without_names(case: Case, kind: str, holds: Holds) -> tuple[Case, str, tuple[str, ...]]:
    """Return a case without private names, its kind of difference, and the names that it needs.

    `holds` returns whether a case shows a kind of difference.
    """
    needed: list[str] = []
    for old, new in replacements(case):
        changed = substituted(case, old, new), substitute(kind, old, new)
        if changed[0] == case:
            continue
        if holds(*changed):
            case, kind = changed
        elif WORD.fullmatch(old):
            needed.append(old)
    return case, kind, tuple(dict.fromkeys(needed))


def replacements(case: Case) -> Iterator[tuple[str, str]]:
    """Yield the texts and words of a case with what could stand for them, in their order."""
    text = "\n".join(case.files().values())
    free = fresh_names(text)
    for literal in dict.fromkeys(LITERAL.findall(case.code)):
        quote, content = literal[0], literal[1:-1]
        if len(content) > 1 and not is_public(content):
            slash = "/" if content.startswith("/") else ""
            yield literal, f"{quote}{slash}{next(free)}{quote}"
    for word in dict.fromkeys(match.lower() for match in WORD.findall(f"{text}\n{case.node}")):
        if not is_public(word):
            yield word, next(free)


@cache
def public_words() -> frozenset[str]:
    """Return the words of the language, its functions and its types."""
    functions = (name for names in MODULES.values() for name in names.split())
    types = map(str.lower, tabled_types())
    attributes = (name for names in ATTRIBUTES.values() for name in names.split())
    return (
        frozenset({*KEYWORDS, *functions, *types, *attributes})
        | {*OF_THE_LANGUAGE.split()}
        | OF_EXAMPLES
    )


def is_public(word: str) -> bool:
    """Return whether a word tells nothing of a site."""
    return word.lower() in public_words()


def fresh_names(text: str) -> Iterator[str]:
    """Yield short names that a text does not have."""
    words = set(re.findall(r"\w+", text.lower()))
    for size in count(1):
        for letters in product(ascii_lowercase, repeat=size):
            name = "".join(letters)
            if name not in words and not is_public(name):
                yield name


def substitute(text: str, old: str, new: str) -> str:
    """Return a text with another name for one: of a word also where it begins with a capital."""
    if not WORD.fullmatch(old):
        return text.replace(old, new)
    word = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(old)}(?!\w)", re.ASCII | re.IGNORECASE)
    return word.sub(lambda match: new.capitalize() if match[0][0].isupper() else new, text)


def substituted(case: Case, old: str, new: str) -> Case:
    """Return a case with another name for one, in all that it has."""

    def of(value: Any) -> Any:
        if isinstance(value, str):
            return substitute(value, old, new)
        if isinstance(value, list):
            return [of(one) for one in value]
        if isinstance(value, dict):
            return {of(key): of(one) for key, one in value.items()}
        return value

    levels = tuple(of(level) for level in case.levels)
    return replace(
        case, code=of(case.code), node=of(case.node), facts=of(case.facts), levels=levels
    )
