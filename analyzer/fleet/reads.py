"""Records which manifests the compile of each node looked for.

A node that a change cannot reach is not compiled again.
"""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256

from analyzer.fleet.sources.changes import RepositoryState, is_sampled, state_from
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import IndexedNode, ResultOfNode
from analyzer.version import VERSION


class RepositoryCompiles:
    """The compiles of a control repo, whose folder is `origin`.

    `new` is the state that is compiled now. With `old`, the question is what differs between the
    two: nothing, for a node that looked for none of the manifests in which they, and the state that
    it was compiled in before, differ.
    """

    def __init__(
        self,
        store: ResultStore,
        origin: str,
        new: RepositoryState,
        old: RepositoryState | None = None,
    ) -> None:
        self.db = store.db
        self.source = f"{VERSION} {origin}"
        self.new, self.old = new, old
        self.state = self.kept(new.text())
        self.state_at = lru_cache(maxsize=4)(lambda digest: state_from(self.text(digest)))
        self.read_at = lru_cache(maxsize=500)(
            lambda digest: frozenset(json.loads(self.text(digest)))
        )

    def keep(self, node: IndexedNode, result: ResultOfNode) -> None:
        """Remember a compile; it was one if it looked for any manifest."""
        if result.failed or not result.reads:
            return
        digest = self.kept(json.dumps(result.reads))
        body = json.dumps([result.name, result.resources, result.unknown])
        self.db.execute(
            "insert or replace into compiles values (?, ?, ?, ?, ?, ?)",
            (self.source, node.key, facts_of(node), self.state, digest, body),
        )

    def spared(self, node: IndexedNode) -> ResultOfNode | None:
        """Return the result of a node that the change cannot reach, without a compile.

        Some are compiled all the same, as a proof.
        """
        if self.old is None or is_sampled(node.key):
            return None
        row = self.db.execute(
            "select state, reads, body from compiles where source = ? and node = ? and facts = ?",
            (self.source, node.key, facts_of(node)),
        ).fetchone()
        if row is None:
            return None
        state, reads, body = row
        before = self.state_at(state)
        read = self.read_at(reads)
        for other in (self.old, self.new):
            changed = before.changed(other)
            if changed is None or not read.isdisjoint(changed):
                return None
        name, resources, unknown = json.loads(body)
        return ResultOfNode(name, f"{node.hash} {node.key}", resources, unknown=tuple(unknown))

    def kept(self, text: str) -> str:
        """Keep a text once; return its hash."""
        digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        self.db.execute("insert or ignore into texts values (?, ?)", (digest, text))
        return digest

    def text(self, digest: str) -> str:
        """Return a text by its hash."""
        row = self.db.execute("select body from texts where digest = ?", (digest,)).fetchone()
        return str(row[0])

    def tidy(self) -> None:
        """Remove the texts that no compile has."""
        with self.db:
            self.db.execute(
                "delete from texts where digest not in"
                " (select state from compiles union select reads from compiles)"
            )


def facts_of(node: IndexedNode) -> str:
    """Return the hash of a node's own facts, which is the last part of a repo's hash of it."""
    return node.hash.rpartition(" ")[2]
