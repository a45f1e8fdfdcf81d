"""Augments: variables and classes that `def.json` beside a policy sets before it is loaded.

Facts: generic_agent.c of 3.21 and what cf-agent does with such files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.policy.patterns import surely_matches
from analyzer.frontends.cfengine.policy.variables import Content, Key, text_of
from analyzer.frontends.cfengine.syntax.json_text import NoJson, read_json

# Only the first existing file is read.
NAMES = ("def_preferred.json", "def.json")
DEFAULT_BUNDLE = "def"
KINDS = {"class_expressions", "regular_expressions"}
ENTRY_FOLDER = re.compile(r"\$[({]sys\.(?:policy_entry_dirname|inputdir)[)}]")


@dataclass(frozen=True, slots=True)
class Condition:
    """A class that is set if a pattern matches a set class, or if an expression holds."""

    name: str
    patterns: tuple[str, ...]
    expressions: tuple[str, ...]

    def holds(self, known: set[str], holds: Callable[[str], bool | None]) -> bool:
        """Return whether the class is set, given the other classes."""
        if any(holds(text) for text in self.expressions):
            return True
        return any(surely_matches(pattern, name) for pattern in self.patterns for name in known)


@dataclass(slots=True)
class Augments:
    """The values of augments files, in order; `warnings` has errors that CFEngine ignores."""

    variables: dict[Key, Content] = field(default_factory=dict)
    classes: list[Condition] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_augments(folder: str) -> Augments:
    """Read the augments of a policy whose first file is in a folder."""
    found = Augments()
    for name in NAMES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            add_file(path, folder, found, set())
            break
    return found


def add_file(path: str, folder: str, found: Augments, seen: set[str]) -> None:
    """Add the values of one file, then those of the files that it names."""
    if path in seen:
        return
    seen.add(path)
    document, problem = read_document(path)
    if problem:
        found.warnings.append(f"{path}: {problem}; CFEngine goes on without it")
    for name, value in entries(document, "vars"):
        add_variable(name, value, found)
    for name, row in entries(document, "variables"):
        if isinstance(row, dict) and "value" in row:
            add_variable(name, row["value"], found)
    for name, value in entries(document, "classes"):
        add_class(name, value, path, found)
    inputs = document.get("inputs")
    if isinstance(inputs, list):
        found.variables["default", DEFAULT_BUNDLE, "augments_inputs"] = list(map(text_of, inputs))
    more = document.get("augments")
    for other in more if isinstance(more, list) else ():
        named = ENTRY_FOLDER.sub(lambda _: folder or ".", str(other))
        target = os.path.join(folder, named)
        # Missing files are ignored, as CFEngine does.
        if "$" not in named and os.path.isfile(target):
            add_file(target, folder, found, seen)


def read_document(path: str) -> tuple[dict[str, object], str]:
    """Return the object in a file, or an empty one and the error."""
    from analyzer.diagnostics import InputError
    from analyzer.frontends.cfengine.syntax.check import read_text

    try:
        document = read_json(read_text(path))
    except InputError as error:
        return {}, error.message
    except NoJson:
        return {}, "this is not JSON"
    if not isinstance(document, dict):
        return {}, "this is not a JSON object"
    return document, ""


def entries(document: dict[str, object], key: str) -> list[tuple[str, object]]:
    """Return the entries of one part of a file; a part that is no object has none."""
    part = document.get(key)
    return list(part.items()) if isinstance(part, dict) else []


def add_variable(name: str, value: object, found: Augments) -> None:
    """Add a variable; one without a bundle belongs to `def`."""
    space, colon, rest = name.rpartition(":")
    bundle, dot, plain = rest.partition(".")
    key = (space if colon else "default", bundle if dot else DEFAULT_BUNDLE, plain if dot else rest)
    if isinstance(value, str | bool | int | float):
        found.variables[key] = text_of(value)
    elif isinstance(value, dict):
        found.variables[key] = value
    elif isinstance(value, list):
        plain_items = not any(isinstance(item, dict | list) for item in value)
        found.variables[key] = [text_of(item) for item in value] if plain_items else value


def add_class(name: str, value: object, path: str, found: Augments) -> None:
    """Add a class; one that is asked for in both ways, or in none, is not set."""
    if isinstance(value, dict) and len(KINDS & value.keys()) != 1:
        problem = f"class {name} needs one of {' and '.join(sorted(KINDS))}"
        found.warnings.append(f"{path}: {problem}; it is not set")
    else:
        found.classes.append(condition(name, value))


def condition(name: str, value: object) -> Condition:
    """Return the condition of a class: an expression if it ends with `::`, else a pattern."""
    rows = [value[key] for key in KINDS & value.keys()] if isinstance(value, dict) else [value]
    words = [word for row in rows for word in texts(row)]
    patterns = tuple(word for word in words if not word.endswith("::"))
    return Condition(name, patterns, tuple(bare(word) for word in words if word.endswith("::")))


def texts(value: object) -> tuple[str, ...]:
    """Return a list's texts, or the one text."""
    items = value if isinstance(value, list) else [value]
    return tuple(item for item in items if isinstance(item, str))


def bare(expression: str) -> str:
    """Return a class expression without its colons."""
    return expression.removesuffix("::")
