"""All rules of the lint, found in the folder `rules`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from analyzer.linter import rules
from analyzer.linter.rule import RULES, Rule


@cache
def all_rules() -> dict[str, Rule]:
    """Return every rule by code, in order of the codes; imports their modules."""
    for found in walk_packages(rules.__path__, f"{rules.__name__}."):
        import_module(found.name)
    return dict(sorted(RULES.items()))
