"""The facts of a workspace on disk: one entry for each root, by the digests of its files."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.codec import Codec
from analyzer.frontends.puppet.syntax.cache import key_of, user_cache
from analyzer.lsp.index.facts import Packed
from analyzer.reach import note_code

# The version of the facts: increase it when they change, so that older entries are not used.
FORM = "index 9"

CODEC = Codec(Packed)


def kept_facts(root: str) -> dict[str, Packed]:
    """Return the stored facts of a root by path; each is valid for the text of its digest."""
    note_code([root])
    found = user_cache().get(key_of(FORM, root), CODEC)
    return dict(found) if isinstance(found, dict) else {}


def keep_facts(root: str, files: Mapping[str, Packed]) -> None:
    """Store the facts of a root, unless they exceed the size of a cache entry."""
    user_cache().put(key_of(FORM, root), dict(files), CODEC)
