"""Messages about resources with Sensitive parameters: none shows a value, or a part of one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.model.resource import Resource, is_sensitive

# Of texts with more words, only the long words and whole lines are looked for: the content of a
# file has most words of any message.
_FEW = 16
_LONG = 8
_LEAST_LINE = 4
_WORD = re.compile(r"[^\W_]+")


class ResourceSecrets:
    """The Sensitive parameters of a resource: `names`, and the words and lines of their values."""

    __slots__ = ("_lines", "_words", "names")

    def __init__(self, resource: Resource, names: frozenset[str]) -> None:
        self.names = names
        self._words: dict[str, str] = {}
        self._lines: dict[str, str] = {}
        for name in sorted(names):
            for text in texts_of(resource.parameters[name]):
                self._learn(name, text.lower())

    def message(self, text: str) -> str:
        """Return a message, or words in its place if it shows part of a value."""
        lowered = text.lower()
        words = _WORD.findall(lowered)
        name = next((self._words[word] for word in words if word in self._words), None)
        if name is None:
            name = next((self._lines[line] for line in self._lines if line in lowered), None)
        return text if name is None else withheld_message(name)

    def shows(self, text: str) -> bool:
        """Return whether a text shows part of a value."""
        return self.message(text) is not text

    def _learn(self, name: str, text: str) -> None:
        words = _WORD.findall(text)
        least = 1 if len(words) <= _FEW else _LONG
        self._words.update((word, name) for word in words if len(word) >= least)
        for line in (one.strip() for one in text.splitlines()):
            if line and (len(line) >= _LEAST_LINE or not words):
                self._lines[line] = name


def withheld_message(name: str) -> str:
    """Return the words in place of a message that shows a value of a parameter."""
    return f"[redacted: the message shows a value of '{name}', which is Sensitive]"


def sensitive_names(resource: Resource) -> frozenset[str]:
    """Return the names of the parameters whose values must not be shown."""
    given = resource.parameters
    found = {name for name in resource.sensitive or () if name in given}
    found.update(name for name, value in given.items() if is_sensitive(value))
    return frozenset(found)


def secrets_of(resource: Resource | None) -> ResourceSecrets | None:
    """Return the secrets of a resource, None if it has none."""
    names = sensitive_names(resource) if resource is not None else None
    return ResourceSecrets(resource, names) if resource is not None and names else None


def texts_of(value: object) -> Iterator[str]:
    """Yield the texts of a value and of what it holds."""
    if isinstance(value, dict):
        for key, one in value.items():
            if not str(key).startswith("__p"):
                yield str(key)
            if key != "__ptype":
                yield from texts_of(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts_of(one)
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif value is not None:
        yield str(value)


def redact(resource: Resource | None, text: str) -> str:
    """Return a message about a resource as it may be shown."""
    secrets = secrets_of(resource)
    return secrets.message(text) if secrets else text
