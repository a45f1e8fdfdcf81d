"""The tags of a resource, and the syntax of tags (Puppet::Util::Tagging)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analyzer.model.resource import Resource

_TAG = re.compile(r"\w[\w:.-]*\n?\Z")


def is_tag(text: str) -> bool:
    """Return whether a text is a tag."""
    return _TAG.match(text) is not None


def split_tags(words: str | Iterable[str]) -> tuple[str, ...]:
    """Return the tags of a setting such as `web,db`, in lower case and each once."""
    parts = words.split(",") if isinstance(words, str) else words
    return tuple(dict.fromkeys(part.strip().lower() for part in parts if part.strip()))


def tags_of(resource: Resource) -> frozenset[str]:
    """Return a resource's tags, including those of its parameter `tag`.

    If the catalog has no tags, they are those that Puppet gives every resource: its type, and its
    title if that is a tag.
    """
    found: set[str] = set()
    given = resource.tags
    for word in [resource.type, resource.title] if given is None else given:
        add(found, word)
    for word in texts_of(resource.parameters.get("tag")):
        add(found, word)
    return frozenset(found)


def add(tags: set[str], word: str) -> None:
    """Add a tag and, of a qualified one, its segments."""
    word = word.lower()
    if is_tag(word):
        tags.add(word)
        if "::" in word:
            tags.update(word.split("::"))


def texts_of(value: object) -> list[str]:
    """Return the texts in a parameter's value, alone or in arrays."""
    if isinstance(value, list):
        return [text for part in value for text in texts_of(part)]
    return [value] if isinstance(value, str) else []
