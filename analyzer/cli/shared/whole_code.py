"""Compiles the whole code of a site, with the stored outlines of earlier compiles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from analyzer.cli.shared.read_input import ReadInput
from analyzer.compiles.plan import CompilePlan
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.reading import noting
from analyzer.session.file_index import IndexedStates
from analyzer.session.inputs import compile_manifests
from analyzer.session.keeping import depends_on_more
from analyzer.session.lint.own_code import own_code
from analyzer.session.outlines import KeptOutlines, outlines_for
from analyzer.session.settings import identity_of
from analyzer.session.shared_compiles import compile_shared

if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.session.workers import Workers


def compile_whole(
    path: str, settings: Settings, options: Options, workers: Workers[Any, Any] | None
) -> ReadInput:
    """Compile the nodes of a site, and the classes of its own code that no node has.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    kept: list[KeptOutlines] = []
    disk = IndexedStates(user_cache(), options.inputs)

    def stored(plan: CompilePlan) -> KeptOutlines | None:
        if options.no_cache or depends_on_more(settings) or not user_cache().folder:
            return None
        kept.append(outlines_for(plan, disk, identity_of(path, options.config)))
        return kept[0]

    parts = options.divided.get(path)
    own = partial(own_code if parts is None else parts.own_code, path, settings)
    beside = None if parts is None else parts.beside.get(path)
    with noting() as read:
        if workers is None or beside is not None:
            outcome = compile_manifests(path, settings, own=own, stored=stored, beside=beside)
        else:
            outcome = compile_shared(path, settings, workers, own=own, stored=stored)
        for one in kept:
            one.note_read()

    def save(graphs: Iterable[tuple[Catalog, RelationshipGraph]]) -> None:
        for one in kept:
            one.add_graphs(graphs)
            one.save(read)
            disk.index.save()

    site = "" if parts is None or beside is None else parts.path
    return ReadInput(outcome.catalogs, outcome.error, outcome.unreached, save, site)
