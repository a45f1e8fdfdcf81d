"""The settings of a compile, and the environment on disk: manifests, modules and data."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.contents import is_plan, no_plan, without_manifests
from analyzer.frontends.puppet.node.declared import PUPPETFILE
from analyzer.frontends.puppet.node.sites import (
    SITE,
    environment_below,
    folders_above,
    holds_manifests,
    modulepath_of,
    own_module,
    place_of_manifests,
    read_config,
    shared_modules,
)
from analyzer.model.documents import JsonObject
from analyzer.model.room import MOST_MEMORY
from analyzer.model.stubs import Stubs
from analyzer.reach import Outside, may_read, note_code, roots_of, within
from analyzer.reading import why_missing
from analyzer.source import Span

# The names that environments may have (Puppet::Node::Environment.valid_name?).
NAME = re.compile(r"\w+", re.ASCII)

# The environment of nodes that are in no other.
USUAL = "production"
# The environments that a repository is most likely to apply, best first.
LIKELY = (USUAL, "prod", "main", "master", "stable", "default", "staging", "development", "dev")

# The file name of a text that is no file.
CODE = "<code>"

# CPU seconds that the compile of a node may take.
MOST_SECONDS = 25


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a compile.

    `classes` are compiled each by itself, in place of the nodes. `node` None: each of `nodes`, else
    every node block, or the default name. `facts` are files, each compiled by itself; none: facts
    are Unknown. `legacy_facts` says that facter's old names are added to them. `modulepath` comes
    before the environment's own. `strict_variables` None: an unknown variable is an error from
    Puppet 8 on. `trusted` and `server_facts` are what `$trusted` and `$server_facts` have beyond
    what is known. `ruby` is a Ruby that has Puppet, or `auto`, for what is written in Ruby; None:
    nothing of it is run. `lenient` keeps relationships to what is not declared from ending the
    compile. `alone` is the class that is compiled by itself: unless `strict`, it needs no values
    for its parameters. `overlay` are texts of manifests, by file, that count instead of what is on
    disk. `store` is a file of exported resources. `time_limit` is in CPU seconds and
    `memory_limit` in bytes for each node, 0 for none. `allow_read` are folders whose files code
    may read besides its own. `parameters` are values of classes' parameters by name, `app::port`,
    that count before those of data.
    `fact_values` are facts in place of those in `facts`. `strict` refuses what is missing, as
    Puppet does: else names of declared modules that are not installed, and data that nobody can
    see, are Unknown. `facts_dir` is a folder of facts and `nodes_dir` one of a classifier's
    answers, with a file for each node. `roles` are patterns of classes that are compiled as nodes
    besides the others; `all_roles`: only these. `typical`: the facts are a typical system's, and
    those of the site itself are not among them. `progress` shows how far a compile of many nodes
    is; the empty text ends it. `version_assumed`: nobody gave the version of Puppet, so that the
    code may show that it is older. `keep_variables` keeps the values of classes' variables.
    `no_legacy_facts` takes facter's old names away: from the `hash` $facts, or all of them.
    """

    node: str | None = None
    facts: tuple[str, ...] = ()
    modulepath: tuple[str, ...] = ()
    hiera_config: str | None = None
    environment: str | None = None
    enc: str | None = None
    puppet_version: int = 8
    strict_variables: bool | None = None
    nodes: tuple[str, ...] = ()
    legacy_facts: bool = False
    stubs: Stubs = field(default_factory=Stubs)
    trusted: JsonObject = field(default_factory=dict)
    server_facts: JsonObject = field(default_factory=dict)
    ruby: str | None = None
    lenient: bool = False
    alone: str = ""
    overlay: Mapping[str, str] = field(default_factory=dict)
    store: str | None = None
    time_limit: int = MOST_SECONDS
    memory_limit: int = MOST_MEMORY
    allow_read: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    fact_values: JsonObject | None = None
    strict: bool = False
    facts_dir: str | None = None
    nodes_dir: str | None = None
    roles: tuple[str, ...] = ()
    all_roles: bool = False
    typical: bool = False
    progress: Callable[[str], None] | None = field(default=None, compare=False)
    keep_variables: bool = False
    version_assumed: bool = False
    no_legacy_facts: Literal["", "hash", "all"] = ""

    @property
    def is_classified(self) -> bool:
        """Return whether a classifier gives the classes of a node."""
        return self.enc is not None or self.nodes_dir is not None

    @property
    def is_code(self) -> bool:
        """Return whether a text of the overlay is compiled, not the manifests at the path."""
        return CODE in self.overlay

    def roots(self, *paths: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return folders that may be read for code at some paths; `known` are those of more."""
        config = os.path.dirname(os.path.abspath(self.hiera_config)) if self.hiera_config else None
        folders = (folder for folder in (config, self.facts_dir, self.nodes_dir) if folder)
        named = (*self.modulepath, *self.facts, *self.allow_read, *folders)
        note_code([*paths, *self.modulepath])
        return roots_of(paths, named, known)


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment on disk: its manifests in Puppet's order, its modules, and its folder.

    `folder` is None for manifests that belong to none: then there are no data. `roots` are the
    real paths below which its code may read files. `placed` are the folders of
    modules by name that lie elsewhere than their name says. `closed` are the folders of
    `environment.conf` that may not be searched for modules, and `elsewhere` is the place of its
    manifests that may not be read or do not exist, empty otherwise.
    """

    name: str
    manifests: tuple[str, ...]
    modulepath: tuple[str, ...] = ()
    folder: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    roots: frozenset[str] = frozenset()
    placed: Mapping[str, str] = field(default_factory=dict)
    closed: tuple[str, ...] = ()
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class Classified:
    """The answer of an external node classifier; the default is that of none."""

    classes: dict[str, JsonObject | None] | None = None
    parameters: JsonObject = field(default_factory=dict)
    environment: str | None = None


def find_environment(path: str, settings: Settings) -> Environment:
    """Return the environment that a manifest, an environment's folder or a control repo is.

    A control repo has folders below `environments/`; the one meant is `--environment`, else
    `production` or what a repository has in its place. A folder that is no environment may have
    one in a folder below it, such as `puppet`, `production` or `vagrant/puppet`.

    Raises:
        InputError: there are no manifests, or the environment is not there.
    """
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise InputError(f"cannot be read: {why_missing(path)}", Span(path))
        return of_folder(environment_above(path), (no_plan(path),), settings)
    below = os.path.join(path, "environments")
    names = names_in(below) if os.path.isdir(below) else []
    if names and not os.path.exists(os.path.join(path, "environment.conf")):
        has_own = is_environment(path) and not lacks_manifests(path)
        # Without `production` they are folders of another kind, if the repository has its own
        # manifests; and those that only configure are of that repository.
        other = has_own and not settings.environment and len(names) > 1 and USUAL not in names
        inner = "" if other else os.path.join(below, chosen(below, settings))
        configures = os.path.isfile(os.path.join(inner, "environment.conf")) or has_own
        if not (other or (configures and lacks_manifests(inner) and is_environment(path))):
            return find_environment(inner, settings)
    if is_environment(path):
        return of_folder(path, None, settings)
    nearest = None if has_program(path) else environment_below(path)
    if nearest is not None:
        return find_environment(nearest, settings)
    return of_folder(environment_above(path), manifests_in(path), settings)


def lacks_manifests(folder: str) -> bool:
    """Return whether an environment has no manifests of its own, and names none."""
    config = read_config(os.path.join(folder, "environment.conf"))
    place = place_of_manifests(folder, config)
    return "manifest" not in config and not (os.path.isfile(place) or holds_manifests(place))


def has_program(folder: str) -> bool:
    """Return whether there is a manifest in a folder, not below it."""
    return any(name.endswith(".pp") for name in os.listdir(folder))


def names_in(folder: str) -> list[str]:
    """Return the names of the folders in one, without links to a folder around it."""
    real = os.path.realpath(folder)
    folders = (n for n in os.listdir(folder) if os.path.isdir(os.path.join(folder, n)))
    return sorted(n for n in folders if not is_around(os.path.join(folder, n), real))


def is_around(place: str, folder: str) -> bool:
    """Return whether a link leads to a folder that holds another, given by its real path."""
    return os.path.islink(place) and f"{folder}/".startswith(f"{os.path.realpath(place)}/")


def chosen(folder: str, settings: Settings) -> str:
    """Return the name of the environment to take: the usual one, else the first with manifests.

    Raises:
        InputError: it is not there, or none has manifests.
    """
    names = names_in(folder)
    usual = [*(one for one in LIKELY if one in names), *names]
    likely = (one for one in usual if not lacks_manifests(os.path.join(folder, one)))
    wanted = settings.environment or next(likely, USUAL if len(names) > 1 else "".join(names))
    if wanted not in names:
        listed = ", ".join(names) or "none"
        message = f"no environment '{wanted}'; choose one of {listed} with --environment NAME"
        raise InputError(message, Span(folder), "no-environment")
    return wanted


def folder_beside(environment: Environment, name: str, asked: str) -> str | None:
    """Return the folder of another environment of a control repo, None if it is the same one.

    An environment that is in no folder of environments has none beside it. `asked` is the
    classifier that named it.

    Raises:
        CompileError: there is none of that name (Puppet::Environments).
    """
    own = os.path.abspath(environment.folder or "")
    beside = os.path.dirname(own)
    if name in ("", os.path.basename(own)) or os.path.basename(beside) != "environments":
        return None
    folder = os.path.normpath(os.path.join(environment.folder or "", os.pardir, name))
    if not (NAME.fullmatch(name) and os.path.isdir(folder)):
        message = (
            f"Could not find a directory environment named '{name}' anywhere in the path: "
            f"{beside}. Does the directory exist?"
        )
        raise CompileError(message, Span(asked), "no-environment")
    return folder


def is_environment(folder: str) -> bool:
    """Return whether a folder is an environment, by what it holds.

    A site and a list of modules make one too: the modules come into `modules`.
    """
    held = ("environment.conf", "manifests", "modules")
    if any(os.path.exists(os.path.join(folder, name)) for name in held):
        return True
    return all(os.path.isfile(os.path.join(folder, name)) for name in (SITE, PUPPETFILE))


def declaring_folders(folder: str | None) -> tuple[str, ...]:
    """Return where files may declare the modules of an environment: in it, and in its repo.

    The file of git's submodules is at the top of a checkout.
    """
    if folder is None:
        return ()
    beside = os.path.dirname(os.path.abspath(folder))
    found = [os.path.dirname(beside)] if os.path.basename(beside) == "environments" else []
    found += [one for one in folders_above(folder) if os.path.exists(f"{one}/.gitmodules")]
    return (folder, *map(os.path.relpath, dict.fromkeys(found)))


def environment_above(path: str) -> str | None:
    """Return the environment that a manifest or a folder of manifests lies in, None if in none."""
    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path))
    if os.path.basename(folder) == "manifests":
        above = os.path.dirname(folder)
        # A module has manifests too: its environment is above the folder of modules.
        inner = os.path.dirname(above)
        if os.path.basename(inner) == "modules":
            return os.path.relpath(os.path.dirname(inner))
        return os.path.relpath(above)
    return os.path.relpath(folder) if is_environment(folder) else None


def of_folder(
    folder: str | None, manifests: tuple[str, ...] | None, settings: Settings
) -> Environment:
    """Return the environment of a folder; its own manifests unless others are given.

    Raises:
        InputError: it has no manifests.
    """
    roots = settings.roots(*([] if folder is None else [folder]), *(manifests or ()))
    if folder is None:
        name = settings.environment or "production"
        return Environment(name, manifests or (), settings.modulepath, roots=roots)
    elsewhere = ""
    with within(roots):
        config = read_config(os.path.join(folder, "environment.conf"))
        if manifests is None:
            place = os.path.normpath(place_of_manifests(folder, config))
            # The server may have them elsewhere; without any, Puppet reads none. The modules are
            # here all the same.
            is_here = may_read(place) and os.path.exists(place)
            elsewhere = place if "manifest" in config and not is_here else ""
            manifests = () if elsewhere else manifests_in(place)
    paths = modulepath_of(folder, config)
    name = settings.environment or os.path.basename(os.path.abspath(folder))
    parent = os.path.basename(os.path.dirname(os.path.abspath(folder)))
    if parent != "environments" and settings.environment is None:
        name = "production"
    # Nothing tells whether there is such a folder outside of what may be read.
    closed = tuple(place for place in paths if not may_read(place, roots))
    paths = [place for place in paths if place not in closed]
    # On a server, the folder is there, though the checkout is that of the environment alone.
    paths += [one for one in shared_modules(folder, config) if may_read(one, roots)]
    modulepath = (*settings.modulepath, *paths)
    with within(roots):
        placed = own_module(folder, manifests, modulepath)
    return Environment(
        name, manifests, modulepath, folder, config, roots, placed, closed, elsewhere
    )


def manifests_in(path: str) -> tuple[str, ...]:
    """Return a manifest, or those of a folder and its folders by name, as Puppet reads them.

    Links to folders are not entered, and what is hidden is left out, as Ruby's glob does.

    Raises:
        InputError: there are none.
    """
    if not may_read(path):
        raise InputError(f"cannot be read: {Outside(path).strerror}", Span(path))
    if os.path.isfile(path):
        return (path,)
    found = []
    for place, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name[0] != ".")
        shown = (name for name in (*folders, *names) if name[0] != "." and name.endswith(".pp"))
        here = os.path.normpath(place)
        found += [os.path.join(here, name) for name in shown]
    found = [file for file in found if not is_plan(file)]
    if not found:
        raise without_manifests(path)
    return tuple(sorted(map(os.path.normpath, found)))
