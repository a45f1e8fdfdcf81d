"""Values of the wrong kind that types refuse before anything is applied (validate and munge)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from analyzer.apply.providers.parameters import inspected
from analyzer.graph.queries import error_location
from analyzer.model.resource import Resource

# What Puppet says of one value that is no text, empty where it takes it.
Words = Callable[[str, Any, str], str]

IN_RUBY = {int: "Integer", float: "Float", dict: "Hash"}


def no_text(name: str, value: Any, shown: str) -> str:
    """Say that a value is joined to texts, and is none (type/file/content.rb)."""
    kind = shown if isinstance(value, bool) else IN_RUBY[type(value)]
    problem = f"no implicit conversion of {kind} into String"
    return f"Munging failed for value {shown} in class {name}: {problem}"


def no_path(name: str, value: Any, shown: str) -> str:
    """Say that a value is no path (type/exec.rb)."""
    return f"{name} must be a fully qualified path"


def no_setting(name: str, value: Any, shown: str) -> str:
    """Say that a value sets no variable (type/exec.rb)."""
    return f"Invalid environment setting '{shown}'"


def no_backup(name: str, value: Any, shown: str) -> str:
    """Say that a value is no kind of backup (type/file.rb)."""
    return "" if isinstance(value, bool) else f"Invalid backup type {shown}"


def no_pattern(name: str, value: Any, shown: str) -> str:
    """Say that a value is no pattern of names (type/file.rb)."""
    return "" if value is False else "Ignore must be a string or an Array"


def no_options(name: str, value: Any, shown: str) -> str:
    """Say that a value is no option (type/package.rb)."""
    return "" if isinstance(value, dict) else "Expected either a string or hash of options"


REFUSED: dict[tuple[str, str], Words] = {
    ("File", "content"): no_text,
    ("File", "backup"): no_backup,
    ("File", "ignore"): no_pattern,
    ("Exec", "cwd"): no_path,
    ("Exec", "creates"): no_path,
    ("Exec", "environment"): no_setting,
    ("Package", "install_options"): no_options,
}

# Those whose lists are looked at entry by entry.
LISTS = frozenset(("content", "creates", "environment"))


def refused(resources: Iterable[Resource]) -> Iterator[str]:
    """Yield in Puppet's words which values types do not take; it stops a run before its start."""
    for resource in resources:
        for name, value in resource.parameters.items():
            words = REFUSED.get((resource.type, name))
            why = words and refusal(words, name, value)
            if why:
                yield f"Parameter {name} failed on {resource}: {why}{error_location(resource)}"


def refusal(words: Words, name: str, value: Any) -> str:
    """Return what Puppet says of a parameter's value, empty where it takes it."""
    listed = isinstance(value, list)
    if listed and name not in LISTS:
        return ""
    for one in value if listed else [value]:
        if is_plain(one):
            found = words(name, one, inspected(one))
            if found:
                return found
    return ""


def is_plain(value: Any) -> bool:
    """Tell whether a value is no text, and known: hashes of rich data stand for others."""
    if isinstance(value, dict):
        return not any(str(key).startswith("__") for key in value)
    return isinstance(value, (bool, int, float))
