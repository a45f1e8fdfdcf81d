"""File URIs of editors and paths."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit


def path_of(uri: str) -> str | None:
    """Return the path that a URI names, None if it is of no file: `untitled:Untitled-1`."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    return None if "\0" in path else os.path.normpath(path)


@lru_cache(maxsize=4096)
def uri_of(path: str) -> str:
    """Return the URI of an absolute path."""
    return Path(path).as_uri()
