"""The store of exported resources as a file: an SQLite database (--store)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn
from urllib.parse import quote

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.exports import Exported, read
from analyzer.reach import LINKED_OUT, leads_out
from analyzer.source import Span

# How the file is known for a store, in SQLite's header; and the version of its tables.
APPLICATION, VERSION = 0x63617467, 1
# Seconds to wait for another compile that writes.
PATIENCE = 10.0
# Characters of SQLite's reason that are shown: it may quote what it could not read.
MOST_WORDS = 200
STATE = """
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
FROM pragma_application_id, pragma_user_version
"""
TABLES = """
CREATE TABLE exported (
  node TEXT NOT NULL, position INTEGER NOT NULL, type TEXT NOT NULL, resource TEXT NOT NULL,
  PRIMARY KEY (node, position)
) WITHOUT ROWID;
CREATE INDEX exported_type ON exported (type);
"""


class StoreFile:
    """A store of exported resources; a file that is not there yet is an empty one.

    It is read piece by piece, and written in one transaction, in which the rows of the nodes that
    were compiled take the place of their old ones: two compiles of different nodes do not lose each
    other's.
    """

    def __init__(self, path: str) -> None:
        """Look whether the file is a store.

        Raises:
            InputError: it is none, or cannot be read.
        """
        self.path = path
        self.known: dict[str, dict[str, list[Exported]]] = {}
        if leads_out(path):
            self.reject(LINKED_OUT)
        if os.path.exists(path) and not os.path.isfile(path):
            self.reject("it is not a file")
        with self.database() as found:
            if found is not None:
                self.check(found)

    def reject(self, reason: object) -> NoReturn:
        """Refuse the file.

        Raises:
            InputError: always.
        """
        words = str(reason).splitlines()[0][:MOST_WORDS]
        message = f"cannot be used as a store of exported resources: {words}"
        raise InputError(message, Span(self.path), "bad-store")

    @contextmanager
    def database(self, write: bool = False) -> Iterator[sqlite3.Connection | None]:
        """Open the file, None if it is not there and is not to be written."""
        if not write and not os.path.exists(self.path):
            yield None
            return
        mode = "rwc" if write else "ro"
        try:
            uri = f"file:{quote(os.fsencode(os.path.abspath(self.path)))}?mode={mode}"
            found = sqlite3.connect(uri, PATIENCE, isolation_level=None, uri=True)
            try:
                yield found
            finally:
                found.close()
        except (sqlite3.Error, UnicodeError) as error:
            self.reject(error)

    def check(self, found: sqlite3.Connection) -> bool:
        """Return whether there are tables yet; refuse anything but a store.

        Raises:
            InputError: the database is another program's.
        """
        # One statement reads one state: another compile may make the tables between two.
        application, version, tables = found.execute(STATE).fetchone()
        if not (application or version or tables):
            return False
        if application != APPLICATION:
            self.reject("it is another program's database")
        if version != VERSION:
            self.reject(f"its version is {version}, but only {VERSION} is supported")
        return True

    def of_type(self, kind: str) -> dict[str, list[Exported]]:
        """Return the resources of a type by node, in the order of their catalogs."""
        if kind not in self.known:
            rows: dict[str, list[Exported]] = {}
            for one in self.ask("type", kind):
                rows.setdefault(one.node, []).append(one)
            self.known[kind] = rows
        return self.known[kind]

    def of_node(self, node: str) -> list[Exported]:
        """Return a node's resources."""
        return self.ask("node", node)

    def rows(self) -> list[tuple[str, str]]:
        """Return the nodes and texts of all resources, in order."""
        with self.database() as found:
            if found is None or not self.check(found):
                return []
            return found.execute(
                "SELECT node, resource FROM exported ORDER BY node, position"
            ).fetchall()

    def ask(self, column: str, word: str) -> list[Exported]:
        """Return the resources whose type or node is a word.

        Raises:
            InputError: what the file has is no exported resource.
        """
        query = f"SELECT node, resource FROM exported WHERE {column} = ? ORDER BY node, position"
        with self.database() as found:
            if found is None or not self.check(found):
                return []
            rows = found.execute(query, (word,)).fetchall()
        try:
            return [read(node, text) for node, text in rows]
        except (ValueError, TypeError) as error:
            self.reject(f"it is damaged: {error}")

    def replace(self, compiled: Mapping[str, Mapping[str, Exported]]) -> None:
        """Put the resources of nodes, by their texts, in the place of what they had.

        Raises:
            InputError: the file cannot be written, or another compile does not let go of it.
        """
        rows = [
            (node, position, one.type, text)
            for node, exported in compiled.items()
            for position, (text, one) in enumerate(exported.items())
        ]
        with self.database(write=True) as found:
            assert found is not None
            found.execute("BEGIN IMMEDIATE")
            if not self.check(found):
                for statement in TABLES.split(";"):
                    found.execute(statement)
                found.execute(f"PRAGMA application_id = {APPLICATION}")
                found.execute(f"PRAGMA user_version = {VERSION}")
            found.executemany("DELETE FROM exported WHERE node = ?", [(n,) for n in compiled])
            found.executemany("INSERT INTO exported VALUES (?, ?, ?, ?)", rows)
            found.execute("COMMIT")
