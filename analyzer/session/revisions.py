"""An input as it was at a revision of its git repository."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from analyzer.diagnostics import InputError
from analyzer.source import Span

# Seconds after which git is given up.
PATIENCE = 120


@contextmanager
def at_revision(path: str, revision: str) -> Iterator[str]:
    """Give the path of an input among the files of a revision, as long as the context lasts.

    The files are written to a folder that is taken away afterwards, and the process works in it
    meanwhile: so a path that is relative stays the same, in what is said of the input too. What
    git does not keep, as submodules and what an installer of modules fetches, is not there.

    Raises:
        InputError: there is no repository, no such revision, or the input was not there.
    """
    top = top_of(path)
    here, inside = os.path.realpath(os.getcwd()), os.path.relpath(os.path.realpath(path), top)
    with TemporaryDirectory(prefix="catgraph-") as folder:
        unpack(top, tree_of(top, revision), folder)
        if not os.path.exists(os.path.join(folder, inside)):
            raise InputError(f"{revision} does not have it", Span(path), "no-revision")
        within = os.path.commonpath([here, top]) == top
        start = os.path.join(folder, os.path.relpath(here, top)) if within else folder
        os.makedirs(start, exist_ok=True)
        os.chdir(start)
        try:
            yield os.path.relpath(os.path.join(folder, inside), start)
        finally:
            os.chdir(here)


def older_and_newer(path: str, asked: str) -> tuple[str, str]:
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
    try:
        base = git(top_of(path), "merge-base", "--end-of-options", older or "HEAD", newer or "HEAD")
    except InputError as error:
        said = f"{older or 'HEAD'} and {newer or 'HEAD'} have nothing in common here"
        raise InputError(said, error.span, "no-revision") from None
    return base.decode().strip(), newer


def top_of(path: str) -> str:
    """Return the top folder of the repository that a path is in.

    Raises:
        InputError: it is in none, or not there at all.
    """
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise InputError("cannot be read: No such file or directory", Span(path))
    return os.path.realpath(os.fsdecode(git(folder, "rev-parse", "--show-toplevel")).rstrip("\n"))


def tree_of(top: str, revision: str) -> str:
    """Return the name of a revision's files.

    Raises:
        InputError: there is no such revision.
    """
    asked = f"{revision}^{{tree}}"
    try:
        return git(top, "rev-parse", "--verify", "--end-of-options", asked).decode().strip()
    except InputError as error:
        hint = "a shallow clone may lack it (git fetch)"
        said = f"there is no revision '{revision}' here; {hint}"
        raise InputError(said, error.span, "no-revision") from None


def unpack(top: str, tree: str, folder: str) -> None:
    """Write the files of a revision, with an index of their own beside the repository's."""
    with TemporaryDirectory(prefix="catgraph-") as aside:
        index = {"GIT_INDEX_FILE": os.path.join(aside, "index")}
        git(top, "read-tree", tree, **index)
        git(top, "checkout-index", "--all", f"--prefix={os.path.join(folder, '')}", **index)


def git(folder: str, *arguments: str, **environment: str) -> bytes:
    """Return what git prints; `environment` is added to the process's own.

    Raises:
        InputError: it fails, or is not there.
    """
    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments],
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C", **environment},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git cannot be run: {error}", Span(folder), "no-git") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().split("\n")[0]
        raise InputError(f"git says: {said}", Span(folder), "no-git")
    return done.stdout
