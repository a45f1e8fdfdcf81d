"""The port to a machine: files, commands, users; a real one, or one below a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from errno import ENOENT
from os import strerror
from typing import Protocol, TypedDict, Unpack


@dataclass(frozen=True, slots=True)
class Stat:
    """The entry at a path, without following links: `kind` is file, directory, link or other."""

    kind: str
    mode: int
    uid: int
    gid: int
    size: int = 0
    mtime: float = 0.0


class RunOptions(TypedDict, total=False):
    """The options of a command.

    `environment` is added to the host's, `user` is a name or number, `user:group` or `:group`.
    `seconds` 0 is no limit, None that of the host: no program may block a run.
    """

    environment: Mapping[str, str]
    folder: str | None
    user: str | None
    umask: int | None
    seconds: float | None
    shell: bool
    stdin: bytes


@dataclass(frozen=True, slots=True)
class Output:
    """The result of a command; `text` is standard output and standard error together."""

    code: int
    text: str


class Host(Protocol):
    """All that providers may do to a machine. Paths are absolute, as manifests have them.

    All but `run` raise OSError; a host below a folder never leaves it, also not by links.
    """

    def stat(self, path: str) -> Stat | None:
        """Return the entry at a path, None if there is none."""

    def read(self, path: str) -> bytes:
        """Return the contents of a file."""

    def link_target(self, path: str) -> str:
        """Return where a link points."""

    def names(self, path: str) -> list[str]:
        """Return the names in a folder, sorted."""

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write a file whole: a temporary neighbour, synced, renamed; owner and mode are kept."""

    def make_folder(self, path: str, mode: int | None = None) -> None:
        """Make a folder."""

    def make_link(self, path: str, target: str) -> None:
        """Make a symbolic link."""

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, a link, or a folder (with what is in it)."""

    def set_mode(self, path: str, mode: int) -> None:
        """Change the mode."""

    def set_owner(self, path: str, uid: int, gid: int) -> None:
        """Change owner and group; -1 leaves one as it is."""

    def user_id(self, name: str) -> int | None:
        """Return the number of a user, by name or number; None if there is none."""

    def group_id(self, name: str) -> int | None:
        """Return the number of a group."""

    def which(self, program: str, path: Sequence[str] = ()) -> str | None:
        """Return where a program is."""

    def run(self, command: Sequence[str] | str, **options: Unpack[RunOptions]) -> Output:
        """Run a command; a text is handed to /bin/sh if `shell` is set.

        Raises:
            ProviderError: it cannot be started, or takes longer than `seconds`.
        """


class NoHost:
    """A machine that has nothing and takes nothing."""

    def stat(self, path: str) -> Stat | None:
        """Nothing is anywhere."""
        return None

    def user_id(self, name: str) -> int | None:
        """There are no users."""
        return None

    def group_id(self, name: str) -> int | None:
        """There are no groups."""
        return None

    def which(self, program: str, path: Sequence[str] = ()) -> str | None:
        """There are no programs."""
        return None

    def read(self, path: str) -> bytes:
        """There is nothing to read."""
        raise absent(path)

    def link_target(self, path: str) -> str:
        """There are no links."""
        raise absent(path)

    def names(self, path: str) -> list[str]:
        """There are no folders."""
        raise absent(path)

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Nothing can be written."""
        raise absent(path)

    def make_folder(self, path: str, mode: int | None = None) -> None:
        """Nothing can be made."""
        raise absent(path)

    def make_link(self, path: str, target: str) -> None:
        """Nothing can be made."""
        raise absent(path)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """There is nothing to remove."""
        raise absent(path)

    def set_mode(self, path: str, mode: int) -> None:
        """There is nothing to change."""
        raise absent(path)

    def set_owner(self, path: str, uid: int, gid: int) -> None:
        """There is nothing to change."""
        raise absent(path)

    def run(self, command: Sequence[str] | str, **options: Unpack[RunOptions]) -> Output:
        """Nothing can be run."""
        return Output(127, "")


def absent(path: str) -> FileNotFoundError:
    """Return the error of what is not there."""
    return FileNotFoundError(ENOENT, strerror(ENOENT), path)


EMPTY: Host = NoHost()
