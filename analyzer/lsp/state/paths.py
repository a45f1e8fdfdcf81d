"""File URIs of editors and paths."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit


def path_of(uri: str) -> str | None:
    """Return the path of a file's URI, None for others: `untitled:Untitled-1`."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    return None if "\0" in path else os.path.normpath(path)


# The ends of files by the editor's name of their language.
ENDS = {"puppet": ".pp", "epp": ".epp", "cfengine3": ".cf", "cfengine": ".cf", "yaml": ".yaml"}


def path_of_unsaved(uri: str, language: str, folder: str) -> str | None:
    """Return a path for a text without a file: in a hidden folder, which is not indexed.

    None if the text has a file, or if its language is not supported.
    """
    end = ENDS.get(language)
    if end is None or not uri.startswith("untitled:"):
        return None
    return os.path.join(folder, ".untitled", quote(uri.partition(":")[2], safe="") + end)


@lru_cache(maxsize=4096)
def uri_of(path: str) -> str:
    """Return the URI of an absolute path."""
    return Path(path).as_uri()
