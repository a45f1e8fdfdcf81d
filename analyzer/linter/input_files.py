"""Recognises policies among the paths of the lint."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.node.modules import files_below
from analyzer.reading import read_text

# The extension of CFEngine policies.
POLICY = ".cf"

# The beginning of a block of a policy.
BLOCK = re.compile(r"^[\s\ufeff]*(?:bundle|body|promise)\s+\w+\s+\w+", re.MULTILINE)


def policies_below(path: str) -> list[str]:
    """Return a policy of CFEngine, or all those below a folder, sorted."""
    found = files_below(path, POLICY)
    # Other programs use this extension, too: Postfix has a main.cf.
    return found if found == [path] else [file for file in found if looks_like_policy(file)]


def looks_like_policy(path: str) -> bool:
    """Return whether a file looks like a policy: it contains the beginning of a block."""
    try:
        return BLOCK.search(read_text(path, "replace")) is not None
    except OSError:
        return True
