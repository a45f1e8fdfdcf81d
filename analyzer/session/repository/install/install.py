"""Fetches the declared modules of a repository in parallel, and writes those that are absent."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from tempfile import TemporaryDirectory

from analyzer.codec import PLAIN_VALUES
from analyzer.diagnostics import InputError
from analyzer.frontends.cache import Cache, user_cache
from analyzer.frontends.puppet.node.declared import (
    CONTROL_BRANCH,
    METADATA,
    Declarations,
    DeclaredModule,
    is_installed,
    split,
)
from analyzer.git_fetch import COMMIT, EmptyRepository
from analyzer.reach import in_this_context, is_below
from analyzer.session.repository.install.archives import read_archive
from analyzer.session.repository.install.content import File, WrongFiles, check_files, place_files
from analyzer.session.repository.install.forge import Forge, is_version
from analyzer.session.repository.install.lock import Pin, origin_of, pin_of

# Modules that are fetched at the same time.
AT_ONCE = 8
# How to fetch what this installer does not.
OTHERS = {
    "submodule": "run `git submodule update --init`",
    "svn": "Subversion is not supported; install it yourself",
    "hg": "Mercurial is not supported; install it yourself",
    "tarball": "a tarball at any address is not supported; install it yourself",
}


@dataclass(frozen=True, slots=True)
class InstallOrder:
    """An order to install the modules of a repository.

    `folder` is the repository's, `into` the folder for all modules, empty for the places that the
    repository wants. `protocols` are those that git may use, `pins` those of the lock file, and
    `progress` is called with a line of text.
    """

    declarations: Declarations
    folder: str
    into: str = ""
    forge: str = ""
    protocols: tuple[str, ...] = ("https",)
    force: bool = False
    pins: dict[str, Pin] = field(default_factory=dict)
    progress: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True)
class Installation:
    """The result of an order: rows of a module, its version and its folder, and the errors.

    `present` are the modules whose folders were there.
    """

    installed: tuple[tuple[str, str, str], ...]
    present: tuple[str, ...]
    pins: tuple[Pin, ...]
    errors: tuple[InputError, ...]


def install(order: InstallOrder) -> Installation:
    """Install the modules that are absent; one that fails does not keep others from it."""
    errors: list[InputError] = []
    places: dict[str, str] = {}
    present = []
    for name, module in order.declarations.modules.items():
        try:
            place = place_of(module, order)
        except InputError as error:
            errors.append(error)
            continue
        if module.means == "local" or (not order.force and is_present(place)):
            present.append(name)
        else:
            places[name] = place
    fetcher = Fetcher(order)
    modules = [order.declarations.modules[name] for name in places]
    installed, pins = [], [pin for name in present if (pin := order.pins.get(name))]
    for module, outcome in fetch_all(fetcher, modules, order.progress):
        try:
            pin, files = outcome.result()
            place = places[module.name]
            place_files(files, place, replace=order.force, span=module.span)
        except InputError as error:
            errors.append(error)
            continue
        installed.append((module.full, pin.version, place))
        pins.append(pin)
    errors.sort(key=lambda error: (error.span.file, error.span.line or 0, error.message))
    return Installation(tuple(sorted(installed)), tuple(present), tuple(pins), tuple(errors))


def fetch_all(
    fetcher: Fetcher, modules: Sequence[DeclaredModule], progress: Callable[[str], None] | None
) -> Iterable[tuple[DeclaredModule, Future[tuple[Pin, list[File]]]]]:
    """Yield the modules as they are fetched."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        fetches = [in_this_context(partial(fetcher.fetch, module)) for module in modules]
        waiting = {pool.submit(one): m for one, m in zip(fetches, modules, strict=True)}
        try:
            for number, outcome in enumerate(as_completed(waiting), 1):
                module = waiting.pop(outcome)
                if progress:
                    progress(f"{number} of {len(modules)} modules: {module.full}")
                yield module, outcome
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if progress:
                progress("")


def place_of(module: DeclaredModule, order: InstallOrder) -> str:
    """Return the folder of a module.

    Raises:
        InputError: the repository wants it outside of the repository.
    """
    if order.into:
        return os.path.join(order.into, module.name)
    above = os.path.join(order.folder, module.path or order.declarations.folder)
    real, top = os.path.realpath(above), os.path.realpath(order.folder)
    # A module in `.git` could bring hooks.
    of_git = ".git" in os.path.relpath(real, top).casefold().split(os.sep)
    if of_git or not is_below(real, {top}):
        message = f"{module.full} would be installed outside of the repository's files (--into DIR)"
        raise InputError(message, module.span, "cannot-install")
    return os.path.normpath(os.path.join(above, module.name))


def is_present(place: str) -> bool:
    """Return whether something is where a module would be."""
    return os.path.lexists(place) and (not os.path.isdir(place) or is_installed(place))


class Fetcher:
    """Fetches modules, from the cache where the version that is wanted is exact."""

    def __init__(self, order: InstallOrder) -> None:
        self.order = order
        self.cache: Cache = user_cache()
        self.cache.secret()
        self.forge: Forge | None = None
        uses_forge = any(one.means == "forge" for one in order.declarations.modules.values())
        if order.forge and uses_forge:
            span = next(iter(order.declarations.modules.values())).span
            self.forge = Forge(order.forge, span)

    def fetch(self, module: DeclaredModule) -> tuple[Pin, list[File]]:
        """Return the files of a module, and what they are.

        Raises:
            InputError: they cannot be fetched, or are not such a module.
        """
        try:
            if module.means == "git":
                found = self.from_git(module)
            elif module.means == "forge":
                found = self.from_forge(module)
            else:
                reason = OTHERS.get(module.means, f"'{module.means}' is not supported")
                raise InputError(f"{module.full}: {reason}", module.span, "cannot-fetch")
            check_files(found[1])
        except WrongFiles as error:
            raise InputError(f"{module.full}: {error}", module.span, "unsafe-module") from None
        return found

    def from_git(self, module: DeclaredModule) -> tuple[Pin, list[File]]:
        """Return the files of a module in a repository of git."""
        pin = pin_of(module, self.order.pins)
        reference = pin.version if pin else module.version or "HEAD"
        if reference == CONTROL_BRANCH:
            message = f"{module.full}: give the branch to use instead of :control_branch"
            raise InputError(f"{message} (:default_branch)", module.span, "cannot-fetch")
        if COMMIT.fullmatch(reference) and (files := self.cached("git", module.source, reference)):
            return self.pin(module, reference), files
        with TemporaryDirectory(prefix="catgraph-") as folder:
            source, protocols = module.source, self.order.protocols
            repository = EmptyRepository(folder, source, protocols, module.span)
            try:
                commit = repository.fetch(reference)
            except InputError:
                if pin or not module.fallback or module.fallback == reference:
                    raise
                commit = repository.fetch(module.fallback)
            files = [File(*row) for row in repository.files(commit)]
        self.keep(files, "git", module.source, commit)
        return self.pin(module, commit), files

    def from_forge(self, module: DeclaredModule) -> tuple[Pin, list[File]]:
        """Return the files of a release of a module."""
        if not module.owner:
            message = f"'{module.name}' needs an owner (OWNER/{module.name}), or :git or :local"
            raise InputError(message, module.span, "cannot-fetch")
        pin = pin_of(module, self.order.pins)
        wanted = pin.version if pin else module.version
        if self.forge is None:
            message = (
                f"{module.full} is on a Forge, and none is named: give --forge URL, "
                "set CATGRAPH_FORGE, or write `forge 'URL'` into the Puppetfile"
            )
            raise InputError(message, module.span, "no-forge")
        key = ("forge", self.forge.url, module.full)
        kept = self.cached(*key, wanted) if is_version(wanted) else None
        if kept is None:
            release = self.forge.find(module.full, wanted)
            data = self.forge.download(release)
            files = read_archive(data)
            version, digest = release.version, hashlib.sha256(data).hexdigest()
            check_identity(module, version, files)
            self.keep([File("", digest, b""), *files], *key, version)
        else:
            (_, digest, _), *files = kept
            version = wanted
        if pin and pin.digest != digest:
            message = f"{module.full} {version} is not the archive that the lock file names"
            raise InputError(message, module.span, "other-archive")
        return self.pin(module, version, digest), files

    def pin(self, module: DeclaredModule, version: str, digest: str = "") -> Pin:
        """Return the row of the lock file for a module."""
        return Pin(module.name, module.version, origin_of(module), version, digest)

    def cached(self, *parts: str) -> list[File] | None:
        """Return the files that are cached under a name."""
        rows = self.cache.get(key_of(parts), PLAIN_VALUES)
        return [File(*row) for row in rows] if rows else None

    def keep(self, files: Iterable[File], *parts: str) -> None:
        """Cache files under a name."""
        self.cache.put(key_of(parts), [tuple(file) for file in files], PLAIN_VALUES)


def key_of(parts: Iterable[str]) -> str:
    """Return the key of the cache for a name of several parts."""
    return hashlib.sha256(json.dumps(["module", *parts]).encode()).hexdigest()


def check_identity(module: DeclaredModule, version: str, files: Iterable[File]) -> None:
    """Refuse an archive of another module or version.

    Raises:
        WrongFiles: its metadata names another one.
    """
    text = next((file.data for file in files if file.path == METADATA), b"")
    try:
        document = json.loads(text)
        name, has = document["name"], document["version"]
        same = split(name) == (module.owner, module.name) and has == version
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise WrongFiles("the archive has no metadata.json of a module") from None
    if not same:
        raise WrongFiles(f"the archive is that of {name} {has}, not of {module.full} {version}")
