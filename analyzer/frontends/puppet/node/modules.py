"""Modules on disk: what a folder of one holds, and in what environment its classes are compiled."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from analyzer.config import near
from analyzer.folders import FOLDER, LINK, names_in
from analyzer.frontends.puppet.node.contents import is_plan
from analyzer.frontends.puppet.node.environment import (
    Environment,
    Settings,
    is_environment,
    lacks_manifests,
    of_folder,
)
from analyzer.frontends.puppet.node.sites import (
    environment_below,
    folders_above,
    name_of,
)
from analyzer.model.completeness import Gap
from analyzer.reach import outermost, roots_of
from analyzer.reading import read_text

# Folders below which nothing is the project's own, or no manifest.
FOREIGN = frozenset({"fixtures", "vendor", "pkg", "node_modules", "plans"})
# The folder of tests: their manifests are applied to nothing. A module may have this name.
TESTS = "spec"
# The folder of a module's types and providers.
OF_RUBY = os.path.join("", "lib", "puppet", "")

# Folders of a module in which its definitions are.
OF_MODULE = frozenset({"manifests", "functions", "types"})

# Levels of folders in which a repository may sort its modules.
DEEPEST = 3

# Folders of a control repo in which modules are.
OF_MODULES = ("site-modules", "site", "modules")

CONF, HIERA = "environment.conf", "hiera.yaml"

CLASS = re.compile(r"^[^\S\n]*class\s+(?:::)?([a-z]\w*(?:::\w+)*)(?=[\s({#/]|\Z)", re.MULTILINE)

# A class that only other classes of its module may declare: its comment or its body says so.
PRIVATE = re.compile(
    r"^[ \t]*#[ \t]*@api[ \t]+private\b[^\n]*\n(?:[ \t]*#[^\n]*\n)*[ \t]*class\s+(?:::)?([\w:]+)"
    r"|^[ \t]*class\s+(?:::)?([\w:]+)(?:(?!^[ \t]*class\s)[^\n]*\n)*?[ \t]*assert_private\(",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Module:
    """A module on disk: its folder, the prefix of its classes, and those classes.

    `private` classes are compiled with the classes that declare them, not by themselves.
    """

    folder: str
    name: str
    classes: tuple[str, ...]
    private: tuple[str, ...] = ()

    @property
    def neighbours(self) -> tuple[str, ...]:
        """Folders in which the modules that it needs may be."""
        fixtures = os.path.join(self.folder, "spec", "fixtures", "modules")
        above, *higher = folders_above(self.folder)
        beside = [os.path.join(one, name) for one in higher for name in OF_MODULES]
        found = (fixtures, *(shown(one) for one in dict.fromkeys([above, *beside])))
        return tuple(folder for folder in found if os.path.isdir(folder))

    @property
    def siblings(self) -> list[str]:
        """The folders beside its own that are modules too, by what they hold."""
        above = os.path.dirname(os.path.abspath(self.folder))
        held = ("metadata.json", "manifests")
        return [
            entry.path
            for entry in os.scandir(above)
            if not entry.is_symlink() and any(os.path.exists(f"{entry.path}/{h}") for h in held)
        ]

    @property
    def environment(self) -> str | None:
        """The environment that the module lies in: the folder above with an environment.conf.

        Without one it is the folder with data whose folder of modules it is in.
        """
        above, *higher = folders_above(self.folder)
        for folder in (above, *higher):
            if os.path.isfile(os.path.join(folder, CONF)):
                return shown(folder)
        held = higher[:1] if os.path.basename(above) in OF_MODULES else []
        return next((shown(f) for f in held if os.path.isfile(os.path.join(f, HIERA))), None)


def modules_at(path: str) -> list[Module]:
    """Return the modules that a path is, is in, or is a folder of; none for a site."""
    return [module_of(folder) for folder in module_folders_at(path)]


def module_folders_at(path: str) -> Iterator[str]:
    """Yield the folders of the modules that a path is, is in, or is a folder of."""
    inside = path if os.path.isdir(path) and is_module(path) else module_around(path)
    if inside is not None:
        yield inside
        return
    if not os.path.isdir(path) or os.path.isdir(os.path.join(path, "environments")):
        return
    if not lacks_manifests(path) if is_environment(path) else environment_below(path):
        return
    yield from folders_of_modules(path, DEEPEST)


def folders_of_modules(path: str, deep: int) -> Iterator[str]:
    """Yield the folders of modules below a folder, some levels deep, by name."""
    for name in sorted(os.listdir(path)):
        folder = os.path.join(path, name)
        if name.startswith(".") or not os.path.isdir(folder):
            continue
        if is_module(folder):
            yield folder
        elif deep and name not in FOREIGN and not os.path.islink(folder):
            with suppress(PermissionError):
                yield from folders_of_modules(folder, deep - 1)


def environment_around(
    module: Module, settings: Settings, beside: dict[str, frozenset[str]] | None = None
) -> Environment:
    """Return the environment that a module lies in, which it is compiled in, if there is one.

    `beside` keeps the folders that may be read of all modules in a folder, for the next of them.
    """
    above = os.path.dirname(os.path.abspath(module.folder))
    beside = {} if beside is None else beside
    if above not in beside:
        beside[above] = roots_of(module.siblings)
    if module.environment is None:
        found = Environment("production", (), settings.modulepath)
        around = [module.folder]
    else:
        found = of_folder(module.environment, (), settings)
        around = [module.folder, module.environment]
    return replace(
        found,
        modulepath=(*found.modulepath, *module.neighbours),
        roots=settings.roots(*around, known=beside[above]),
    )


def module_around(path: str, test: Callable[[str], bool] | None = None) -> str | None:
    """Return the folder of the module that a path's definitions are part of.

    `test` returns whether a folder is a module, None: `is_module`.
    """
    test, folder = test or is_module, os.path.abspath(path)
    while folder != os.path.dirname(folder):
        if os.path.basename(folder) in OF_MODULE and test(os.path.dirname(folder)):
            return shown(os.path.dirname(folder))
        folder = os.path.dirname(folder)
    return None


def modules_around(files: Iterable[str]) -> list[str]:
    """Return the folders of the modules that the definitions of files are part of, sorted."""
    test = cache(is_module)
    places = {os.path.dirname(os.path.abspath(file)) for file in files}
    return sorted(filter(None, {module_around(place, test) for place in places}))


def is_misnamed(path: str) -> bool:
    """Return whether a file is in a module whose folder has another name."""
    folder = module_around(path)
    if folder is None:
        return False
    return os.path.basename(os.path.abspath(folder)) != name_of(folder)


def manifests_below(path: str, closed: list[Gap] | None = None) -> list[str]:
    """Return a manifest, or the project's own ones of a folder and its folders, sorted.

    Puppet reads no hidden file of a folder, such as macOS's `._init.pp`, and only Ruby code in
    `lib/puppet`. A gap for each folder that cannot be read is added to `closed`.
    """
    files, start = files_below(path, ".pp", closed), len(path)
    return [f for f in files if f == path or not (is_hidden(f) or OF_RUBY in f[start:])]


def is_hidden(file: str) -> bool:
    """Return whether a file is hidden by its name."""
    return os.path.basename(file).startswith(".")


def files_below(path: str, ending: str, closed: list[Gap] | None = None) -> list[str]:
    """Return a file of a kind, or the project's own ones of a folder and its folders, sorted.

    A gap for each folder that cannot be read is added to `closed`.
    """
    if not os.path.isdir(path):
        return [path] if path.endswith(ending) and not is_plan(path) else []
    return sorted(map(os.path.normpath, found_below(path, ending, closed)))


def found_below(path: str, ending: str, closed: list[Gap] | None = None) -> Iterator[str]:
    """Yield the project's own files of a kind in a folder and its folders, in any order.

    A gap for each folder that cannot be read is added to `closed`.
    """
    pending = [(path, os.path.realpath(path))]
    while pending:
        place, real = pending.pop()
        try:
            names = names_in(place, real)
        except OSError as error:
            if closed is not None:
                reason = f"cannot be read: {error.strerror}"
                closed.append(Gap("unread", shown(os.path.normpath(place)), reason))
            continue
        for name, kind in names.items():
            if kind == FOLDER:
                if is_own(place, name):
                    pending.append((os.path.join(place, name), os.path.join(real, name)))
            elif name.endswith(ending):
                file = os.path.join(place, name)
                if kind != LINK or not os.path.isdir(file):
                    yield file


def unreadable_below(folders: Iterable[str]) -> list[Gap]:
    """Return a gap for each of the project's own folders, at or below some, that cannot be read.

    Puppet finds nothing in such a folder, and says nothing.
    """
    closed: list[Gap] = []
    for folder in outermost(filter(os.path.isdir, folders)):
        deque(found_below(folder, "\0", closed), maxlen=0)
    return closed


def is_own(place: str, name: str) -> bool:
    """Return whether a folder of a project may hold what the project applies."""
    if name in FOREIGN or name.startswith("."):
        return False
    return name != TESTS or os.path.isdir(os.path.join(place, name, "manifests"))


def shown(path: str) -> str:
    """Return a path as seen from the current folder if it lies below it."""
    return "." if path == os.getcwd() else near(path)


def is_module(folder: str) -> bool:
    """Return whether a folder is a module: it says so, or its manifests are named after it.

    A control repo may have metadata, too, for its tests.
    """
    manifests = os.path.join(folder, "manifests")
    if not os.path.isdir(manifests) or os.path.exists(os.path.join(folder, CONF)):
        return False
    if os.path.isfile(os.path.join(folder, "metadata.json")):
        return True
    name = name_of(folder)
    return any(c.partition("::")[0] == name for c in classes_in(manifests_below(manifests)))


def module_of(folder: str) -> Module:
    """Return the module in a folder that is one."""
    manifests = manifests_below(os.path.join(folder, "manifests"))
    name = name_of(folder)
    names = [c for c in classes_in(manifests) if c.partition("::")[0] == name]
    hidden = set(private_in(manifests)) & set(names)
    public = [c for c in names if c not in hidden]
    if not public:
        return Module(os.path.normpath(folder), name, tuple(names))
    return Module(os.path.normpath(folder), name, tuple(public), tuple(sorted(hidden)))


def private_in(manifests: list[str]) -> Iterator[str]:
    """Yield the names of the private classes that manifests define, as far as a glance shows."""
    for path in manifests:
        try:
            text = read_text(path, "replace")
        except OSError:
            continue
        if "private" in text:
            yield from (commented or asserted for commented, asserted in PRIVATE.findall(text))


def classes_in(manifests: list[str]) -> Iterator[str]:
    """Yield the names of the classes that manifests define, as far as a glance shows."""
    seen: set[str] = set()
    for path in manifests:
        try:
            found = CLASS.findall(read_text(path, "replace"))
        except OSError:
            continue
        for name in found:
            if name not in seen:
                seen.add(name)
                yield name
