"""Keeps what grows with the nodes of a run in a temporary file, so that memory does not grow."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import overload

# Numbers of a group that are kept in memory before they are written.
WRITTEN = 1_024

TABLES = """
pragma journal_mode=off; pragma synchronous=off;
create table names (number integer primary key, name text not null, key text not null);
create table parts (
    member integer, part integer, data blob not null, primary key (member, part)) without rowid;
"""


class NodeLedger:
    """The names of nodes by number, and the members of groups."""

    def __init__(self) -> None:
        self.count = 0
        self.groups = 0
        # The screens read in another thread than the one that asks.
        self.db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self.db.executescript(TABLES)

    def add(self, name: str, key: str) -> int:
        """Add a node and its key in the source; return its number."""
        self.count += 1
        self.db.execute("insert into names values (?, ?, ?)", (self.count, name, key))
        return self.count

    def name(self, number: int) -> str:
        """Return the name of a node."""
        row = self.db.execute("select name from names where number = ?", (number,)).fetchone()
        return str(row[0])

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each node with its key, by number."""
        yield from self.db.execute("select name, key from names order by number")

    @cached_property
    def keys(self) -> KeysByName:
        """Return the keys of nodes by their names."""
        self.db.execute("create index by_name on names (name)")
        return KeysByName(self)


class KeysByName:
    """Finds the key of a node in the source."""

    def __init__(self, ledger: NodeLedger) -> None:
        self.db = ledger.db

    def __getitem__(self, name: str) -> str:
        row = self.db.execute("select key from names where name = ?", (name,)).fetchone()
        if row is None:
            raise KeyError(name)
        return str(row[0])


class Members(Sequence[str]):
    """The names of the nodes of a group, in the order in which they were added: by name."""

    def __init__(self, ledger: NodeLedger) -> None:
        ledger.groups += 1
        self.ledger, self.group = ledger, ledger.groups
        self.length = 0
        self.last = 0
        self.recent = array("I")

    def add(self, number: int) -> None:
        """Add a node, once."""
        if number == self.last:
            return
        self.last = number
        self.length += 1
        self.recent.append(number)
        if len(self.recent) == WRITTEN:
            row = (self.group, self.length, self.recent.tobytes())
            self.ledger.db.execute("insert into parts values (?, ?, ?)", row)
            self.recent = array("I")

    def parts(self) -> Iterator[bytes]:
        """Yield the numbers, packed."""
        asked = "select data from parts where member = ? order by part"
        yield from (data for (data,) in self.ledger.db.execute(asked, (self.group,)))
        yield self.recent.tobytes()

    @property
    def digest(self) -> bytes:
        """Return a hash that is the same for groups of the same nodes."""
        found = sha256()
        for part in self.parts():
            found.update(part)
        return found.digest()

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[str]:
        for part in self.parts():
            yield from map(self.ledger.name, array("I", part))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, int):
            place = range(self.length)[index]
            (found,) = islice(self, place, place + 1)
            return found
        return tuple(islice(self, *index.indices(self.length)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Members {tuple(self)}>"
