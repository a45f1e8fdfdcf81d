"""Checks out an input as it was at a revision of its git repository."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from tempfile import TemporaryDirectory, gettempdir

from analyzer.diagnostics import InputError
from analyzer.git import GitRepository, blob_name
from analyzer.source import Span

# Modes in a tree: a symbolic link, and an executable file; submodules are not blobs.
LINK, PROGRAM = "120000", "100755"

# Names that a tree may hold but a checkout may not.
NO_NAMES = ("", ".", "..", ".git")

OPTION = "--rev"

# Folders of revisions. An unlocked folder that is not new belongs to a run that was killed.
PREFIX = f"catgraph-revision-{os.geteuid()}-"
NEW_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Checkout:
    """An input among the files of a revision, which are below `top`.

    `path` is the input seen from `start`, which stands for the working folder: so relative paths
    stay the same, in messages too.
    """

    top: str
    start: str
    path: str

    @contextmanager
    def entered(self) -> Iterator[str]:
        """Make `start` the working folder of the process; yield the path of the input."""
        here = os.path.realpath(os.getcwd())
        os.chdir(self.start)
        try:
            yield self.path
        finally:
            os.chdir(here)


@contextmanager
def checked_out(path: str, revision: str, option: str = OPTION) -> Iterator[Checkout]:
    """Write the files of a revision to a temporary folder; remove them at the end.

    `option` is the option that needs it, for messages.

    The files are as git stores them, without filters. Files that git does not store are missing:
    submodules, and modules that an installer fetches.

    Raises:
        InputError: the repository, the revision, or the input in it does not exist.
    """
    repository = GitRepository(option)
    inside = repository.inside(path)
    here = os.path.realpath(os.getcwd())
    forget_leftovers()
    with TemporaryDirectory(prefix=PREFIX) as folder, held(folder):
        unpack(repository, repository.commit(revision), folder)
        # `reach.checkout` looks for this name to find the files that belong together.
        os.mkdir(os.path.join(folder, ".git"))
        if not os.path.exists(os.path.join(folder, inside)):
            raise InputError(f"not found in revision {revision}", Span(path), "no-revision")
        start = os.path.join(folder, os.path.relpath(here, repository.top))
        os.makedirs(start, exist_ok=True)
        yield Checkout(folder, start, os.path.relpath(os.path.join(folder, inside), start))


@contextmanager
def at_revision(path: str, revision: str, option: str = OPTION) -> Iterator[str]:
    """Yield the path of an input among the files of a revision, in their folder.

    Raises:
        InputError: as for `checked_out`.
    """
    with checked_out(path, revision, option) as found, found.entered() as inside:
        yield inside


def older_and_newer(asked: str) -> tuple[str, str]:
    """Return the two revisions of `REV`, `REV..REV` or `REV...REV`, with git diff's meaning.

    The newer one is empty if it is left out: the files on disk. With three dots, the older one is
    the merge base.

    Raises:
        InputError: there is no repository, or the two have no merge base.
    """
    older, dots, newer = asked.partition("...")
    if not dots:
        older, _, newer = asked.partition("..")
        return older or "HEAD", newer
    return GitRepository(OPTION).merge_base(older or "HEAD", newer or "HEAD"), newer


def is_unchanged(older: str, newer: str) -> bool:
    """Return whether two revisions hold the same files; the newer one is the disk if it is empty.

    Files that git ignores are no part of either.

    Raises:
        InputError: there is no repository, or no such revision.
    """
    repository = GitRepository(OPTION)
    commits = [repository.commit(revision) for revision in (older, newer) if revision]
    if newer:
        trees = [
            repository.ask("rev-parse", "--verify", f"{commit}^{{tree}}") for commit in commits
        ]
        return trees[0] == trees[1]
    rows = repository.rows("ls-tree", "-r", "--full-tree", commits[0])
    if repository.rows("ls-files", "--full-name", "--others", "--exclude-standard"):
        return False
    return all(is_on_disk(row, repository.top) for row in rows)


def is_on_disk(row: str, top: str) -> bool:
    """Return whether a row of a tree is a file that is the same on disk."""
    about, _, path = row.partition("\t")
    mode, _, name = about.split(" ")
    place = os.path.join(top, path)
    try:
        if mode == LINK:
            data = os.fsencode(os.readlink(place))
        elif os.path.islink(place) or not os.path.isfile(place):
            return False
        else:
            with open(place, "rb") as opened:
                data = opened.read()
    except OSError:
        return False
    return name == blob_name(data, name)


@contextmanager
def held(folder: str) -> Iterator[None]:
    """Lock a folder, so that it is not removed as a leftover.

    Raises:
        OSError: another process holds it.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        flock(opened, LOCK_EX | LOCK_NB)
        yield
    finally:
        os.close(opened)


def forget_leftovers() -> None:
    """Remove the folders of runs that were killed."""
    for name in os.listdir(gettempdir()):
        folder = os.path.join(gettempdir(), name)
        with suppress(OSError):
            found = os.lstat(folder)
            old = time.time() - found.st_mtime > NEW_SECONDS
            if name.startswith(PREFIX) and found.st_uid == os.geteuid() and old:
                with held(folder):
                    remove(folder)


def remove(folder: str) -> None:
    """Remove a folder and everything below it, without following links.

    Raises:
        OSError: a part of it cannot be removed.
    """
    for place, folders, files in os.walk(folder, topdown=False):
        for path in (os.path.join(place, name) for name in (*files, *folders)):
            (os.unlink if os.path.islink(path) or not os.path.isdir(path) else os.rmdir)(path)
    os.rmdir(folder)


def unpack(repository: GitRepository, commit: str, folder: str) -> None:
    """Write the files of a commit below a folder.

    Links come last, so that no file is written through one.

    Raises:
        InputError: a name leads out of the folder or occurs twice, or an object is missing.
    """
    rows = [row.partition("\t") for row in repository.rows("ls-tree", "-r", "--full-tree", commit)]
    files = [(*about.split(" "), path) for about, _, path in rows]
    files = sorted((row for row in files if row[1] == "blob"), key=lambda row: row[0] == LINK)
    contents = repository.blobs(name for _, _, name, _ in files)
    for (mode, _, _, path), data in zip(files, contents, strict=True):
        if not set(path.lower().split("/")).isdisjoint(NO_NAMES):
            raise repository.error(f"the commit {commit} holds the path {path!r}")
        try:
            write(os.path.join(folder, path), mode, data)
        except (OSError, ValueError) as error:
            raise repository.error(f"{path!r} of the commit {commit}: {error}") from None


def write(path: str, mode: str, data: bytes) -> None:
    """Write a file, or a link, that does not exist yet."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if mode == LINK:
        os.symlink(data, os.fsencode(path))
        return
    with open(path, "xb") as opened:
        opened.write(data)
        os.chmod(opened.fileno(), 0o700 if mode == PROGRAM else 0o600)
