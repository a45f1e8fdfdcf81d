"""The state of files and folders: stored results are valid as long as it is unchanged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from analyzer.digest import blake2b
from analyzer.folders import LINK, names_in
from analyzer.frontends.puppet.hiera.sources.parts import NUL, files_and_form, whole
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.model.completeness import Gap
from analyzer.reach import outermost
from analyzer.reading import state_of
from analyzer.session.changes import NoteChanges, state_in_form

# With more names below the folders, checking them takes longer than it saves.
MOST_NAMES = 100_000


class FileStates:
    """The states of files and folders; each is read from the disk once."""

    def __init__(self) -> None:
        self.read: Callable[[str], str] = state_of
        self.shapes: dict[str, str] = {}
        self.states: dict[str, str] = {}

    def holds(self, read: Mapping[str, str]) -> bool:
        """Return whether no file or key that was read has changed since then."""
        if all(self.state(name, before) == before for name, before in read.items()):
            return True
        return not self.changes(read).concern(read)

    def changes(self, read: Mapping[str, str]) -> NoteChanges:
        """Return the files and keys that have changed since they were noted as read."""
        found = NoteChanges()
        for name, before in read.items():
            now = self.state(name, before)
            if now != before:
                found.add(name, before, now)
        return found

    def state(self, name: str, before: str = "") -> str:
        """Return the state of a file, read once, or of another name that was noted.

        Data are parsed only if their files have changed since the state `before`.
        """
        if NUL not in name:
            if name not in self.states:
                self.states[name] = self.read(name)
            return self.states[name]
        files, form = files_and_form(name)
        states = [self.state(file) for file in files]
        if not files or before.startswith(whole(states)):
            return before
        if name not in self.states:
            self.states[name] = state_in_form(form, files, states)
        return self.states[name]

    def shape(self, folders: Iterable[str]) -> str:
        """Return a digest of all names below folders, and of the targets of links."""
        tops = outermost(map(os.path.realpath, folders))
        for top in tops:
            if top not in self.shapes:
                self.shapes[top] = shape_of(top)
        return " ".join(self.shapes[top] for top in tops)

    def environment(self, found: Environment) -> str:
        """Return a text that changes with an environment, or with a name in its folders."""
        shape = self.shape([*found.roots, *found.modulepath])
        return f"{shape} {sorted(found.roots)} {replace(found, roots=frozenset())!r}"


def depends_on_more(settings: Settings) -> bool:
    """Return whether compiles depend on more than files."""
    return bool(settings.ruby or settings.enc or settings.store or settings.overlay)


# A search cannot repeat these: running programs of others, or changing a store.
ONCE = ("ruby", "enc", "store")


def not_searched(settings: Iterable[Settings]) -> Iterator[Gap]:
    """Yield a gap that names the options that prevent a search of other worlds."""
    options = [f"--{name}" for one in settings for name in ONCE if getattr(one, name)]
    if options:
        reason = f"not searched with {' and '.join(dict.fromkeys(options))}"
        yield Gap("worlds", "other facts and parameters", reason, hides=False)


def digest_of(text: str) -> str:
    """Return the digest of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def shape_of(top: str) -> str:
    """Return a digest of the names below a folder; for a file, of whether it exists.

    Git's own folder is left out: it changes with each command.
    """
    digest = blake2b(f"{top}\0{os.path.isdir(top)}{os.path.lexists(top)}".encode(), digest_size=16)
    pending, left = [top], MOST_NAMES
    while pending:
        folder = pending.pop()
        # Names have no slash: one marks a folder, two a link and where it leads to, three an error.
        rows = []
        try:
            for name, kind in names_in(folder, folder).items():
                target = f"/{os.readlink(os.path.join(folder, name))}" if kind == LINK else ""
                rows.append(f"{kind}{name}{target}")
        except OSError as error:
            rows.append(f"///{error.errno}")
        rows.sort()
        left -= len(rows)
        if left < 0:
            return os.urandom(16).hex()
        digest.update("\0".join(["", folder, *rows, ""]).encode("utf-8", "surrogateescape"))
        inner = (row for row in rows if row[0] == "/" != row[1] and row != "/.git")
        pending += [folder + row for row in inner]
    return digest.hexdigest()


@cache
def code() -> str:
    """Return a stamp of the code that makes results: the state of the packages' files."""
    rows = []
    pending = [os.path.dirname(os.path.dirname(__file__))]
    while pending:
        folder = pending.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".lark", ".json")):
                    stat = entry.stat()
                    rows.append(f"{folder}/{entry.name} {stat.st_size} {stat.st_mtime_ns}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    pending.append(entry.path)
    return digest_of("\n".join(sorted(rows)))
