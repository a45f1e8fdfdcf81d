"""Fetches the tree of a commit from another repository, so that nothing of it can run a program.

Objects go into an empty repository of our own, and files are read from there as git stores them:
nothing is checked out, so hooks, filters, LFS and submodules have no part in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from os.path import abspath

from analyzer.diagnostics import InputError
from analyzer.git import GitRepository
from analyzer.pattern import pattern
from analyzer.reading import most_bytes, size_text
from analyzer.source import Span

# What a source may begin with: git also takes `ext::COMMAND`, which runs a program.
ADDRESS = pattern(r"(?P<scheme>[a-z][a-z0-9+.]*)://[^\s]+")
OF_SSH = pattern(r"[\w.~@-]+:(?!:)[^\s]+")
# A branch, tag or commit, without anything that is more than a name to git.
NAME = pattern(r"(?!.*(?:\.\.|@\{|//))[A-Za-z0-9_][\w./+@#-]*")
COMMIT = pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")

# Files of a commit.
MOST_FILES = 20_000

Row = tuple[str, str, bytes]


class EmptyRepository(GitRepository):
    """A repository in an empty folder, which may fetch from one source.

    `protocols` are those that the user allows: https, http, ssh and file.

    Raises:
        InputError: the source needs another protocol, or cannot be named to git.
    """

    def __init__(self, folder: str, source: str, protocols: Collection[str], place: Span) -> None:
        self.option, self.folder, self.place = source, folder, place
        protocol = protocol_of(source)
        if protocol not in protocols:
            raise self.error(f"--protocol {protocol} allows git to use it, if you trust it")
        self.source = abspath(source) if protocol == "file" and ":" not in source else source
        # Unlike its other callers, this one connects; it must not wait for a password.
        self.variables = {"GIT_ALLOW_PROTOCOL": protocol}
        self.options = ("-c", "core.sshCommand=ssh -oBatchMode=yes")
        self.ask("init", "--quiet", "--template=", ".")

    def fetch(self, reference: str) -> str:
        """Fetch a branch, tag or commit; return the name of its commit.

        Raises:
            InputError: it is not there, or the source cannot be reached.
        """
        if not NAME.fullmatch(reference):
            raise self.error(f"'{reference}' is no name of a branch, tag or commit")
        usual = (
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
        )
        try:
            kept = f"+{reference}:refs/catgraph/wanted"
            self.ask(*usual, "--depth=1", "--", self.source, kept)
            return self.ask("rev-parse", "refs/catgraph/wanted^{commit}").decode().strip()
        except InputError:
            if not re.fullmatch(r"[0-9a-f]{4,64}", reference):
                raise
        # Servers may refuse a commit by its name, and know no abbreviated one.
        self.ask(*usual, "--", self.source, "+refs/*:refs/catgraph/all/*")
        return self.ask("rev-parse", "--verify", f"{reference}^{{commit}}").decode().strip()

    def files(self, commit: str) -> list[Row]:
        """Return the files of a commit: path, mode and content; submodules are left out.

        Raises:
            InputError: they are too many or too large.
        """
        rows = [
            row.split("\t", 1) for row in self.rows("ls-tree", "-r", "-l", "--full-tree", commit)
        ]
        blobs = [(path, *head.split()) for head, path in rows if head.split()[1] == "blob"]
        if len(blobs) > MOST_FILES:
            raise self.error(f"has more than {MOST_FILES:,} files")
        if sum(int(size) for *_, size in blobs) > most_bytes():
            raise self.error(f"has more than {size_text(most_bytes())} (--max-input SIZE)")
        contents = self.blobs(name for _, _, _, name, _ in blobs)
        return [(path, mode, data) for (path, mode, *_), data in zip(blobs, contents, strict=True)]

    def error(self, reason: str, path: str = "") -> InputError:
        """Return an error about the source, at the place that names it."""
        return InputError(f"git repository {self.option}: {reason}", self.place, "cannot-fetch")


def protocol_of(source: str) -> str:
    """Return the protocol of a source; that of a remote helper is its name."""
    if "::" in source:
        return source.partition("::")[0] or "helper"
    if address := ADDRESS.fullmatch(source):
        return address["scheme"]
    return "ssh" if OF_SSH.fullmatch(source) and "/" not in source.partition(":")[0] else "file"
