"""Sources for tests of the engine: nodes that kill their workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analyzer.fleet.values import IndexedNode
from analyzer.frontends.catalog_json import from_document
from analyzer.model.catalog import Catalog
from tests.fleet.generator import nodes

BODIES = {body["name"]: body for body, _ in nodes(24)}


@dataclass(frozen=True, slots=True)
class Deadly:
    """24 nodes; `always` kills its worker, `once` does so unless the file `mark` is there."""

    always: str = ""
    once: str = ""
    mark: str = ""

    @property
    def name(self) -> str:
        """Return a name."""
        return "deadly"

    def index(self) -> Iterator[IndexedNode]:
        """Yield the nodes."""
        for number, name in enumerate(BODIES):
            yield IndexedNode(name, str(number))

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
        """Yield the catalogs, and die."""
        for node in nodes:
            if node.key == self.once and not Path(self.mark).exists():
                Path(self.mark).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if node.key == self.always:
                os.kill(os.getpid(), signal.SIGKILL)
            yield node, from_document(BODIES[node.key], node.key)
