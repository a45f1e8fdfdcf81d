"""Under which key the trees and problems of Puppet's files are kept on disk."""

from __future__ import annotations

import os
from functools import cache

from analyzer.digest import blake2b
from analyzer.frontends.cache import Cache, kept, user_cache
from analyzer.version import VERSION

__all__ = ["Cache", "kept", "key_of", "user_cache"]

# The folders, seen from this one, whose code makes what is kept.
MAKERS = ("../..", "", "ast", "lexing", "parsing", "validate", "../regex", "../../../formats")


@cache
def maker() -> str:
    """Return a stamp of the code that makes entries: its files, as they are now."""
    here = os.path.dirname(__file__)
    stamps = [VERSION]
    for folder in MAKERS if os.path.isdir(here) else ():
        with os.scandir(os.path.join(here, folder)) as files:
            found = [(f.name, f.stat()) for f in files if f.name.endswith(".py")]
        stamps += [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in sorted(found)]
    return "\n".join(stamps)


def key_of(*parts: str) -> str:
    """Return the key of an entry that depends on these texts and on the code of catgraph."""
    digest = blake2b(maker().encode(), digest_size=16)
    for part in parts:
        digest.update(f"\0{len(part)}\0".encode())
        digest.update(part.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
