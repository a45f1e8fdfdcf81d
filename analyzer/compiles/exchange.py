"""Nodes that export resources to each other, compiled until what they export stays the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import attrgetter

from analyzer.compiles.result import CompileResult, CompileTarget
from analyzer.compiles.target import Target
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.model.completeness import Gap
from analyzer.progress import Progress, followed
from analyzer.source import Span

# Rounds after which nodes that still change what they export to each other are taken as they are.
MOST_ROUNDS = 10


node_of = attrgetter("node")


class Collects(Exception):
    """A node collects what others export, so that it cannot be compiled without them."""


def open_exports(store: str | None, sets: int) -> Exports:
    """Return the exports of other nodes: none yet, or those of a store's file.

    Raises:
        InputError: the file is no store, or several sets of facts would write to it.
    """
    if store is None:
        return Exports()
    if sets > 1:
        message = f"a store holds one catalog for each node, but there are {sets} sets of facts"
        raise InputError(message, Span(store), "bad-store")
    from analyzer.frontends.puppet.node.store_file import StoreFile

    return Exports(StoreFile(store))


def compile_together(
    targets: Sequence[Target],
    make: CompileTarget,
    store: str | None,
    sets: int = 1,
    *,
    save: bool = True,
    progress: Progress | None = None,
    wanted: Collection[Target] | None = None,
) -> list[CompileResult]:
    """Compile for each node, and again for those that collect what another exports only now.

    A Puppet server gets there run by run: an agent collects what the other nodes exported when
    they were compiled last. What a person asks of all nodes together is what it comes to in the
    end, whichever is compiled first. Nodes that never come to an end are left after MOST_ROUNDS,
    with a warning.

    With a file, what the nodes export takes the place of what it had of them, if all of them
    compile, unless it is not to be saved. Nodes that are not `wanted` are compiled only if one that
    is collects what nodes export.

    Raises:
        InputError: the file is no store.
    """
    exports = open_exports(store, sets)
    if wanted is not None and store is None:
        alone = Exports()
        chosen = followed([one for one in targets if one in wanted], progress, "nodes", node_of)
        made_alone = [make(one, alone) for one in chosen]
        if not alone.asked:
            return made_alone
    found: dict[str, CompileResult] = {}
    waiting = list(targets)
    for _ in range(MOST_ROUNDS):
        for one in followed(waiting, progress, "nodes", node_of):
            exports.asked.pop(one.node, None)
            # It may lack only what a node after it exports.
            found[one.node] = make(one, exports)
        waiting = [one for one in targets if exports.stale(one.node)]
        if not waiting:
            break
    still = {one.node for one in waiting}
    for node, result in found.items():
        gaps = unknown_exports(node, exports, alone=len(targets) == 1)
        remember(result, remarks(node, exports, still), gaps)
    if save and not any(result.error for result in found.values()):
        exports.save()
    return [found[one.node] for one in targets]


def remember(result: CompileResult, notes: list[str], gaps: list[Gap]) -> None:
    """Add the remarks and gaps about a node's collectors to its error, or to its catalog."""
    error, catalog, node = result.error, result.catalog, result.target.node
    if error is not None:
        notes = [*notes, *(f"{node}: {gap.reason} ({gap.hint})" for gap in gaps)]
        error.message = "; ".join([error.message, *notes])
    elif catalog is not None:
        catalog.warnings += notes
        catalog.gaps += gaps


def remarks(node: str, exports: Exports, waiting: Collection[str]) -> list[str]:
    """Return the remarks about a node's collected resources."""
    if node in waiting:
        asked = ", ".join(sorted(exports.asked.get(node, ())))
        text = f"the exports of other nodes ({asked}) still change after {MOST_ROUNDS} compiles"
        return [f"{node}: {text}"]
    return []


def unknown_exports(node: str, exports: Exports, alone: bool) -> list[Gap]:
    """Return the gaps of collectors that would find more had all nodes been compiled."""
    asked = ", ".join(sorted(exports.asked.get(node, ())))
    if not asked or not alone or exports.file is not None:
        return []
    reason = f"the exports of other nodes ({asked}) are unknown"
    return [Gap("undecided", "collector", reason, hint="--store FILE")]
