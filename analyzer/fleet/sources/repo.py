"""A control repo with facts by node: catalogs are compiled where they are asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from analyzer.compiles.codebases import site_at
from analyzer.compiles.compile import CompileRun, ruby_for
from analyzer.compiles.exchange import compile_together
from analyzer.compiles.plan import plan_of_nodes, sets_of
from analyzer.compiles.sources import SOURCES, Source
from analyzer.compiles.target import Target
from analyzer.diagnostics import InputError
from analyzer.fleet.values import IndexedNode
from analyzer.frontends.puppet.compile import Codebase
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import files_of_nodes, own_facts
from analyzer.frontends.puppet.node.store_file import StoreFile
from analyzer.model.catalog import Catalog
from analyzer.reading import read_bytes
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

# What has no part in a compile.
LEFT_OUT = (".git", ".bundle", "spec")


@dataclass(frozen=True, slots=True)
class Repo:
    """A control repo or manifest.

    `settings` says how to compile. `label` is the history's name of a revision, and `origin` the
    folder that it is of.
    """

    path: str
    settings: Settings = field(hash=False)
    label: str = ""
    origin: str = ""

    @property
    def name(self) -> str:
        """Return the folder, or the label of a revision of it."""
        return self.label or os.path.realpath(self.path)

    def index(self) -> Iterator[IndexedNode]:
        """Yield the nodes that the repository and the facts name.

        Their hash is that of all files that a compile may read, and of the facts of the node.

        Raises:
            InputError: something cannot be read.
            CompileError: a manifest of the site is no Puppet program.
        """
        site = SharedSite(self)
        whole = site.digest()
        for name in site.targets:
            facts = own_facts(self.settings, name)
            own = digest_of(facts) if facts else ""
            yield IndexedNode(name, f"{whole} {own}", self.settings.environment or "")

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
        """Yield the catalog of each node, or why it does not compile."""
        try:
            site = site_of(self)
        except (InputError, OSError) as error:
            yield from ((node, error) for node in nodes)
            return
        with ruby_for(self.settings) as helper:
            for node in nodes:
                try:
                    yield node, site.compiled(node.key, helper)
                except (InputError, OSError) as error:
                    yield node, error

    def reads(self, name: str) -> tuple[str, ...]:
        """Return the manifests that the compile of a node, the last one here, looked for."""
        site = site_of(self)
        return tuple(sorted(site.sought())) if site.last == name else ()


class SharedSite:
    """The parts that the compiles of one process share."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        code, first = site_at(repo.path, repo.settings), sets_of(repo.settings)[:1]
        plan = plan_of_nodes(repo.path, code, repo.settings, first, (NODES_WITH_FACTS, *SOURCES))
        self.run = CompileRun(plan, typical=False)
        self.targets = {target.node: target for target in plan.targets}
        self.environment, self.known = code.environment, code.definitions
        # The node that was compiled last, `known.sought` is about it; what it exports, and the
        # types of resources that it collects from others.
        self.last = ""
        self.exported: list[str] = []
        self.collected: list[str] = []

    def compiled(self, name: str, helper: Helper | None) -> Catalog:
        """Return the catalog of a node, with the exported resources of the store.

        Raises:
            InputError: its facts cannot be read.
            CompileError: it does not compile.
        """
        repo, self.run.helper = self.repo, helper
        (facts,) = self.run.plan.sets
        target = self.targets.get(name) or Target(name, "named", facts=facts)
        (made,) = compile_together([target], self.run.compile, repo.settings.store, save=False)
        if made.error is not None or made.catalog is None:
            raise made.error or InputError("no catalog", Span(repo.path))
        self.last = name
        # A revision lies in another folder each time.
        self.exported = [text.replace(f'"{repo.path}/', '"') for text in made.reads.exported]
        self.collected = [*made.reads.collected]
        made.catalog.name = name
        made.catalog.path = repo.path
        return made.catalog

    def sought(self) -> Iterator[str]:
        """Yield the manifests that the last compile looked for, relative to the repository."""
        for path in self.known.sought:
            yield os.path.relpath(os.path.realpath(path), self.top)

    @property
    def top(self) -> str:
        """Return the folder of the repository."""
        return os.path.realpath(self.repo.path)

    @cached_property
    def files(self) -> dict[str, dict[str, str]]:
        """Return the hashes of all files that a compile may read, by folder and path below it.

        A node's own facts are not among them: they count for the node only.
        """
        facts = self.repo.settings.facts_dir
        apart = os.path.realpath(facts) if facts else ""
        roots = sorted({os.path.realpath(root) for root in self.environment.roots})
        return {
            root: {
                os.path.relpath(path, root): digest_of(path) for path in files_below(root, apart)
            }
            for root in roots
        }

    @cached_property
    def given(self) -> str:
        """Return a hash of the settings, and of the exports of other nodes.

        A revision lies in another folder each time, and the store of exports may too.
        """
        settings = self.repo.settings
        plain = repr(replace(settings, facts_dir=None, store=None))
        found = [plain.replace(self.top, "."), *exports_in(settings.store, self.top)]
        return sha256("\n".join(found).encode("utf-8", "surrogatepass")).hexdigest()

    def digest(self) -> str:
        """Return the hash of all files that a compile may read, and of the settings."""
        whole = sha256(self.given.encode())
        for found in self.files.values():
            whole.update("".join(f"{path} {digest}\n" for path, digest in found.items()).encode())
        return whole.hexdigest()


def exports_in(store: str | None, top: str) -> Iterator[str]:
    """Yield the rows of a store of exports; places below a folder are relative to it."""
    if store and os.path.exists(store):
        for node, text in StoreFile(store).rows():
            yield f"{node} {text.replace(f'{top}/', '')}"


def nodes_with_facts(code: Codebase, settings: Settings) -> list[Target] | None:
    """Return the nodes that have facts, unless others are named: those are the fleet."""
    if not settings.facts_dir or settings.node or settings.nodes or settings.is_classified:
        return None
    files = files_of_nodes(settings.facts_dir).items()
    return [Target(name, path, f"facts {path}") for name, path in files] or None


# Comes before all other sources: a fleet is those that have facts.
NODES_WITH_FACTS = Source("nodes with facts", nodes_with_facts, decides=True)


class LastSite:
    """The last site of this process: a fleet has one, and a comparison two."""

    known: dict[str, SharedSite] = {}  # noqa: RUF012


def site_of(repo: Repo) -> SharedSite:
    """Return the site of a repository, prepared once a process."""
    key = repr(repo)
    if key not in LastSite.known:
        if len(LastSite.known) > 1:
            LastSite.known.clear()
        LastSite.known[key] = SharedSite(repo)
    return LastSite.known[key]


def files_below(root: str, apart: str = "") -> Iterator[str]:
    """Yield the files below a folder but those of another one, sorted; links are not followed."""
    if os.path.isfile(root):
        yield root
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        if place == apart:
            folders.clear()
            continue
        yield from (os.path.join(place, name) for name in sorted(names))


def digest_of(path: str) -> str:
    """Return the hash of a file, none if it cannot be read."""
    try:
        found = os.stat(path)
        return digest_at(path, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)
    except OSError:
        return ""


@lru_cache(maxsize=50_000)
def digest_at(path: str, *state: int) -> str:
    """Return the hash of a file in a state; a run asks for it several times.

    Raises:
        OSError: it cannot be read.
    """
    return sha256(read_bytes(path)).hexdigest()
