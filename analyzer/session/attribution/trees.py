"""The files of the two sides of a comparison, and copies of them in which lines are undone."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from analyzer.reading import bytes_of

# Folders whose files no compile reads.
SKIPPED = frozenset({".git", ".svn", ".hg", ".bundle", "node_modules"})
# Files of a tree that are compared; of more of them nothing is attributed.
MOST_FILES = 200_000


@dataclass(frozen=True, slots=True)
class Tree:
    """One side: the `path` of the input as it is named in the folder `start`.

    `root` is the real path of the folder of its code; of a manifest without an environment it is
    the manifest itself. Messages name files as they are seen from `base`, else from `start`.
    """

    path: str
    root: str
    start: str
    base: str = ""

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Make the folder the working folder of the process."""
        here = os.getcwd()
        os.chdir(self.start)
        try:
            yield
        finally:
            os.chdir(here)

    def shown(self, name: str) -> str:
        """Return the path of a file of the tree as messages name it."""
        path = os.path.join(self.root, name) if name else self.root
        shown = os.path.relpath(path, self.base or self.start)
        return path if shown.startswith(os.pardir) and os.path.isabs(self.path) else shown

    def name_of(self, path: str) -> str | None:
        """Return the name of a file of the tree by its real path, None for another file."""
        if path == self.root:
            return ""
        below = os.path.join(self.root, "")
        return path[len(below) :] if path.startswith(below) else None


def names_of(root: str) -> set[str] | None:
    """Return the names of the regular files of a tree, None if there are too many.

    The empty name is a root that is a file itself.
    """
    if not os.path.isdir(root):
        return {""}
    found: set[str] = set()
    for entry in entries_below(root):
        if entry.is_file(follow_symlinks=False):
            found.add(os.path.relpath(entry.path, root))
            if len(found) > MOST_FILES:
                return None
    return found


def entries_below(root: str) -> Iterator[os.DirEntry[str]]:
    """Yield what is below a folder and is no folder itself; no link is followed."""
    pending = [root]
    while pending:
        folder = pending.pop()
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    yield entry
                elif entry.name not in SKIPPED:
                    pending.append(entry.path)


def changed_files(old: Tree, new: Tree) -> dict[str, tuple[str | None, str | None]]:
    """Return the texts of the files that differ, None where there is none."""
    before, after = names_of(old.root), names_of(new.root)
    if before is None or after is None:
        return {}
    found: dict[str, tuple[str | None, str | None]] = {}
    for name in sorted(before | after):
        texts = text_in(old, name, before), text_in(new, name, after)
        if texts[0] != texts[1]:
            found[name] = texts
    return found


def text_in(tree: Tree, name: str, names: Collection[str]) -> str | None:
    """Return the text of a file of a tree, None if there is none."""
    if name not in names:
        return None
    try:
        data = bytes_of(os.path.join(tree.root, name) if name else tree.root)
    except OSError:
        return None
    return data.decode("utf-8", "surrogateescape")


@contextmanager
def copy_of(tree: Tree) -> Iterator[Tree]:
    """Yield a copy of a tree; its files may be replaced, but not written to."""
    with TemporaryDirectory(prefix="catgraph-undone-") as folder:
        real = os.path.realpath(folder)
        if not os.path.isdir(tree.root):
            path = os.path.join(real, os.path.basename(tree.root))
            place_copy(tree.root, path)
            yield Tree(path, path, tree.start)
            return
        os.mkdir(os.path.join(real, ".git"))
        for entry in entries_below(tree.root):
            target = os.path.join(real, os.path.relpath(entry.path, tree.root))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), target)
            elif entry.is_file(follow_symlinks=False):
                place_copy(entry.path, target)
        yield moved(tree, real)


def moved(tree: Tree, root: str) -> Tree:
    """Return a tree with another root; it starts in there if the tree does."""
    start, path = os.path.realpath(tree.start), os.path.join(tree.start, tree.path)
    inside = os.path.relpath(start, tree.root)
    if not inside.startswith(os.pardir):
        start = os.path.join(root, inside)
        os.makedirs(start, exist_ok=True)
        if not os.path.isabs(tree.path):
            return Tree(tree.path, root, start)
    return Tree(
        os.path.join(root, os.path.relpath(os.path.realpath(path), tree.root)), root, tree.start
    )


def place_copy(path: str, target: str) -> None:
    """Link a file, or copy it to another file system."""
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError:
        with suppress(OSError), open(target, "xb") as opened:
            opened.write(bytes_of(path))


def put(tree: Tree, name: str, text: str | None) -> None:
    """Replace a file of a copy; None removes it."""
    path = os.path.join(tree.root, name) if name else tree.root
    with suppress(FileNotFoundError):
        os.unlink(path)
    if text is None:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as opened:
        opened.write(text.encode("utf-8", "surrogateescape"))
