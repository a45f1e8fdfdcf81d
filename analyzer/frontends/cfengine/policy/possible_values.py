"""Computes all texts that the variables of a policy may have on any machine.

Guards are not looked at. What only a machine can tell is WILD, a character that stands for any
text; a text with very many values is WILD as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.patterns import gapped
from analyzer.frontends.cfengine.policy.variables import CONSTANTS, Key, closing, elements
from analyzer.frontends.cfengine.syntax.ast import (
    Bundle,
    Call,
    Data,
    ListValue,
    Promise,
    Scalar,
    Value,
)

WILD = "\0"
MOST, DEEPEST = 100, 8
VALUES = ("string", "int", "real", "slist", "ilist", "rlist", "data")
SETTING = ("vars", "meta", "defaults")


class Values:
    """All possible values of a policy's variables; `known` has the values of some by whole name."""

    def __init__(self, policy: Policy, known: Mapping[str, str] | None = None) -> None:
        self.policy = policy
        self.known = dict(known or {})
        self.given: dict[Key, list[Value]] = {}
        # Names with variables in them, by namespace and bundle.
        self.patterns: dict[tuple[str, str], list[re.Pattern[str]]] = {}
        self.counted = 0

    def update(self) -> Values:
        """Add the files of the policy that were not yet read."""
        for tree in self.policy.files[self.counted :]:
            for bundle in tree.bundles:
                for section in bundle.sections:
                    if section.type in SETTING:
                        for promise in section.promises:
                            self.add(bundle, section.type, promise)
        self.counted = len(self.policy.files)
        return self

    def add(self, bundle: Bundle, kind: str, promise: Promise) -> None:
        """Add a promise that sets a variable."""
        place = bundle.name + ("_meta" if kind == "meta" else "")
        name = promise.promiser
        head, dot, rest = name.partition(".")
        if dot and "[" not in head and "$" not in head:
            place, name = head, rest
        key = (bundle.namespace, place, name)
        found = [a.value for a in promise.attributes if a.name in VALUES]
        if "$" in name:
            pattern = gapped(pieces(name))
            self.patterns.setdefault(key[:2], []).append(pattern)
        self.given.setdefault(key, []).extend(found)

    def texts(self, text: str, bundle: Bundle, depth: int = 0) -> list[str]:
        """Return the possible values of a text, without repetitions, in order."""
        start = text.find("$")
        while start >= 0 and closing(text, start + 1) < 0:
            start = text.find("$", start + 1)
        if start < 0:
            return [text]
        if depth > DEEPEST:
            return [WILD]
        end = closing(text, start + 1)
        found: dict[str, None] = {}
        for name in self.texts(text[start + 2 : end], bundle, depth + 1):
            found.update(dict.fromkeys(self.variable(name, bundle, depth + 1)))
        rest = self.texts(text[end + 1 :], bundle, depth + 1)
        if len(found) * len(rest) > MOST:
            return [text[:start] + WILD]
        return [text[:start] + one + other for one, other in product(found, rest)]

    def variable(self, name: str, bundle: Bundle, depth: int = 0) -> list[str]:
        """Return the possible values of a variable; those of a list one by one."""
        if name in self.known:
            return [self.known[name]]
        head, dot, rest = name.partition(".")
        if dot and head == "const":
            return [CONSTANTS.get(rest, WILD)]
        if name == "this.bundle":
            return [bundle.name]
        owner, space, place, plain = self.place(name, bundle)
        values = self.given.get((space, place, plain), [])
        others = self.given if space != "default" and ":" not in name else ()
        if (
            WILD in name
            or not values
            # In attributes a bundle of the default namespace is found first.
            or (place != bundle.name and ("default", place, plain) in others)
            or (owner is not None and plain in owner.parameters)
            or any(p.fullmatch(plain) for p in self.patterns.get((space, place), ()))
        ):
            return [WILD]
        found = [text for value in values for text in self.items(value, owner or bundle, depth)]
        return list(dict.fromkeys(found)) if len(found) <= MOST else [WILD]

    def place(self, name: str, bundle: Bundle) -> tuple[Bundle | None, str, str, str]:
        """Return the bundle of a variable, if it is known, and the variable's key."""
        head, bracket, index = name.partition("[")
        space, colon, rest = head.rpartition(":")
        other, dot, plain = rest.rpartition(".")
        namespace = space if colon else bundle.namespace
        plain += bracket + index
        if not dot:
            return bundle, namespace, bundle.name, plain
        kinds = ("agent", "common", "edit_line", "edit_xml", "server", "monitor")
        return self.policy.bundle(other, namespace, *kinds), namespace, other, plain

    def items(self, value: Value, bundle: Bundle, depth: int = 0) -> Iterator[str]:
        """Yield the texts in a value, or that it gives when it is evaluated."""
        if depth > DEEPEST:
            yield WILD
            return
        match value:
            case Scalar(text):
                if text[:2] in ("@(", "@{"):
                    yield from self.variable(text[2:-1], bundle, depth + 1)
                else:
                    yield from self.texts(text, bundle, depth + 1)
            case ListValue(items):
                for item in items:
                    yield from self.items(item, bundle, depth + 1)
            case Call(name, arguments):
                yield from self.call(name, arguments, bundle, depth + 1)
            case Data(data):
                yield from elements(data) if isinstance(data, list | dict) else [WILD]

    def call(
        self, name: str, arguments: tuple[Value, ...], bundle: Bundle, depth: int
    ) -> Iterator[str]:
        """Yield the possible results of a function."""
        first = arguments[0] if arguments else None
        if name in ("getvalues", "getindices") and isinstance(first, Scalar) and first.text:
            _, space, place, plain = self.place(first.text, bundle)
            rows = [
                (key[2][len(plain) + 1 : -1], values)
                for key, values in self.given.items()
                if key[:2] == (space, place) and key[2].startswith(f"{plain}[")
            ]
            for index, values in rows:
                if name == "getindices":
                    yield index
                else:
                    for value in values:
                        yield from self.items(value, bundle, depth)
            if not rows:
                yield WILD
        elif name == "ifelse":
            for argument in (*arguments[1::2], arguments[-1]):
                yield from self.items(argument, bundle, depth)
        else:
            yield WILD


def pieces(text: str) -> list[str]:
    """Return the parts of a text between its variables."""
    found: list[str] = []
    position = 0
    while True:
        start = text.find("$", position)
        end = closing(text, start + 1) if start >= 0 else -1
        if end < 0:
            return [*found, text[position:]]
        found.append(text[position:start])
        position = end + 1


@lru_cache(maxsize=4096)
def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern that matches all texts for which a text with WILD stands."""
    return gapped(text.split(WILD))


def may_equal(first: str, second: str) -> bool:
    """Return whether two texts, which may contain WILD, may be equal."""
    if WILD not in first and WILD not in second:
        return first == second
    if WILD in first and WILD in second:
        return True
    wild, plain = (first, second) if WILD in first else (second, first)
    return pattern(wild).fullmatch(plain) is not None
