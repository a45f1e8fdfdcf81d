"""The tables of resource types are what the types of Puppet and of the packaged modules say.

`puppet_types.txt` is recorded: `ruby tests/graph/puppet_types.rb MODULEPATH > puppet_types.txt`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.model import types

RECORDED = Path(__file__).with_name("puppet_types.txt").read_text()
LINE = re.compile(r"(\w+) \[(.*)\] ?(.*)")
FOUND = [found for line in RECORDED.splitlines() if (found := LINE.fullmatch(line))]
KEYS = {found[1].capitalize(): found[2].split() for found in FOUND}
WORDS = {found[1].capitalize(): set(found[3].split()) for found in FOUND}
AUTOMATIC = {
    f"{type.lower()} {kind}s {target}"
    for type, words in WORDS.items()
    for kind, _, target in (word.partition(":") for word in words)
    if target
}

# Puppet's own containers, which are no resources.
INNER = {"Component", "Whit"}


def test_enough_is_recorded() -> None:
    assert len(KEYS) == len(RECORDED.splitlines()) >= 250


def test_namevars() -> None:
    named = {name: keys[0] for name, keys in KEYS.items() if len(keys) == 1 and keys != ["name"]}
    unique = {name: key for name, key in named.items() if name not in types.NOT_ISOMORPHIC}
    assert unique == types.NAMEVARS


@pytest.mark.parametrize(
    ("table", "recorded"),
    [
        (types.COMPOSITE, {name for name, keys in KEYS.items() if len(keys) > 1}),
        (types.NOT_ISOMORPHIC, {n for n, words in WORDS.items() if "isomorphic" not in words}),
        (types.REFRESHABLE, {n for n, words in WORDS.items() if "refresh" in words} - INNER),
        (types.SELF_REFRESHING, {n for n, words in WORDS.items() if "self_refresh" in words}),
    ],
    ids=["composite", "not isomorphic", "refreshable", "self refreshing"],
)
def test_kinds_of_types(table: frozenset[str], recorded: set[str]) -> None:
    assert table == recorded
