"""Nodes that export resources to each other, compiled until what they export stays the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.source import Span

# Rounds after which nodes that still change what they export to each other are taken as they are.
MOST_ROUNDS = 10

# Nodes of which the progress is not shown.
FEW = 5

CompileOne = Callable[[str, Exports], Catalog]


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


def compile_nodes(
    nodes: Sequence[str],
    compile_one: CompileOne,
    store: str | None,
    sets: int = 1,
    *,
    save: bool = True,
    progress: Callable[[str], None] | None = None,
    wanted: Collection[str] | None = None,
) -> list[tuple[str, Catalog | CompileError]]:
    """Compile for each node, and again for those that collect what another exports only now.

    A Puppet server gets there run by run: an agent collects what the other nodes exported when
    they were compiled last. What a person asks of all nodes together is what it comes to in the
    end, whichever is compiled first. Nodes that never come to an end are left after MOST_ROUNDS,
    with a warning. The error of a node that cannot be compiled stands for its catalog.

    With a file, what the nodes export takes the place of what it had of them, if all of them
    compile, unless it is not to be saved. Nodes that are not `wanted` are compiled only if one that
    is collects what nodes export.

    Raises:
        InputError: the file is no store.
    """
    exports = open_exports(store, sets)
    if wanted is not None and store is None:
        alone = Exports()
        chosen = followed([node for node in nodes if node in wanted], progress)
        made_alone = [(node, made_of(node, compile_one, alone)) for node in chosen]
        if not alone.asked:
            return made_alone
    found: dict[str, Catalog | CompileError] = {}
    waiting = list(nodes)
    for _ in range(MOST_ROUNDS):
        for node in followed(waiting, progress):
            exports.asked.pop(node, None)
            # It may lack only what a node after it exports.
            found[node] = made_of(node, compile_one, exports)
        waiting = [node for node in nodes if exports.stale(node)]
        if not waiting:
            break
    for node in nodes:
        gaps = unknown_exports(node, exports, alone=len(nodes) == 1)
        remember(found[node], node, remarks(node, exports, waiting), gaps)
    if save and not any(isinstance(made, CompileError) for made in found.values()):
        exports.save()
    return [(node, found[node]) for node in nodes]


def made_of(node: str, compile_one: CompileOne, exports: Exports) -> Catalog | CompileError:
    """Return the catalog of a node, or why there is none."""
    try:
        return compile_one(node, exports)
    except CompileError as error:
        return error


def remember(made: Catalog | CompileError, node: str, notes: list[str], gaps: list[Gap]) -> None:
    """Add the remarks and gaps about a node's collectors to its catalog, or to its error."""
    if isinstance(made, CompileError):
        notes = [*notes, *(f"{node}: {gap.reason} ({gap.hint})" for gap in gaps)]
        made.message = "; ".join([made.message, *notes])
    else:
        made.warnings += notes
        made.gaps += gaps


def followed(nodes: Sequence[str], progress: Callable[[str], None] | None) -> Iterator[str]:
    """Yield nodes, and show how far that is if there are many."""
    if progress is None or len(nodes) <= FEW:
        yield from nodes
        return
    for number, node in enumerate(nodes, 1):
        progress(f"{number} of {len(nodes)} nodes: {node}")
        yield node
    progress("")


def remarks(node: str, exports: Exports, waiting: Sequence[str]) -> list[str]:
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
