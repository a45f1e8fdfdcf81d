"""The files that may be read: untrusted code names files, and links lead anywhere."""

from __future__ import annotations

import os
from errno import EACCES

from analyzer.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping

    # The kind of each name.
    Names = Mapping[str, str]

# Kinds of names in a folder: everything else is a file.
FILE, FOLDER, LINK = "", "/", "//"

# What packages of Puppet and CFEngine install for everybody; a link leads from one into the other.
INSTALLED = ("/usr/share/puppet", "/usr/share/cfengine3", "/opt/puppetlabs/puppet/modules")

# What a folder is read for that is too wide as a whole: a home, or the root.
PARTS = (
    *("data", "functions", "hieradata", "lib", "manifests", "modules", "site", "site-modules"),
    *("types", "environment.conf", "hiera.yaml", "metadata.json"),
)


# What is wrong with a file that the user named, or a pattern.
LINKED_OUT = "it links to a place outside its checkout"


class Outside(PermissionError):
    """A file that may not be read."""

    def __init__(self, path: str) -> None:
        reason = "its real path is outside the checkout and the modulepath (--allow-read DIR)"
        super().__init__(EACCES, reason, path)


class within:
    """Lets nothing be read but files at or below real paths, as long as the context lasts.

    `current` are those of the context, None where everything may be read. `folders` are the ones
    that were met: their real paths, and whether all in them may be read.
    """

    current: Collection[str] | None = None
    folders: dict[str, tuple[str, bool]]

    def __init__(self, roots: Iterable[str] | None) -> None:
        self.roots = None if roots is None else frozenset(roots)

    def __enter__(self) -> None:
        """Begin."""
        self.before = within.current, within.folders
        within.current, within.folders = self.roots, {}

    def __exit__(self, *error: object) -> None:
        """Allow again what could be read before."""
        within.current, within.folders = self.before


within.folders = {}


class lasting:
    """Keeps answers of the file system about paths, as long as the context lasts.

    For many compiles of the same files; no content is read by a kept answer (see `check`).
    """

    current: dict[Hashable, bool] | None = None

    def __enter__(self) -> None:
        """Begin; a context around this one keeps the answers longer."""
        self.before = lasting.current
        if self.before is None:
            lasting.current = {}

    def __exit__(self, *error: object) -> None:
        """End."""
        lasting.current = self.before


def kept(question: Callable[[str], bool], path: str) -> bool:
    """Return the answer to a question about a path, which depends on the roots of the context."""
    answers = lasting.current
    if answers is None:
        return question(path)
    key = question, path, within.current
    if key not in answers:
        answers[key] = question(path)
    return answers[key]


class listing:
    """Keeps the names in folders as long as the context lasts, by the real paths of the folders.

    For a command that looks for several kinds of files in the same folders.
    """

    current: dict[str, Names] | None = None

    def __enter__(self) -> None:
        """Begin."""
        self.before = listing.current
        listing.current = {}

    def __exit__(self, *error: object) -> None:
        """End."""
        listing.current = self.before


def names_in(folder: str, real: str) -> Names:
    """Return the names in a folder, which has a real path.

    Raises:
        OSError: it cannot be read.
    """
    known = known_names(real)
    if known is not None:
        return known
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                found[entry.name] = FILE
            elif entry.is_dir(follow_symlinks=False):
                found[entry.name] = FOLDER
            else:
                found[entry.name] = LINK if entry.is_symlink() else FILE
    if listing.current is not None:
        listing.current[real] = found
    return found


def known_names(real: str) -> Names | None:
    """Return the names in a folder by its real path, None if it was not read in this context."""
    return None if listing.current is None else listing.current.get(real)


def exists(real: str, name: str) -> bool:
    """Return whether a name in a folder leads to something; `real` is the path of the folder."""
    known = known_names(real)
    if known is None or known.get(name) == LINK:
        return os.path.exists(os.path.join(real, name))
    return name in known


def may_read(path: str, roots: Collection[str] | None = None) -> bool:
    """Return whether a file is one of those that may be read, links followed; it need not be there.

    `roots` are real paths, or those of the context.
    """
    if roots is not None:
        return is_below(os.path.realpath(path), roots)
    if within.current is None:
        return True
    folder, name = os.path.split(path)
    if not is_plain(path, name):
        return is_below(os.path.realpath(path), within.current)
    real, all_in_it = within.folders.get(folder) or met(folder, within.current)
    return all_in_it or os.path.join(real, name) in within.current


def met(folder: str, roots: Collection[str]) -> tuple[str, bool]:
    """Return the real path of a folder, and whether all in it may be read; note both.

    A compile asks for hundreds of files in the same folders, and `realpath` asks the system for
    each part of a path.
    """
    above, name = os.path.split(folder)
    if is_plain(folder, name):
        real = os.path.join((within.folders.get(above) or met(above, roots))[0], name)
    else:
        real = os.path.realpath(folder)
    within.folders[folder] = found = real, is_below(real, roots)
    return found


class RealPaths:
    """The real paths of many files: `realpath` would ask for each folder of each of them."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}
        self.files: dict[str, str] = {}
        self.inside: dict[tuple[str, frozenset[str]], bool] = {}

    def is_below(self, path: str, roots: frozenset[str]) -> bool:
        """Return whether the real path of a file is one of some, or below one."""
        real = self.of(path)
        known = os.path.dirname(real), roots
        if known not in self.inside:
            self.inside[known] = is_below(*known)
        return self.inside[known] or real in roots

    def of(self, path: str) -> str:
        """Return the real path of a file."""
        if path not in self.files:
            self.files[path] = self._find(path)
        return self.files[path]

    def _find(self, path: str) -> str:
        folder, name = os.path.split(path)
        # The folder above one that is not there is only a part of the name.
        if os.pardir in path or name in NO_NAMES:
            return os.path.realpath(path)
        return real_in(self.folders.get(folder) or self._met(folder), name, path)

    def _met(self, folder: str) -> str:
        """Return the real path of a folder; note those of the folders that it is in."""
        new = []
        while folder not in self.folders and os.path.basename(folder) not in NO_NAMES:
            new.append(folder)
            folder = os.path.dirname(folder)
        real = self.folders.get(folder) or os.path.realpath(folder)
        self.folders[folder] = real
        for one in reversed(new):
            real = self.folders[one] = real_in(real, os.path.basename(one), one)
        return real


# Parts of a path that name nothing in the folder before them.
NO_NAMES = ("", os.curdir, os.pardir)


def real_in(real: str, name: str, path: str) -> str:
    """Return the real path of a name in a folder, whose real path is given, and its path."""
    known = known_names(real)
    is_link = os.path.islink(path) if known is None else known.get(name) == LINK
    return os.path.realpath(path) if is_link else os.path.join(real, name)


def is_plain(path: str, name: str) -> bool:
    """Return whether a path stands where the folder stands that its last part is in."""
    return name not in NO_NAMES and not os.path.islink(path)


def is_below(path: str, roots: Collection[str]) -> bool:
    """Return whether a real path is one of some, or below one."""
    return any(part in roots for part in upwards(path))


def outermost(folders: Iterable[str]) -> list[str]:
    """Return the folders that are not below another one."""
    found: list[str] = []
    for folder in sorted(set(folders), key=lambda one: os.path.join(one, "")):
        if not found or not folder.startswith(os.path.join(found[-1], "")):
            found.append(folder)
    return found


def check(path: str) -> str:
    """Return a path that may be read.

    Raises:
        Outside: it may not.
    """
    if not may_read(path):
        raise Outside(path)
    return path


def upwards(path: str) -> Iterator[str]:
    """Yield a path and the folders that it is in."""
    yield path
    while (above := os.path.dirname(path)) != path:
        yield above
        path = above


def checkout(path: str) -> str:
    """Return the folder that a path was checked out with, by what git left in it.

    That is where the path stands as it is written: a link in it may lead elsewhere. Without that,
    it is the control repo or what the manifests are of, by the names of folders; else the path.
    """
    for folder in upwards(os.path.abspath(path)):
        if is_wide(folder):
            break
        if os.path.lexists(os.path.join(folder, ".git")):
            return os.path.realpath(folder)
    real = guess = os.path.realpath(path)
    for folder in upwards(real):
        above, name = os.path.split(folder)
        if is_wide(folder):
            break
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        if name == "manifests" and guess == real:
            guess = above
        if os.path.basename(above) == "environments":
            guess = os.path.dirname(above)
    return guess


def leads_out(path: str) -> bool:
    """Return whether a path that was named leads out of the checkout that it stands in.

    Names may come from a pattern, or from what a branch changes.
    """
    if os.path.realpath(path) == os.path.abspath(path):
        return False  # No link is on its way.
    return not may_read(path, roots_of([path]))


# Homes with the folders that they are in: asked for each folder above a path.
ABOVE_HOMES: dict[str, frozenset[str]] = {}


def is_wide(folder: str) -> bool:
    """Return whether a folder holds more than code: a home, or what homes are in."""
    home = os.path.expanduser("~")
    if home not in ABOVE_HOMES:
        ABOVE_HOMES[home] = frozenset(upwards(os.path.realpath(home)))
    return folder in ABOVE_HOMES[home]


# The paths of the code that this process was given: only more of them come.
CODE: dict[str, None] = {}


def note_code(paths: Iterable[str]) -> None:
    """Note paths as those of code: nothing that was stored below them is used (see `apart`)."""
    CODE.update(dict.fromkeys(map(os.path.abspath, paths)))


def roots_of(
    paths: Iterable[str], named: Iterable[str] = (), known: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Return the real paths that may be read: those of the code, and those that the user named.

    `known` are the roots of more code, from a call without names.

    What a link in a folder that the user named leads to may be read if the folder is not part of
    the code: those who wrote the code did not make the link.
    """
    found = {*known, *(os.path.realpath(place) for place in INSTALLED)}
    for path in paths:
        place = checkout(path)
        if is_wide(place):
            found |= {os.path.realpath(os.path.join(place, part)) for part in PARTS}
        else:
            found.add(place)
    for path in named:
        linked = [] if may_read(path, found) else links_in(path)
        found |= {os.path.realpath(path), *map(os.path.realpath, linked)}
    return frozenset(found)


def links_in(folder: str) -> list[str]:
    """Return the links in a folder, none if it is no folder."""
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_symlink()]
    except OSError:
        return []


# Folders of a Puppet server, which a checkout stands for.
OF_SERVER = pattern(r"/(?:etc|opt|srv|var/lib)/(?:puppet|openvox|hiera)|\$\w+/")


def tail_in(folder: str, path: str) -> str:
    """Return the place of a server's path in a folder: the longest tail that exists there.

    Any other path stays, and one without such a tail.
    """
    if not OF_SERVER.match(path) or path.startswith(os.path.join(os.path.abspath(folder), "")):
        return path
    parts = [part for part in path.split("/") if part not in ("", ".", os.pardir)]
    for start in range(1, len(parts)):
        here = os.path.join(folder, *parts[start:])
        if may_read(here) and os.path.exists(here):
            return here
    return path
