"""The reads of a compile: what its result depends on besides its settings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.hiera.sources.parts import is_about_keys
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.reading import CLOCK

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable


@dataclass(frozen=True, slots=True)
class Reads:
    """The files and keys that a compile read, and its exchange with other nodes.

    `used` are the manifests of what it evaluated; `manifests` also those that it found names in,
    whether they were read for it or before. `keys` are the notes of keys that were looked up in
    data. `exported` are the texts of resources that it exported, `collected` the types of which it
    collected resources of other nodes. `others`: it may depend on code of another environment.
    `of_moment`: it depends on the clock, or has secrets, so that it is not stored.
    """

    used: frozenset[str] = frozenset()
    manifests: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    exported: tuple[str, ...] = ()
    collected: tuple[str, ...] = ()
    others: bool = False
    of_moment: bool = False

    def depends(self, common: Collection[str]) -> frozenset[str]:
        """Return the manifests and keys that a result depends on, without `common` manifests."""
        return self.manifests.difference(common).union(self.keys)


NO_READS = Reads()


def reads_of(
    known: DefinitionTable, noted: Collection[str], exports: Exports | None, node: str
) -> Reads:
    """Return the reads of the last compile; `noted` are the files and keys noted meanwhile."""
    return Reads(
        known.files,
        known.read_by_last,
        frozenset(filter(is_about_keys, noted)),
        tuple(exports.compiled.get(node, ())) if exports is not None else (),
        tuple(exports.asked.get(node, ())) if exports is not None else (),
        bool(known.others),
        CLOCK in noted,
    )
