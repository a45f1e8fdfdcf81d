"""The classes and defined types of the checked code itself, and which of them were compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from analyzer.frontends.puppet.node.modules import is_in_no_catalog
from analyzer.linter.checked import CheckedCatalog, definitions_of
from analyzer.linter.puppet.subjects import Compiled
from analyzer.source import Span

DEFINITION = re.compile(
    r"^[^\S\n]*(class|define)\s+(?:::)?([a-z]\w*(?:::\w+)*)(?=[\s({#/]|\Z)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A class or a defined type (`kind` is `class` or `define`) with its place."""

    kind: str
    name: str
    span: Span


def definitions_in(
    files: Iterable[str], text_of: Callable[[str], str | None], inputs: Collection[str]
) -> list[Definition]:
    """Return the classes and defined types of manifests, as far as a glance shows.

    Examples and tests of a module are no part of a catalog.
    """
    found: dict[tuple[str, str], Definition] = {}
    for file in files:
        if is_in_no_catalog(file, inputs):
            continue
        text = text_of(file) or ""
        for match in DEFINITION.finditer(text):
            span = Span(file, text.count("\n", 0, match.start(1)) + 1)
            found.setdefault((match[1], match[2]), Definition(match[1], match[2], span))
    return list(found.values())


def not_in(own: Iterable[Definition], catalogs: Iterable[Compiled | CheckedCatalog]) -> list[str]:
    """Return the names of the definitions that no catalog has, in order."""
    compiled = frozenset().union(*map(definitions_of, catalogs))
    return sorted(one.name for one in own if one.name not in compiled)
