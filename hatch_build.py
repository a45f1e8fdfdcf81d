"""Builds the parse tables, so that no first run has to, and the one package of a wheel."""

import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackageHook(BuildHookInterface[Any]):
    """Writes the tables beside their grammars, and the packages of a wheel as it has them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the tables; a source that cannot be written goes without them."""
        root = Path(self.root)
        sys.path.insert(0, self.root)
        from catgraph.wheel import package_at
        from grammars.table import write_tables

        try:
            write_tables(root / "grammars")
        except OSError as error:
            self.app.display_warning(f"no parse tables: {error}")
        if version == "standard":
            build_data["force_include"] |= package_at(root, Path(mkdtemp(prefix="catgraph-wheel-")))
