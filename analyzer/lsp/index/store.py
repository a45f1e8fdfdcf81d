"""The facts of a workspace on disk: one entry for each root, by what its files hold."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.frontends.puppet.syntax.cache import key_of, user_cache
from analyzer.lsp.index.facts import Packed

# Counts up with what facts are found, so that those of an older way are made again.
FORM = "index 8"


def kept_facts(root: str) -> dict[str, Packed]:
    """Return the facts that were kept of a root, by path; each holds for the text of its digest."""
    found = user_cache().get(key_of(FORM, root))
    return dict(found) if isinstance(found, dict) else {}


def keep_facts(root: str, files: Mapping[str, Packed]) -> None:
    """Keep the facts of a root; what takes more than an entry of the cache may is not kept."""
    user_cache().put(key_of(FORM, root), dict(files))
