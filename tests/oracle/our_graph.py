"""The graph, order and cycles of catalogs that we compile, against those of Puppet's own."""

from __future__ import annotations

from .case import Catalog, from_answer
from .compare import differences
from .harness import Answer
from .tally import unknown_reasons


def our_graph(ours: Catalog | None, answer: Answer) -> str:
    """Compare what comes of our catalog with what Puppet made of its own.

    The word is empty where there is nothing to compare: Puppet or we refuse the program.
    """
    if not answer["ok"] or ours is None:
        return ""
    kinds = sorted({difference.kind for difference in differences(from_answer(answer, "", ours))})
    unknown = " (unknown values)" if next(unknown_reasons(ours), None) else ""
    return ", ".join(kinds) + unknown if kinds else "equal"
