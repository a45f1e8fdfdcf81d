"""Reaching a path below a root, component by component, as the kernel does it after chroot."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

_MOST_LINKS = 40
_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_THING = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def parent_of(root: str, path: str) -> Iterator[tuple[int, str]]:
    """Open the folder that a path's last name is in; yield it and that name.

    Links on the way are followed within `root`: an absolute one starts there again, `..` stops
    there. The last name is not followed; it is `.` for the root itself.

    Raises:
        OSError: a folder on the way is missing or none, or links go round in a circle.
    """
    folders = [os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        last = _descend(folders, path)
        yield folders[-1], last
    except OSError as error:
        # Calls relative to a folder name the last part only.
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        for folder in folders:
            os.close(folder)


def _descend(folders: list[int], path: str) -> str:
    names = _names(path)
    links = 0
    while len(names) > 1 or names == [".."]:
        name = names.pop()
        if name == "..":
            _ascend(folders)
            continue
        target = _enter(folders, name, path)
        if target is None:
            continue
        links += 1
        if links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        if target.startswith("/"):
            _ascend(folders, len(folders))
        names.extend(_names(target))
    return names[0] if names else "."


def _names(path: str) -> list[str]:
    """Return the names of a path, the first one last."""
    return [name for name in reversed(path.split("/")) if name not in {"", "."}]


def _ascend(folders: list[int], by: int = 1) -> None:
    while by and len(folders) > 1:
        os.close(folders.pop())
        by -= 1


def _enter(folders: list[int], name: str, path: str) -> str | None:
    """Go into a folder; return the target if it is a link."""
    try:
        folders.append(os.open(name, _FOLDER, dir_fd=folders[-1]))
    except OSError as error:
        if error.errno not in {errno.ENOTDIR, errno.ELOOP}:
            raise OSError(error.errno, error.strerror, path) from None
    else:
        return None
    found = os.open(name, _THING, dir_fd=folders[-1])
    try:
        return os.readlink("", dir_fd=found)
    except OSError:
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path) from None
    finally:
        os.close(found)
