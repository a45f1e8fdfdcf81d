"""Checks that several types share: words to choose from, booleans, paths, texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyzer.apply.validation.ruby import (
    WholeMessage,
    inspected,
    is_path,
    munging,
    no_conversion,
    no_integer,
    no_method,
    shown,
    validating,
)
from analyzer.model.resource import Resource
from analyzer.model.values import flat

# Returns what Puppet says of a parameter's value, empty where it takes it.
Check = Callable[[str, Any, Resource], str]
Checks = Mapping[str, Check]


def each(check: Check) -> Check:
    """Return the check of a property: every value of a list by itself."""

    def of_list(name: str, value: object, resource: Resource) -> str:
        values = value if isinstance(value, list) else [value]
        return next(filter(None, (check(name, one, resource) for one in values)), "")

    return of_list


def choice(*words: str, also: Sequence[str] = (), patterns: Sequence[str] = ()) -> Check:
    """Return the check of `newvalues`: `also` are aliases, `patterns` in Ruby's syntax."""
    known = frozenset((*words, *also))
    compiled = [re.compile(pattern, re.MULTILINE) for pattern in patterns]
    taken = f" Valid values are {', '.join(words)}." if words else ""
    if patterns:
        taken += f" Valid values match {', '.join(f'/{pattern}/' for pattern in patterns)}."

    def check(name: str, value: object, resource: Resource) -> str:
        text = shown(value)
        if text in known or any(pattern.search(text) for pattern in compiled):
            return ""
        return f"Invalid value {inspected(value)}.{taken}"

    return check


SWITCH = choice("true", "false")
BOOLEAN = choice("true", "false", "yes", "no")
MEMBERSHIP = choice("inclusive", "minimum")
ENSURE = each(choice("present", "absent"))
DIGITS = choice(patterns=("^[0-9]+$",))
LOGLEVEL = choice(
    *("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose")
)


def coerced(name: str, value: object, resource: Resource) -> str:
    """Check a boolean that is only looked at when it is munged (Puppet::Coercion.boolean)."""
    if isinstance(value, bool) or value in ("true", "false", "yes", "no"):
        return ""
    return munging(name, value, "expected a boolean value")


def qualified(name: str, value: object, resource: Resource) -> str:
    """Check a path that must be absolute (type/file.rb, type/mailalias.rb)."""
    if is_path(value):
        return ""
    return f"File paths must be fully qualified, not '{shown(value)}'"


def read_only(name: str, value: object, resource: Resource) -> str:
    """Refuse every value (type/file/ctime.rb and its like)."""
    return f"{name} is read-only"


def whole_number(name: str, value: object, resource: Resource) -> str:
    """Check an id: what looks like a number must be one (type/user.rb)."""
    if isinstance(value, str) and re.search(r"^[-0-9]+$", value, re.MULTILINE):
        why = no_integer(value)
        return munging(name, value, why) if why else ""
    return ""


def splits(name: str, value: object, resource: Resource) -> str:
    """Check a search path, which is split at colons (type/service.rb)."""
    for one in flat([value]):
        if not isinstance(one, str):
            return munging(name, value, no_method("split", one))
    return ""


def without(pattern: str, words: str, *, convert: bool = False) -> Check:
    """Return the check of a text that must not match; `{}` in `words` stands for the value.

    `convert`: a value that is no text fails in `match?`, else it passes.
    """
    compiled = re.compile(pattern, re.MULTILINE)

    def check(name: str, value: object, resource: Resource) -> str:
        if isinstance(value, str):
            return words.format(value) if compiled.search(value) else ""
        return WholeMessage(no_conversion(value)) if convert and value is not None else ""

    return check


def first_of(*checks: Check) -> Check:
    """Return the check that several make one after the other."""

    def check(name: str, value: object, resource: Resource) -> str:
        return next(filter(None, (one(name, value, resource) for one in checks)), "")

    return check


def answers(method: str) -> Check:
    """Return the check of a value that must answer a method of strings in its validate."""

    def check(name: str, value: object, resource: Resource) -> str:
        has = isinstance(value, str) or (isinstance(value, (list, dict)) and method in LISTS_ANSWER)
        return "" if has else validating(name, no_method(method, value))

    return check


LISTS_ANSWER = frozenset(("include?", "empty?"))
