"""The names in folders: several stages of a command look for files in the same ones."""

from __future__ import annotations

import os
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    # The kind of each name.
    Names = Mapping[str, str]

# Kinds of names in a folder: everything else is a file.
FILE, FOLDER, LINK = "", "/", "//"

LISTED: ContextVar[dict[str, Names] | None] = ContextVar("listed", default=None)


class listing:
    """Keeps the names in folders as long as the context lasts, by the real paths of the folders.

    For a command that looks for several kinds of files in the same folders.
    """

    def __enter__(self) -> None:
        """Begin."""
        self.before = LISTED.get()
        LISTED.set({})

    def __exit__(self, *error: object) -> None:
        """End."""
        LISTED.set(self.before)


def names_in(folder: str, real: str) -> Names:
    """Return the names in a folder, which has a real path.

    Raises:
        OSError: it cannot be read.
    """
    known = known_names(real)
    if known is not None:
        return known
    found = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                found[entry.name] = FILE
            elif entry.is_dir(follow_symlinks=False):
                found[entry.name] = FOLDER
            else:
                found[entry.name] = LINK if entry.is_symlink() else FILE
    if (listed := LISTED.get()) is not None:
        listed[real] = found
    return found


def known_names(real: str) -> Names | None:
    """Return the names in a folder by its real path, None if it was not read in this context."""
    listed = LISTED.get()
    return None if listed is None else listed.get(real)


def exists(real: str, name: str) -> bool:
    """Return whether a name in a folder leads to something; `real` is the path of the folder."""
    known = known_names(real)
    if known is None or known.get(name) == LINK:
        return os.path.exists(os.path.join(real, name))
    return name in known
