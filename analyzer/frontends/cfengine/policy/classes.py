"""The classes that are set: hard ones, those of a namespace, and those of one call of a bundle."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.policy.system_classes import comes_from_outside, is_of_system
from analyzer.frontends.cfengine.policy.unknown import Truth, Unknown
from analyzer.frontends.cfengine.syntax.class_expressions import (
    And,
    Expression,
    Name,
    Or,
    parsed,
)

# What holds on every Linux machine where the agent of the version that we follow runs.
HARD = ("any", "linux", "cfengine", "cfengine_3", "cfengine_3_21", "cfengine_3_21_0")
# Names of other systems and of other programs: they do not hold there.
OTHERS = frozenset(
    (
        *("aix", "freebsd", "hpux", "macos", "netbsd", "openbsd", "solaris", "windows"),
        *("common", "executor", "runagent", "keygenerator", "hub", "reporter"),
        *("agent", "server", "monitor"),
    )
)
# Options of the command line that an ordinary run does not have, and versions of the agent.
OPTIONS = re.compile(
    r"(?:debug|verbose|inform|dry_run|simulate)_mode|DEBUG\w*|opt_\w+|cfengine_\d\w*"
)
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


class Private(set[str]):
    """The classes of one call of a bundle; `maybe` are those that may be set."""

    __slots__ = ("maybe",)

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(names)
        self.maybe: dict[str, Unknown] = {}


@dataclass(slots=True)
class Classes:
    """The classes at one moment: `soft` are (namespace, name); the frames' are private ones.

    Among the hard ones is the name of the program: agent, server or monitor. `maybe` are those
    that a promise may have set or cancelled, with the reason. `never` are not set, whatever
    promises do; `own` are those that the policy itself sets. `whole` says that all classes of the
    machine are among the hard ones; `anything` is why a module may have set any class.
    """

    hard: set[str] = field(default_factory=lambda: set(HARD))
    soft: set[tuple[str, str]] = field(default_factory=set)
    maybe: dict[tuple[str, str], Unknown] = field(default_factory=dict)
    never: set[str] = field(default_factory=set)
    own: frozenset[str] = frozenset()
    whole: bool = False
    # Whether the classes of the system and of the time are among the hard ones.
    present: bool = False
    anything: Unknown | None = None

    def is_set(self, name: str, namespace: str, private: list[Private]) -> bool | Unknown:
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
        if seen or hard or (space, plain) in self.soft:
            return True
        if plain in self.never:
            return False
        maybe = [classes.maybe[plain] for classes in private if plain in classes.maybe]
        if (space, plain) in self.maybe:
            maybe.append(self.maybe[space, plain])
        if maybe:
            return maybe[0]
        if colon and space != "default":
            return self.anything or False
        outside = self.outside(plain)
        return self.anything or False if outside is False else outside

    def outside(self, name: str) -> bool | Unknown:
        """Return whether the machine sets a class that nothing else has set."""
        ours = self.whole or name in self.own or name in OTHERS or OPTIONS.fullmatch(name)
        if ours or not comes_from_outside(name) or (self.present and is_of_system(name)):
            return False
        return Unknown(f"class {name} depends on the machine")

    def holds(self, text: str, namespace: str, private: list[Private]) -> Truth:
        """Evaluate a class expression; return None if the text is none, or contains variables."""
        expression = parsed(text) if is_expression(text) else None
        return None if expression is None else self.value(expression, namespace, private)

    def value(
        self, expression: Expression, namespace: str, private: list[Private]
    ) -> bool | Unknown:
        """Evaluate a parsed class expression."""
        # Chains lean to the right, and may be long; what is unknown in them may not matter.
        unknowns: list[tuple[bool, Unknown]] = []
        while isinstance(expression, And | Or):
            decides = isinstance(expression, Or)
            left = self.value(expression.left, namespace, private)
            if isinstance(left, Unknown):
                unknowns.append((decides, left))
            elif left is decides:
                return weighed(left, unknowns)
            expression = expression.right
        if isinstance(expression, Name):
            return weighed(self.is_set(expression.text, namespace, private), unknowns)
        inner = self.value(expression.operand, namespace, private)
        return weighed(inner if isinstance(inner, Unknown) else not inner, unknowns)


def weighed(found: bool | Unknown, unknowns: list[tuple[bool, Unknown]]) -> bool | Unknown:
    """Return the value of a chain from that of its end, and the unknown operands before it.

    Each stands with the value that decides there, whatever the operand is: true for `or`.
    """
    for decides, unknown in reversed(unknowns):
        if found is not decides:
            found = unknown
    return found
