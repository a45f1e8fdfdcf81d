"""The part of a budget that the search of a module's worlds has."""

from __future__ import annotations

from os.path import realpath

# Parts of a budget, one for each module of a folder, however many there are.
OF_MODULE = 8


def parts_for(module: str, path: str) -> int:
    """Return how many parts the budget of a module is one of, for a path that the user named.

    A module that is named, or a part of it, has a budget for itself. What is found in a module
    depends on no other one.
    """
    module, path = realpath(module), realpath(path)
    return 1 if f"{path}/".startswith(f"{module}/") else OF_MODULE
