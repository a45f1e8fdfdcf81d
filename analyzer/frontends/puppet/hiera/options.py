"""`lookup_options`: how keys are merged and converted, by name or by regular expression."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect
from analyzer.frontends.puppet.hiera.values.keys import OPTIONS
from analyzer.frontends.puppet.regex.faults import fault
from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value

from .errors import LookupFault, RubyFault

PATTERN = "^"


@dataclass(frozen=True, slots=True)
class LookupOptions:
    """Options by key and by pattern; a key goes before a pattern, of patterns the first counts."""

    keys: JsonObject = field(default_factory=dict)
    patterns: list[tuple[re.Pattern[str], Any]] = field(default_factory=list)

    def of(self, key: str) -> Any:
        """Return the options of a key, None if it has none."""
        found = self.keys.get(key)
        if found is not None:
            return found
        return next((options for p, options in self.patterns if p.search(key)), None)


def compiled(options: dict[str, object] | None) -> LookupOptions:
    """Return the requested options.

    Raises:
        RubyFault: a pattern is no regular expression.
    """
    made = LookupOptions()
    for key, value in (options or {}).items():
        if _is_pattern(key):
            made.patterns.append((_pattern(key), value))
        else:
            made.keys[key] = value
    return made


def _is_pattern(key: object) -> bool:
    if not isinstance(key, str):
        raise RubyFault(f"undefined method `start_with?' for {inspect(key)}:{class_name(key)}")
    return key.startswith(PATTERN)


def _pattern(text: str) -> re.Pattern[str]:
    wrong = fault(text)
    if wrong:
        raise RubyFault(f"{wrong}: /{text}/")
    python = text.replace(r"\z", r"\Z").replace(r"\h", "[0-9a-fA-F]").replace("(?<", "(?P<")
    python = python.replace("(?P<=", "(?<=").replace("(?P<!", "(?<!")
    try:
        return re.compile(python, re.M)
    except re.error as error:
        raise RubyFault(f"{error.msg}: /{text}/") from None


def validated(options: object, module: str | None) -> dict[str, Value] | None:
    """Return the options of one layer; those of a module are for its own keys only.

    Raises:
        LookupFault: they are not.
    """
    if options is None or isinstance(options, Unknown):
        return None
    if not isinstance(options, dict):
        raise LookupFault(f"value of {OPTIONS} must be a hash")
    for key in options if module is not None else ():
        _check_module(key, f"{module}::", module or "")
    return options


def _check_module(key: Any, prefix: str, module: str) -> None:
    if _is_pattern(key):
        if key[1 : len(prefix) + 1] != prefix:
            raise LookupFault(
                f"all {OPTIONS} patterns must match a key starting with module name '{module}'"
            )
    elif not key.startswith(prefix):
        raise LookupFault(f"all {OPTIONS} keys must start with module name '{module}'")


def option(options: object, name: str) -> Value:
    """Return one of a key's options; Ruby's `[]` takes a string too."""
    if isinstance(options, dict):
        return options.get(name)
    if isinstance(options, str):
        return name if name in options else None
    if isinstance(options, list):
        raise RubyFault("no implicit conversion of String into Integer")
    return None
