"""How many nodes a key of Hiera data reaches, in words, from traced compiles."""

from __future__ import annotations

import os

from analyzer.escape import shown
from analyzer.lsp.state.snapshot import Snapshot

# The most nodes that are named.
MOST_NODES = 5


def reach_of(snapshot: Snapshot, path: str, key: str) -> tuple[str, list[str]]:
    """Return how many nodes a key of a data file reaches, in words, and the first of them.

    The words are empty before the first compile.
    """
    traced, total = snapshot.traced.get(path, ((), 0))
    if not traced:
        return "", []
    file = os.path.realpath(path)
    names = [one.name for one in traced if key in one.reached.get(file, ())]
    noun = "class" if all(one.name.startswith("class ") for one in traced) else "node"
    many = f"{noun}{'es' if noun == 'class' else 's'}"
    of = f"{len(traced):,} {noun if len(traced) == 1 else many}"
    rest = "" if total <= len(traced) else f" that were compiled, of {total:,}"
    words = f"reaches {len(names) or 'none'} of {of}{rest}"
    return words, [one.removeprefix("node ").removeprefix("class ") for one in names]


def reach_in_words(snapshot: Snapshot, path: str, key: str) -> str:
    """Return how many nodes a key of a data file reaches, with the names of the first."""
    words, names = reach_of(snapshot, path, key)
    more = f" and {len(names) - MOST_NODES} more" if len(names) > MOST_NODES else ""
    return f"{words}: {', '.join(map(shown, names[:MOST_NODES]))}{more}" if names else words
