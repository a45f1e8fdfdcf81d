"""Builds the parse tables when catgraph is built or installed, so that no first run has to."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TablesHook(BuildHookInterface[Any]):
    """Writes the tables beside their grammars."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the tables; a source that cannot be written goes without them."""
        sys.path.insert(0, self.root)
        from grammars.table import write_tables

        try:
            write_tables(Path(self.root, "grammars"))
        except OSError as error:
            self.app.display_warning(f"no parse tables: {error}")
