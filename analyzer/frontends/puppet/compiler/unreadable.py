"""Words for files of the code that is analysed that cannot be read."""

from __future__ import annotations


def unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read."""
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    return f"not UTF-8: {error.reason} at byte {error.start + 1}"
