"""In a checkout, `catgraph.analyzer` is the package `analyzer` that lies beside this one.

A wheel does not have this module: its packages are inside `catgraph`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

PACKAGES = ("analyzer", "tui", "grammars")


class Alias:
    """Finds and loads modules below `catgraph` as the ones beside it, each of them once."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of a module if it is one of the packages or in one."""
        parts = name.split(".")
        if parts[0] != "catgraph" or len(parts) < 2 or parts[1] not in PACKAGES:
            return None
        return ModuleSpec(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module beside `catgraph`."""
        module = import_module(spec.name.removeprefix("catgraph."))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Keep the module as it was loaded, under the name that it has beside `catgraph`."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """Let imports of `catgraph.analyzer` and the others find these packages."""
    # Before the finder of paths, which would load the modules a second time.
    sys.meta_path.insert(0, Alias())
