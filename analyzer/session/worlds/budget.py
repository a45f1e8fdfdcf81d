"""The budget of a search of worlds, and the part of it for a module."""

from __future__ import annotations

from os.path import realpath

# A constant number, so that the budget of a module does not depend on its neighbours.
OF_MODULE = 8

# Resources that the worlds of an input declare together, for each world of a node. Even an empty
# world has a cost.
RESOURCES, LEAST = 640, 10
# The most parts of the budget: more inputs take longer in total.
PARTS = 16


def parts_for(module: str, path: str) -> int:
    """Return the number of parts of the budget for a path that the user named; each module has one.

    A module that is named, or a part of it, has the whole budget. The findings in a module depend
    on no other module.
    """
    module, path = realpath(module), realpath(path)
    return 1 if f"{path}/".startswith(f"{module}/") else OF_MODULE


def budget_of(worlds: int, parts: int, classes: int) -> int:
    """Return the budget of a search; of many `classes`, each may have as many empty worlds."""
    return max(worlds * LEAST * classes, worlds * RESOURCES // min(parts, PARTS))
