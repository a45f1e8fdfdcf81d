"""The classes that are set: hard ones, those of a namespace, and those of one call of a bundle."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.syntax.class_expressions import (
    And,
    Expression,
    Name,
    Not,
    Or,
    parsed,
)

# What holds on every Linux machine where the agent of the version that we follow runs.
HARD = ("any", "linux", "cfengine", "cfengine_3", "cfengine_3_21", "cfengine_3_21_0")
BLANK_BETWEEN_NAMES = re.compile(r"[_A-Za-z0-9][ \t]+[_A-Za-z0-9]")
NOT_CANONICAL = re.compile(rb"[^A-Za-z0-9_]")


def canonified(name: str) -> str:
    """Return a class's name with only letters that classes have: each other byte is a `_`."""
    if name.isidentifier() and name.isascii():
        return name
    return NOT_CANONICAL.sub(b"_", name.encode("utf-8", "surrogateescape")).decode("ascii")


def is_expression(text: str) -> bool:
    """Return whether a text is an expression: no variables, and no blanks between names."""
    return "$(" not in text and "${" not in text and not BLANK_BETWEEN_NAMES.search(text)


@dataclass(slots=True)
class Classes:
    """The classes at one moment: `soft` are (namespace, name); the frames' are private ones.

    Among the hard ones is the name of the program: agent, server or monitor.
    """

    hard: set[str] = field(default_factory=lambda: set(HARD))
    soft: set[tuple[str, str]] = field(default_factory=set)

    def is_set(self, name: str, namespace: str, private: list[set[str]]) -> bool:
        """Return whether a class is set in a bundle, with or without a namespace in its name.

        Of `any` and of a bundle's own classes the agent does not look at the namespace.
        """
        if name in ("true", "false"):
            return name == "true"
        space, colon, plain = name.partition(":")
        if not colon:
            space, plain = namespace, name
        seen = plain == "any" or any(plain in classes for classes in private)
        hard = plain in self.hard and (not colon or space == "default")
        return seen or hard or (space, plain) in self.soft

    def holds(self, text: str, namespace: str, private: list[set[str]]) -> bool | None:
        """Evaluate a class expression; return None if the text is none, or contains variables."""
        expression = parsed(text) if is_expression(text) else None
        return None if expression is None else self.value(expression, namespace, private)

    def value(self, expression: Expression, namespace: str, private: list[set[str]]) -> bool:
        """Evaluate a parsed class expression."""
        # Chains lean to the right, and may be long.
        while True:
            match expression:
                case Name(text):
                    return self.is_set(text, namespace, private)
                case Not(operand):
                    return not self.value(operand, namespace, private)
                case And(left, right):
                    if not self.value(left, namespace, private):
                        return False
                case Or(left, right):
                    if self.value(left, namespace, private):
                        return True
            expression = right
