"""Checks out an input as it was at a revision of its git repository."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from tempfile import TemporaryDirectory, gettempdir

from analyzer.diagnostics import InputError
from analyzer.git import Repository
from analyzer.source import Span

# The modes of a tree: a symbolic link, and a file that may be run; submodules are no blobs.
LINK, PROGRAM = "120000", "100755"

# Names that a tree may hold and no checkout has.
NO_NAMES = ("", ".", "..", ".git")

OPTION = "--rev"

# Folders of revisions; unless it is new, an unlocked one belongs to a run that was killed.
PREFIX = f"catgraph-revision-{os.geteuid()}-"
NEW_SECONDS = 60


@contextmanager
def at_revision(path: str, revision: str, option: str = OPTION) -> Iterator[str]:
    """Give the path of an input among the files of a revision, as long as the context lasts.

    `option` is what asks, for messages.

    The files are written to a folder that is taken away afterwards, and the process works in it
    meanwhile: so a path that is relative stays the same, in what is said of the input too. They
    are as git stores them, past any filter. What git does not keep, as submodules and what an
    installer of modules fetches, is missing.

    Raises:
        InputError: there is no repository, no such revision, or the input was not there.
    """
    repository = Repository(option)
    inside = repository.inside(path)
    here = os.path.realpath(os.getcwd())
    forget_leftovers()
    with TemporaryDirectory(prefix=PREFIX) as folder, held(folder):
        unpack(repository, repository.commit(revision), folder)
        # Its files belong together, as those of the checkout do: `reach.checkout` looks for this.
        os.mkdir(os.path.join(folder, ".git"))
        if not os.path.exists(os.path.join(folder, inside)):
            raise InputError(f"not found in revision {revision}", Span(path), "no-revision")
        start = os.path.join(folder, os.path.relpath(here, repository.top))
        os.makedirs(start, exist_ok=True)
        os.chdir(start)
        try:
            yield os.path.relpath(os.path.join(folder, inside), start)
        finally:
            os.chdir(here)


def older_and_newer(asked: str) -> tuple[str, str]:
    """Return the two revisions that `REV`, `REV..REV` or `REV...REV` means, as git diff reads it.

    The newer one is empty where it is left out: what is here now. Three dots mean that the older
    one is where the newer left it.

    Raises:
        InputError: there is no repository, or the two have nothing in common.
    """
    older, dots, newer = asked.partition("...")
    if not dots:
        older, _, newer = asked.partition("..")
        return older or "HEAD", newer
    return Repository(OPTION).merge_base(older or "HEAD", newer or "HEAD"), newer


@contextmanager
def held(folder: str) -> Iterator[None]:
    """Keep a folder from being taken for a leftover, as long as the context lasts.

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
    """Remove a folder and all below it, no link followed.

    Raises:
        OSError: something of it cannot be removed.
    """
    for place, folders, files in os.walk(folder, topdown=False):
        for path in (os.path.join(place, name) for name in (*files, *folders)):
            (os.unlink if os.path.islink(path) or not os.path.isdir(path) else os.rmdir)(path)
    os.rmdir(folder)


def unpack(repository: Repository, commit: str, folder: str) -> None:
    """Write the files of a commit below a folder.

    Links come last, so that no file is written through one.

    Raises:
        InputError: a name leads out of the folder, or stands twice; an object is missing.
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
