"""The part of a budget for the search of a module's worlds."""

from __future__ import annotations

from os.path import realpath

# A constant number, so that the budget of a module does not depend on its neighbours.
OF_MODULE = 8


def parts_for(module: str, path: str) -> int:
    """Return the number of parts of the budget for a path that the user named; each module has one.

    A module that is named, or a part of it, has the whole budget. The findings in a module depend
    on no other module.
    """
    module, path = realpath(module), realpath(path)
    return 1 if f"{path}/".startswith(f"{module}/") else OF_MODULE
