"""Finds the site in a repository: the manifests of an environment, and one in a folder below."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from analyzer.diagnostics import InputError
from analyzer.reach import tail_in
from analyzer.reading import read_text
from analyzer.source import Span

# A manifest at the top of an environment without a folder of manifests, and others in a folder.
SITE = "site.pp"
SITES = (SITE, "nodes.pp", "default.pp")

# A site of Puppet 3: nothing of it compiles, so that the classes of its modules say more.
IMPORTS = re.compile(r"^[ \t]*import[ \t]+['\"]", re.MULTILINE)

SETTING = re.compile(r"^[^\S\n]*(\w+)\s*=[^\S\n]*(.*)$", re.MULTILINE)

# The folder of all environments, in settings of one.
OF_ALL = re.compile(r"\$(?:codedir|confdir)/environments\b|\$environmentpath\b")
ENVIRONMENTS = "$environments"
OWN_NAME = re.compile(r"\$environment\b")

# Levels of folders below which an environment may lie: `vagrant/puppet`, `etc/puppet`.
DEEPEST = 3

# Folders that hold no environment of their own.
OTHERS = frozenset({
    "data", "docs", "examples", "files", "fixtures", "hieradata", "lib", "manifests", "modules",
    "node_modules", "pkg", "plans", "site", "site-modules", "spec", "templates", "test", "tests",
    "vendor",
})  # fmt: skip

# Folders of a repository's own modules, besides `modules`.
BESIDE = ("site-modules", "site", "dist")

# Folders whose manifests no site uses.
UNUSED = frozenset({"docs", "fixtures", "node_modules", "pkg", "plans", "spec", "vendor"})


def place_of_manifests(folder: str, config: Mapping[str, str]) -> str:
    """Return the place of an environment's manifests: the configured or the usual one."""
    usual = os.path.join(folder, place_in(folder, config.get("manifest", "manifests")))
    if "manifest" in config or holds_manifests(usual):
        return usual
    top = os.path.join(folder, SITE)
    return top if os.path.isfile(top) and not imports(top) else usual


def holds_manifests(folder: str) -> bool:
    """Return whether there is a manifest in a folder or in one below."""
    below = os.walk(folder)
    return any(name.endswith(".pp") for _, folders, names in below for name in (*folders, *names))


def imports(path: str) -> bool:
    """Return whether a manifest is of the time when sites imported their nodes."""
    try:
        return IMPORTS.search(read_text(path, "replace")) is not None
    except OSError:
        return False


# The folders of a module whose files the autoloader reads, as the second part of a path.
CODE = {("manifests",), ("functions",), ("types",), ("plans",)}


def read_config(path: str) -> dict[str, str]:
    """Return the settings of an environment.conf, none if there is no such file."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        message = f"not UTF-8: {error.reason} at byte {error.start + 1}"
        raise InputError(message, Span(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path)) from None
    name = os.path.basename(os.path.dirname(os.path.abspath(path)))
    found = SETTING.findall(OWN_NAME.sub(lambda _: name, OF_ALL.sub(ENVIRONMENTS, text)))
    return {key: value.rstrip() for key, value in found}


def modulepath_of(folder: str, config: Mapping[str, str]) -> list[str]:
    """Return the folders of modules of an environment, without those of the installation.

    Where nothing configures it, an option or a server's settings name what lies beside `modules`,
    and a folder of modules may have manifests of a site for examples.
    """
    parts = config.get("modulepath", "modules").split(os.pathsep)
    if not os.path.exists(os.path.join(folder, "environment.conf")):
        others = sorted(name for name in os.listdir(folder) if is_of_modules(folder, name))
        names = dict.fromkeys([*BESIDE, *others])
        parts += [name for name in names if os.path.isdir(os.path.join(folder, name))]
        if not any(os.path.isdir(os.path.join(folder, one)) for one in parts):
            parts += [os.curdir] if any(map(has_main_class, all_folders_in(folder))) else []
    places = (place_in(folder, part) for part in parts)
    return [os.path.normpath(os.path.join(folder, p)) for p in places if not p.startswith("$")]


def place_in(folder: str, path: str) -> str:
    """Return where a path of a setting is: for one of a server, its place in the checkout."""
    above = os.path.basename(os.path.dirname(os.path.abspath(folder)))
    if path.startswith(f"{ENVIRONMENTS}/") and above == "environments":
        return os.pardir + path.removeprefix(ENVIRONMENTS)
    return tail_in(folder, path)


def shared_modules(folder: str, config: Mapping[str, str]) -> list[str]:
    """Return the folder of modules beside `environments`, if the modulepath includes it.

    It is part of `$basemodulepath`, which ends the usual modulepath (Puppet's defaults.rb).
    """
    beside = os.path.dirname(os.path.abspath(folder))
    place = os.path.normpath(os.path.join(folder, os.pardir, os.pardir, "modules"))
    included = "$basemodulepath" in config.get("modulepath", "$basemodulepath").split(os.pathsep)
    return [place] if included and os.path.basename(beside) == "environments" else []


def is_of_modules(folder: str, name: str) -> bool:
    """Return whether a folder has a name as `local-modules`, or modules in it."""
    if name[0] == "." or name in ("modules", "node_modules"):
        return False
    if "modules" in name:
        return True
    inner = all_folders_in(os.path.join(folder, name)) if name not in OTHERS else ()
    return any(map(has_main_class, inner))


def modulepath_around(folder: str) -> tuple[str, ...] | None:
    """Return where the nearest environment.conf has modules, if a folder has code of one of them.

    The files there define only what the autoloader looks for in them. Puppet refuses tests and
    examples of modules too, but these are applied where the module is not installed.

    Raises:
        InputError: that file cannot be read.
    """
    place = os.path.abspath(folder)
    for above in all_above(place):
        config = read_config(os.path.join(above, "environment.conf"))
        if config or os.path.isfile(os.path.join(above, "environment.conf")):
            found = tuple(map(os.path.abspath, modulepath_of(above, config)))
            return found if any(is_code_in(place, one) for one in found) else None
    return None


def all_above(folder: str) -> Iterator[str]:
    """Yield the folders that a folder is in, from the inside."""
    while (above := os.path.dirname(folder)) != folder:
        yield above
        folder = above


def is_code_in(folder: str, modules: str) -> bool:
    """Return whether a folder has code of a module that is in a folder of modules."""
    below = folder.removeprefix(os.path.join(modules, ""))
    return below != folder and (*below.split(os.sep)[1:2],) in CODE


def all_folders_in(folder: str) -> Iterator[str]:
    """Yield the folders in one."""
    with suppress(OSError), os.scandir(folder) as entries:
        yield from (entry.path for entry in entries if entry.is_dir(follow_symlinks=False))


def has_main_class(folder: str) -> bool:
    """Return whether a folder has the manifest of a module's main class."""
    return os.path.isfile(os.path.join(folder, "manifests", "init.pp"))


def name_of(folder: str) -> str:
    """Return the name of a module: as its metadata have it, else as its folder is called."""
    try:
        full = json.loads(read_text(os.path.join(folder, "metadata.json")))["name"]
        return re.split(r"[-/]", full)[-1]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return os.path.basename(os.path.abspath(folder)).rpartition("-")[2]


def own_module(
    folder: str, manifests: Iterable[str], modulepath: Iterable[str]
) -> Mapping[str, str]:
    """Return an environment's folder by the name of the module that it is too, if it is one.

    A server gets it a second time, as a module of the list of modules.
    """
    main, name = os.path.join(folder, "manifests", "init.pp"), name_of(folder)
    if not os.path.isfile(os.path.join(folder, "metadata.json")) or not has_class(main, name):
        return {}
    is_read = os.path.normpath(main) in manifests
    is_there = any(os.path.exists(os.path.join(place, name)) for place in modulepath)
    return {} if is_read or is_there else {name: folder}


def has_class(file: str, name: str) -> bool:
    """Return whether a manifest defines a class, as far as a glance shows."""
    try:
        text = read_text(file, "replace")
    except OSError:
        return False
    return re.search(rf"^\s*class\s+(?:::)?{re.escape(name)}\b", text, re.MULTILINE) is not None


def folders_above(path: str) -> list[str]:
    """Return the folders above one, up to that of the checkout; two where there is none."""
    found: list[str] = []
    folder = os.path.abspath(path)
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        found.append(folder)
        if os.path.exists(os.path.join(folder, ".git")):
            return found
    return found[:2]


def environment_below(folder: str) -> str | None:
    """Return the environment, or the folder of `environments`, that alone is nearest below.

    There is none if modules lie elsewhere: what uses them is not that site, or not it alone.
    """
    level = [folder]
    for _ in range(DEEPEST):
        level = [os.path.normpath(inner) for one in level for inner in folders_in(one)]
        found = [inner for inner in level if is_site(inner)]
        if found:
            return found[0] if len(found) == 1 and not has_others(folder, found[0]) else None
    return None


def sites_below(folder: str) -> list[str]:
    """Return the environments, and folders of `environments`, below a folder that is none."""
    level, found = [folder], []
    for _ in range(DEEPEST):
        level = [os.path.normpath(inner) for one in level for inner in folders_in(one)]
        found += [inner for inner in level if is_site(inner)]
        level = [inner for inner in level if not is_site(inner)]
    return found


def has_others(folder: str, site: str) -> bool:
    """Return whether something below a folder has manifests, and is of no use to a site."""
    inner = os.path.join(site, "environments")
    names = os.listdir(inner) if os.path.isdir(inner) else ()
    sites = {os.path.normpath(os.path.join(inner, name)) for name in names} or {site}
    places = {
        place
        for one in sites
        for place in modulepath_of(one, read_config(os.path.join(one, "environment.conf")))
    }
    start = folder.rstrip(os.sep).count(os.sep)
    for place, folders, _ in os.walk(folder):
        here = os.path.normpath(place)
        if "manifests" in folders and here not in sites and os.path.dirname(here) not in places:
            return True
        deep = place.count(os.sep) - start > DEEPEST or os.path.dirname(here) in places
        folders[:] = [] if deep else [n for n in folders if n[0] != "." and n not in UNUSED]
    return False


def folders_in(folder: str) -> Iterator[str]:
    """Yield the folders in one that may hold an environment, by name; a module holds none."""
    names: list[str] = []
    with suppress(OSError):
        names = sorted(os.listdir(folder))
    if "metadata.json" in names or "manifests" in names:
        return
    for name in names:
        inner = os.path.join(folder, name)
        if name[0] == "." or name in OTHERS or os.path.islink(inner):
            continue
        if os.path.isdir(inner):
            yield inner


def is_site(folder: str) -> bool:
    """Return whether a folder is an environment or has some, by more than `manifests`.

    A module has that too, and beside it no modules and no manifest of a site.
    """
    held = {
        name
        for name in ("environment.conf", "environments", "manifests", "metadata.json", "modules")
        if os.path.exists(os.path.join(folder, name))
    }
    if "environment.conf" in held:
        return True
    if "environments" in held:
        inner = list(folders_in(os.path.join(folder, "environments")))
        if len(inner) > 1:
            inner = [one for one in inner if os.path.basename(one) == "production"] or inner
        return any(map(is_site, inner))
    manifests = os.path.join(folder, "manifests")
    if "metadata.json" in held or not holds_manifests(manifests):
        return False
    if os.path.exists(os.path.join(manifests, "init.pp")):
        return False
    files = [name for name in os.listdir(manifests) if name.endswith(".pp")]
    if any(imports(os.path.join(manifests, name)) for name in files):
        return False
    return "modules" in held or any(name in SITES for name in files)
