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

    All but `run` raise OSError; a host below a folder never leaves it, also not by links. A host
    that inherits these methods has nothing and takes nothing.
    """

    def stat(self, path: str) -> Stat | None:
        """Return the entry at a path, None if there is none."""
        return None

    def read(self, path: str) -> bytes:
        """Return the contents of a file."""
        raise absent(path)

    def link_target(self, path: str) -> str:
        """Return where a link points."""
        raise absent(path)

    def names(self, path: str) -> list[str]:
        """Return the names in a folder, sorted."""
        raise absent(path)

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write a file whole: a temporary neighbour, synced, renamed; owner and mode are kept."""
        raise absent(path)

    def make_folder(self, path: str, mode: int | None = None) -> None:
        """Make a folder."""
        raise absent(path)

    def make_link(self, path: str, target: str) -> None:
        """Make a symbolic link."""
        raise absent(path)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, a link, or a folder with its contents."""
        raise absent(path)

    def set_mode(self, path: str, mode: int) -> None:
        """Change the mode."""
        raise absent(path)

    def set_owner(self, path: str, uid: int, gid: int) -> None:
        """Change owner and group; -1 keeps the current one."""
        raise absent(path)

    def user_id(self, name: str) -> int | None:
        """Return the number of a user, by name or number; None if there is none."""
        return None

    def group_id(self, name: str) -> int | None:
        """Return the number of a group."""
        return None

    def which(self, program: str, path: Sequence[str] = ()) -> str | None:
        """Return where a program is."""
        return None

    def run(self, command: Sequence[str] | str, **options: Unpack[RunOptions]) -> Output:
        """Run a command; a text is handed to /bin/sh if `shell` is set.

        Raises:
            ProviderError: it cannot be started, or takes longer than `seconds`.
        """
        return Output(127, "")


class NoHost(Host):
    """A machine that has nothing and takes nothing."""


def absent(path: str) -> FileNotFoundError:
    """Return the error of a missing file."""
    return FileNotFoundError(ENOENT, strerror(ENOENT), path)


EMPTY: Host = NoHost()
