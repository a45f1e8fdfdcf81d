"""The files of the machine, as far as they are known: what the policy made, and what is read."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.policy.unknown import Unknown, unknown_part

# Folders and files that every Linux machine has.
ORDINARY = {
    **dict.fromkeys(
        ("/", "/bin", "/dev", "/etc", "/proc", "/root", "/sbin", "/tmp", "/usr", "/usr/bin"),
        "directory",
    ),
    **dict.fromkeys(("/usr/lib", "/usr/sbin", "/usr/share", "/var", "/var/log"), "directory"),
    **dict.fromkeys(("/bin/echo", "/bin/false", "/bin/sh", "/bin/true"), "program"),
    **dict.fromkeys(("/etc/group", "/etc/passwd"), "file"),
}
# The folders of CFEngine itself, whose place depends on the build.
OWN = ("$(sys.workdir)", "$(sys.statedir)", "$(sys.inputdir)")
UNREAD, EMPTY, HOST = "unknown", "empty", "host"
LARGEST = 1_000_000


UNREAD_TEXT = Unknown("the content of the file is not known here")


@dataclass(slots=True)
class File:
    """A file: `kind` is file, directory, link or program; `text` is its content where known."""

    kind: str = "file"
    text: str | Unknown = UNREAD_TEXT


@dataclass(slots=True)
class Files:
    """The files at one moment of the run.

    `mode` is unknown, empty (a new machine, on which only ordinary files are) or host (this one).
    `fresh` says that the folders of CFEngine itself are new, too. `made` are the files that the
    policy created, changed or removed (None).
    """

    mode: str = UNREAD
    fresh: bool = False
    made: dict[str, File | Unknown | None] = field(default_factory=dict)

    def find(self, path: str) -> File | Unknown | None:
        """Return a file, None if there is none, Unknown if that is not known."""
        path = normal(path)
        if path in self.made:
            return self.made[path]
        if any(other.startswith(path.rstrip("/") + "/") for other, one in self.made.items() if one):
            return File("directory")
        if path in ORDINARY and self.mode != HOST:
            return File(ORDINARY[path])
        if path in OWN:
            return File("directory")
        if path.startswith(OWN):
            return None if self.fresh or self.mode == EMPTY else missing(path)
        if self.mode == UNREAD or unknown_part(path):
            return unknown_part(path) or missing(path)
        return read(path) if self.mode == HOST else None

    def put(self, path: str, found: File | Unknown | None) -> None:
        """Record a file that the policy created, changed or removed."""
        self.made[normal(path)] = found


def missing(path: str) -> Unknown:
    """Return why nothing is known of a file."""
    return Unknown(f"whether {path} is there depends on the machine")


def normal(path: str) -> str:
    """Return a path without a slash at the end."""
    return path.rstrip("/") or path[:1]


def read(path: str) -> File | Unknown | None:
    """Return a file of this machine, only regular ones with their content."""
    try:
        state = os.lstat(path)
        if stat.S_ISLNK(state.st_mode):
            return File("link")
        if stat.S_ISDIR(state.st_mode):
            return File("directory")
        kind = "program" if state.st_mode & 0o111 else "file"
        if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
            return File(kind)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return File(kind, file.read(LARGEST))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return missing(path)
