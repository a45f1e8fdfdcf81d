"""Python rules of installed distributions: the entry points of the group `catgraph.rules`.

Only distributions in the interpreter's own folders count, not those in the working folder or in
`PYTHONPATH`, so that no code under analysis runs.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from analyzer.diagnostics import InputError
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import CODE, OURS, RULES, Rule
from analyzer.source import Span

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "catgraph.rules"


def folders() -> list[str]:
    """Return the folders that distributions are installed in."""
    found = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    if os.path.realpath(sys.prefix) == os.path.realpath(sys.base_prefix):
        found += site.getsitepackages()
    if site.ENABLE_USER_SITE:
        found.append(site.getusersitepackages())
    return [folder for folder in dict.fromkeys(found) if os.path.isdir(folder)]


@cache
def plugin_rules() -> dict[str, Rule]:
    """Return the rules of all plugins by code; imports their modules.

    Raises:
        InputError: a plugin cannot be loaded, or has a reserved code.
    """
    # The codes that a plugin must not use.
    known = all_rules()
    found: dict[str, Rule] = {}
    for name, point in points():
        try:
            with isolated():
                point.load()
                made = [rule for code, rule in RULES.items() if code not in known]
        except Exception as error:
            raise failed(name, point, f"{type(error).__name__}: {error}") from None
        except SystemExit as error:
            raise failed(name, point, f"it exits with {error.code}") from None
        for rule in made:
            if not CODE.fullmatch(rule.code) or rule.code.startswith(OURS):
                said = f"'{rule.code}' is not a valid code for a plugin; use one such as ACME001"
                raise failed(name, point, said)
            if rule.code in found:
                raise failed(name, point, f"'{rule.code}' is the code of another plugin")
            found[rule.code] = replace(rule, kind="plugin", origin=name)
    return found


def points() -> list[tuple[str, EntryPoint]]:
    """Return the entry points of the group, each with the name of its distribution, sorted."""
    places = [folder for folder in folders() if names_group(folder)]
    if not places:
        return []
    from importlib.metadata import distributions

    found = {
        (point.name, point.value): (f"{one.name} {one.version}", point)
        for one in distributions(path=places)
        for point in one.entry_points
        if point.group == GROUP
    }
    return [found[key] for key in sorted(found)]


def names_group(folder: str) -> bool:
    """Return whether a file of entry points in a folder has the name of the group.

    Most folders have none, and `importlib.metadata` takes longer to import than these to read.
    """
    for name in os.listdir(folder):
        if name.endswith("-info"):
            with suppress(OSError), open(os.path.join(folder, name, "entry_points.txt"), "rb") as f:
                if GROUP.encode() in f.read():
                    return True
    return False


@contextmanager
def isolated() -> Iterator[None]:
    """Import without the working folder; undo the registration of rules at the end."""
    before, path = dict(RULES), [*sys.path]
    here = os.path.realpath(os.curdir)
    sys.path[:] = [one for one in path if one and os.path.realpath(one) != here]
    try:
        yield
    finally:
        RULES.clear()
        RULES.update(before)
        sys.path[:] = path


def failed(name: str, point: EntryPoint, why: str) -> InputError:
    """Return the error of a plugin."""
    message = f"the plugin '{point.name}' cannot be loaded: {why}; --no-plugins leaves plugins out"
    return InputError(message, Span(name), "bad-plugin")
