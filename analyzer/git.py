"""The repository of the working folder, asked so that nothing in it can run a program.

Only plumbing is used, which reads objects, references and the index: files of the working tree
are compared by us, as git would pass them through filters, and `.git/config` may name any program
as one. What else git would start is switched off below, for every version of git: options of the
command line and these variables come before the configuration of a repository.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryFile
from threading import Timer
from types import MappingProxyType
from typing import IO

from analyzer.diagnostics import InputError
from analyzer.reading import why_missing
from analyzer.source import Span

# Seconds after which git is given up; bytes of a list, and of all files of a commit.
PATIENCE = 120
MOST_LISTED = 256 << 20
MOST = 2 << 30

CONFIGURATION = {
    # A folder that looks like a bare repository may be part of a commit, with its configuration.
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "",
    "core.untrackedCache": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "false",
    "core.alternateRefsCommand": "",
    "diff.external": "",
    "protocol.allow": "never",
}

OPTIONS = (
    *("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs"),
    *(word for key, value in CONFIGURATION.items() for word in ("-c", f"{key}={value}")),
)

VARIABLES = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
}

# Of the user's variables for git, those that say which repositories to trust and where they end.
# The others are about the repository of a hook, or name programs.
KEPT = ("GIT_CONFIG", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM")


class GitRepository:
    """The repository that the working folder is in; `option` is what asks, for messages.

    `top` is the real path of its topmost folder.

    Raises:
        InputError: it is in none, or git does not trust it.
    """

    # What a run of git is given beyond OPTIONS and VARIABLES.
    options: tuple[str, ...] = ()
    variables: Mapping[str, str] = MappingProxyType({})

    def __init__(self, option: str) -> None:
        self.option = option
        self.folder = os.getcwd()
        top = self.ask("rev-parse", "--show-toplevel").removesuffix(b"\n")
        self.top = self.folder = os.path.realpath(os.fsdecode(top))

    def inside(self, path: str) -> str:
        """Return the path of a file or folder from the top.

        Raises:
            InputError: it is not there, or in another repository.
        """
        if not os.path.exists(path):
            raise InputError(f"cannot be read: {why_missing(path)}", Span(path))
        real = folder = os.path.realpath(path)
        while folder not in (self.top, os.path.dirname(folder)):
            if os.path.lexists(os.path.join(folder, ".git")):
                break
            folder = os.path.dirname(folder)
        if folder != self.top:
            reason = (
                f"this is not in the git repository of the working folder, {self.top}: run "
                "catgraph inside its repository"
            )
            raise self.error(reason, path)
        return os.path.relpath(real, self.top)

    def commit(self, revision: str) -> str:
        """Return the name of the commit that a revision means.

        Raises:
            InputError: there is none.
        """
        try:
            found = self.ask("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
        except InputError:
            reason = (
                f"there is no revision '{revision}' here; a shallow clone may lack it (git fetch)"
            )
            raise InputError(f"{self.option}: {reason}", Span(self.folder), "no-revision") from None
        return found.decode().strip()

    def merge_base(self, one: str, other: str) -> str:
        """Return the commit where one revision left another.

        Raises:
            InputError: one is not there, or they have nothing in common.
        """
        commits = self.commit(one), self.commit(other)
        try:
            return self.ask("merge-base", *commits).decode().strip()
        except InputError:
            reason = f"{one} has no common ancestor with {other} in this clone"
            raise InputError(f"{self.option}: {reason}", Span(self.folder), "no-revision") from None

    def rows(self, *arguments: str) -> list[str]:
        """Return the rows that a command prints with `-z`."""
        return os.fsdecode(self.ask(*arguments, "-z")).split("\0")[:-1]

    def ask(self, *arguments: str) -> bytes:
        """Return the output of git.

        Raises:
            InputError: it fails, prints too much, takes too long, or is not there.
        """
        with self._running(arguments) as printed:
            return self._bounded(printed, MOST_LISTED)

    def blobs(self, names: Iterable[str]) -> Iterator[bytes]:
        """Yield the contents of files by the names of their objects.

        Raises:
            InputError: one is missing.
        """
        request = "".join(f"{name}\n" for name in names).encode()
        left = MOST
        with self._running(("cat-file", "--batch"), request) as printed:
            while header := printed.readline():
                name, *kind = header.decode(errors="replace").split()
                if len(kind) != 2 or kind[0] != "blob":
                    reason = f"the object {name} is missing: a partial or damaged clone (git fetch)"
                    raise self.error(reason)
                left -= int(kind[1])
                yield self._bounded(printed, left, int(kind[1]))
                printed.read(1)

    def error(self, reason: str, path: str = "") -> InputError:
        """Return an error about a path, or the working folder."""
        return InputError(f"{self.option}: {reason}", Span(path or self.folder), "no-git")

    def _bounded(self, printed: IO[bytes], most: int, size: int | None = None) -> bytes:
        """Return the output, all of it or so many bytes.

        Raises:
            InputError: it is too much.
        """
        data = b"" if most < 0 else printed.read(most + 1 if size is None else min(size, most + 1))
        if len(data) > most or most < 0:
            raise self.error("the repository holds more than can be looked at")
        return data

    @contextmanager
    def _running(self, arguments: tuple[str, ...], request: bytes = b"") -> Iterator[IO[bytes]]:
        """Give what git prints to be read, as long as the context lasts.

        Raises:
            InputError: it fails.
        """
        command = [self._program(), *OPTIONS, *self.options, "-C", self.folder, *arguments]
        variables = {**environment(), **self.variables}
        with TemporaryFile() as given, TemporaryFile() as errors:
            given.write(request)
            given.seek(0)
            try:
                process = subprocess.Popen(
                    command, stdin=given, stdout=subprocess.PIPE, stderr=errors, env=variables
                )
            except OSError as error:
                raise self.error(f"git cannot be run: {error}") from None
            assert process.stdout is not None
            late = Timer(PATIENCE, process.kill)
            late.start()
            try:
                yield process.stdout
                process.wait()
            finally:
                timely = late.is_alive()
                late.cancel()
                process.kill()
                process.stdout.close()
                process.wait()
            errors.seek(0)
            self._check(process.returncode if timely else None, errors.read(4096))

    def _check(self, code: int | None, errors: bytes) -> None:
        """Refuse what a run of git that failed gave.

        Raises:
            InputError: it failed, or was ended as None says.
        """
        if code is None:
            raise self.error(f"git took more than {PATIENCE} seconds")
        message = errors.decode(errors="replace").strip().split("\n")[0]
        if "not a git repository" in message:
            raise self.error(
                "the working folder is in no git repository, and no other one is asked: "
                "run catgraph inside the repository of the input"
            )
        if code:
            raise self.error(f"git says: {message or f'exit code {code}'}")

    def _program(self) -> str:
        """Return the path of git; a relative folder of PATH may be part of the repository.

        Raises:
            InputError: it is not there.
        """
        for folder in filter(os.path.isabs, os.get_exec_path()):
            path = os.path.join(folder, "git")
            if os.access(path, os.X_OK):
                return path
        raise self.error("git cannot be run: it is not in any folder of PATH")


def file_at(option: str, revision: str, path: str) -> bytes | None:
    """Return the content that a file had at a revision, None if it did not exist.

    Raises:
        InputError: there is no repository or no such revision, or the file is in another one.
    """
    repository = GitRepository(option)
    folder = repository.inside(os.path.dirname(path) or os.curdir)
    name = os.path.normpath(os.path.join(folder, os.path.basename(path)))
    commit = repository.commit(revision)
    _, kind, blob = (
        *repository.ask("ls-tree", "-z", "--full-tree", commit, "--", name).split(),
        b"",
        b"",
        b"",
    )[:3]
    return next(repository.blobs([blob.decode()])) if kind == b"blob" else None


def blob_name(data: bytes, like: str) -> str:
    """Return git's name of a file's content, with the same kind of hash as another name."""
    made = hashlib.new("sha1" if len(like) == 40 else "sha256", usedforsecurity=False)
    made.update(b"blob %d\0" % len(data) + data)
    return made.hexdigest()


def environment() -> dict[str, str]:
    """Return the variables that git is run with."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(KEPT)
    }
    return kept | VARIABLES
