"""Files of the code that is analysed: a link in it may lead to anything."""

from __future__ import annotations

import os
from errno import EINVAL
from stat import S_ISDIR, S_ISREG

from analyzer.reach import check


def plain_file(path: str) -> str:
    """Return the path of a file that may be read and has an end: no device, no pipe.

    Raises:
        OSError: it is another thing, or is not there.
    """
    mode = os.stat(check(path)).st_mode
    if not (S_ISREG(mode) or S_ISDIR(mode)):
        raise OSError(EINVAL, "not a regular file", path)
    return path


def unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read."""
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    return f"not UTF-8: {error.reason} at byte {error.start + 1}"
