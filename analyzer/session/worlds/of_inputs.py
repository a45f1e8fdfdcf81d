"""The findings of inputs that only other facts or parameters bring, each with its condition."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from analyzer.compiles.codebases import is_site
from analyzer.compiles.own_code import OwnDefinition, has_choice
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import modules_at
from analyzer.graph.findings import FindingInWorld
from analyzer.model.completeness import Gap
from analyzer.session.keeping import depends_on_more, not_searched
from analyzer.session.workers import Workers
from analyzer.session.worlds.bounded import Bounded
from analyzer.session.worlds.budget import OF_MODULE
from analyzer.session.worlds.gaps import WorkLeft, gaps_of
from analyzer.session.worlds.joint import OpenSearch, search_together
from analyzer.session.worlds.kept import KeptSearches
from analyzer.session.worlds.partly import Arms, partly_taken, settings_of
from analyzer.session.worlds.searching import GraphOf
from analyzer.session.worlds.stored import StoredSearches
from analyzer.session.worlds.turns import OwnClasses, SearchKey, nobody
from analyzer.worlds.conditional import finding_of, keys_of
from analyzer.worlds.explored import ConditionalFinding, ExploredNode

# The kinds of findings that prevent a run.
KINDS = ("cycle", "missing target")

# Returns the definitions of some files that are of the code at a `path`, with `settings`.
Own = Callable[..., Sequence[OwnDefinition]]

Row = tuple[ExploredNode, ConditionalFinding, FindingInWorld]


@dataclass(frozen=True, slots=True)
class Asked:
    """A search of the worlds of the nodes or classes at a path, for an input that the user named.

    `worlds`, `parts` and `named` are as for `Bounded`. Those that are not `named` are classes that
    no node has. `of_site`: it is no module by itself. `stored` has the results of earlier searches,
    None to use none. `of` is the path of the site, if these are classes of it by themselves.
    """

    source: str
    path: str
    settings: Settings
    graph_of: GraphOf
    worlds: int
    parts: int
    named: bool = True
    of_site: bool = False
    stored: StoredSearches | None = None
    of: str | None = None

    @property
    def key(self) -> SearchKey:
        """Return the search as other processes know it."""
        if self.of is None:
            return SearchKey(self.path)
        return SearchKey(self.of, alone=OwnClasses.of(self.path, self.settings))

    def by_itself(self, path: str, settings: Settings) -> Asked:
        """Return the search of classes of the site by themselves."""
        parts = OF_MODULE * self.parts
        return replace(self, path=path, settings=settings, parts=parts, named=False, of=self.path)

    def search(self, kept: KeptSearches | None = None) -> Bounded:
        """Return the search; `kept` are valid results of earlier ones."""
        budget = self.worlds, self.parts
        return Bounded(self.path, self.settings, self.graph_of, *budget, kept, named=self.named)

    def opened(self) -> OpenSearch:
        """Return the search before its first turn.

        Raises:
            InputError: something cannot be read.
            CompileError: a manifest is not a Puppet program.
        """
        budget, entry = (self.worlds, self.parts), None
        if self.stored is not None:
            entry = self.stored.entry(self.path, self.settings, budget, named=self.named)
        return OpenSearch(self.key, self.search, entry)


class InputSearches:
    """The searches of inputs, with their findings and the arms that they took."""

    def __init__(self, workers: Workers[Any, Any] | None, own: Own) -> None:
        self.workers = workers
        self.own = own
        self.rows: dict[bool, list[Row]] = {True: [], False: []}
        self.left: list[WorkLeft] = []
        self.once: list[Settings] = []
        self.most = 1
        self.searched: list[tuple[Asked, Arms]] = []
        # Those with nodes or classes that were not searched.
        self.short: list[Asked] = []

    def add(self, asked: Iterable[Asked], kinds: Collection[str] = KINDS) -> None:
        """Search the worlds of inputs; of their findings, some `kinds` count."""
        searches: list[tuple[Asked, OpenSearch]] = []
        for one in asked:
            if depends_on_more(one.settings):
                self.once.append(one.settings)
                continue
            self.most = max(self.most, one.worlds)
            with suppress(InputError, CompileError):
                searches.append((one, one.opened()))
        progress = searches[0][0].settings.progress if searches else None
        search_together([search for _, search in searches], self.workers or nobody(), progress)
        for one, search in searches:
            if (found := search.found) is not None:
                self.left.append(found.left)
                self.searched.append((one, found.arms))
                self.short += [one] if found.left.unsearched else []
                self.rows[one.named] += rows_of(one.source, found.nodes, kinds)

    def partly(self, site: Asked) -> Asked | None:
        """Return the search of the classes of a site of which only some arms were taken."""
        mine = [(one, arms) for one, arms in self.searched if one.source == site.source]
        done = {name for one, _ in mine for name in one.settings.classes}
        own = partial(self.own, path=site.path, settings=site.settings)
        whole = not any(one in self.short for one, _ in mine)
        names = partly_taken([arms for _, arms in mine], own, done, is_whole=whole)
        if not names:
            return None
        return site.by_itself(site.path, settings_of(site.settings, names))


def search_inputs(
    asked: Iterable[Asked], known: set[object], workers: Workers[Any, Any] | None, own: Own
) -> tuple[list[Row], list[Gap]]:
    """Return the findings that are not `known` by their keys, and the gaps of the searches.

    What a node has is no finding of a class by itself.
    """
    searches, asked = InputSearches(workers, own), [*asked]
    searches.add(asked)
    sites = [one for one in asked if one.of_site and one.named and not has_choice(one.settings)]
    # What else they need, the nodes that have them may give them.
    searches.add(filter(None, [*map(searches.partly, sites)]), kinds=("cycle",))
    of_nodes = without(searches.rows[True], known)
    told = known | {key for row in of_nodes for key in keys_in(row)}
    gaps = [*gaps_of(searches.left, searches.most), *not_searched(searches.once)]
    return [*of_nodes, *without(searches.rows[False], told)], gaps


def keys_in(row: Row) -> Iterable[object]:
    """Return the keys of a finding."""
    return keys_of(row[2].finding)


def without(rows: Sequence[Row], known: set[object]) -> list[Row]:
    """Return the findings that are not known."""
    return [row for row in rows if known.isdisjoint(keys_in(row))]


def rows_of(path: str, nodes: Sequence[ExploredNode], kinds: Collection[str]) -> Iterator[Row]:
    """Yield the findings of nodes of some kinds."""
    for node in nodes:
        for one in node.findings:
            if one.finding.kind in kinds:
                finding = replace(finding_of(node, one), path=path)
                yield node, one, FindingInWorld(one.finding.cycle, finding)


def modules_of(path: str, settings: Settings) -> list[str]:
    """Return the folders of the modules whose classes are compiled for a path."""
    if settings.classes or settings.is_code or settings.is_classified or settings.all_roles:
        return []
    alone = os.path.isdir(path) and not is_site(path)
    return [one.folder for one in modules_at(path) if one.classes] if alone else []
