"""Keeps results in SQLite: what did not change is not done again, and causes have a history.

A row is found by node, hash, version and configuration; equal nodes share an answer by its content
hash, and answers share their occurrences. The texts are data: nothing of them is ever executed.

The user's store has a seal with the user's secret: one without it, which came with code, is empty.
A file that the user names is believed as it is.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256

from analyzer.apart import user_folder
from analyzer.diagnostics import InputError
from analyzer.fleet.values import (
    FleetQuestion,
    IndexedNode,
    Occurrence,
    ResultOfNode,
    occurrence_of,
    occurrence_text,
)
from analyzer.seal import seal, secret_in
from analyzer.source import Span
from analyzer.version import VERSION

# Changes when the rows mean something else.
FORM = 5
# Occurrences that are remembered while results are read and written, and nodes read at a time.
REMEMBERED, PAGE = 10_000, 500

TABLES = """
create table if not exists seal (body blob not null);
create table if not exists answers (
    configuration text, content text, body text not null,
    primary key (configuration, content)) without rowid;
create table if not exists occurrences (
    id integer primary key, digest blob not null unique, body text not null);
create table if not exists nodes (
    source text, configuration text, node text, hash text not null, name text not null,
    content text not null, made real not null,
    primary key (source, configuration, node)) without rowid;
create table if not exists compiles (
    source text, node text, facts text not null, state text not null, reads text not null,
    body text not null, primary key (source, node)) without rowid;
create table if not exists texts (digest text primary key, body text not null) without rowid;
create table if not exists causes (
    source text, question text, cause text, title text not null, first text not null,
    last text not null, nodes integer not null,
    primary key (source, question, cause)) without rowid;
"""

# The nodes of this run: not done yet, with an answer, or without one. In a file, as all of it.
LISTED = """
drop table if exists temp.listed;
create temp table listed (
    node text primary key, hash text not null, environment text not null, time text not null,
    state integer not null default 0, name text, reason text) without rowid;
"""
WAITING, ANSWERED, FAILED = 0, 1, 2

# Seconds that another process may hold the file.
PATIENCE = 30


def default_path() -> str:
    """Return the place of the store in the user's folder; empty if that is not apart from code."""
    folder = user_folder()
    return os.path.join(folder, "fleet.sqlite") if folder and secret_in(folder) else ""


def configuration_of(question: FleetQuestion) -> str:
    """Return the key of all that answers depend on besides the catalog."""
    return sha256(f"{FORM} {VERSION} {question.key}".encode()).hexdigest()[:32]


def seal_of(path: str) -> bytes:
    """Return the seal of the user's store, none for another file."""
    secret = secret_in(os.path.dirname(path)) if path and path == default_path() else None
    return seal(secret, "fleet", b"") if secret else b""


class ResultStore:
    """The results in a file; without a path they are kept for this run only."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.known: dict[int, Occurrence] = {}
        self.numbers: dict[Occurrence, int] = {}
        self.seal = seal_of(path)
        try:
            if path:
                folder = os.path.dirname(os.path.abspath(path))
                os.makedirs(folder, mode=0o700, exist_ok=True)
                # Nobody else reads the names of a site's nodes.
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            self.db = sqlite3.connect(path, timeout=PATIENCE)
            self.db.executescript("pragma journal_mode=wal; pragma synchronous=normal")
            self.prepare()
        except (OSError, sqlite3.Error, UnicodeError) as error:
            raise self.unusable(error) from None

    def __enter__(self) -> ResultStore:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Close the file.

        Raises:
            InputError: the file was damaged, locked for long, or is full.
        """
        self.close()
        if isinstance(error, (sqlite3.Error, UnicodeError)):
            raise self.unusable(error) from None

    def unusable(self, error: Exception) -> InputError:
        """Return the error of a file that cannot be read or written."""
        words = getattr(error, "strerror", None) or str(error)
        message = f"cannot be used as a store: {words}; --store FILE names another"
        return InputError(message, Span(self.path), "bad-store")

    def prepare(self) -> None:
        """Make the tables; the results of other versions go, the history stays."""
        (form,) = self.db.execute("pragma user_version").fetchone()
        sealed = self.is_sealed()
        if form != FORM or not sealed:
            for table in ("nodes", "answers", "occurrences", "compiles", "texts", "seal"):
                self.db.execute(f"drop table if exists {table}")
            if not sealed:
                self.db.execute("drop table if exists causes")
            self.db.execute(f"pragma user_version={FORM}")
        self.db.executescript(TABLES)
        if self.seal and not (sealed and form == FORM):
            with self.db:
                self.db.execute("insert into seal values (?)", (self.seal,))

    def is_sealed(self) -> bool:
        """Return whether this user made the file, or named it."""
        if not self.seal:
            return True
        known = "select count(*) from sqlite_schema where type = 'table' and name = 'seal'"
        if not self.db.execute(known).fetchone()[0]:
            return False
        rows = self.db.execute("select body from seal limit 2").fetchall()
        return len(rows) == 1 and rows[0][0] == self.seal

    def begin(
        self, source: str, configuration: str, nodes: Iterable[IndexedNode]
    ) -> tuple[int, int]:
        """List the nodes of a source, and forget those that it has no more.

        Return how many there are, and how many did not change since they were answered. A node that
        comes twice was replaced meanwhile: the last one counts.

        Raises:
            InputError: the source cannot be read.
        """
        own = source, configuration
        self.db.executescript(LISTED)
        rows = ((one.key, one.hash, one.environment, one.time) for one in nodes)
        with self.db:
            self.db.executemany(
                "insert or replace into listed (node, hash, environment, time) values (?, ?, ?, ?)",
                rows,
            )
            self.db.execute(
                f"update listed set state = {ANSWERED} where hash != '' and exists ("
                "select 1 from nodes n join answers a using (configuration, content) where"
                " n.source = ? and n.configuration = ? and n.node = listed.node"
                " and n.hash = listed.hash)",
                own,
            )
            gone = self.db.execute(
                "delete from nodes where source = ? and configuration = ?"
                " and node not in (select node from listed)",
                own,
            ).rowcount
        total, known = self.db.execute(
            f"select count(*), coalesce(sum(state = {ANSWERED}), 0) from listed"
        ).fetchone()
        if gone:
            self.tidy(configuration)
        return total, known

    def waiting(self) -> Iterator[IndexedNode]:
        """Yield the listed nodes that are not done; others may be kept meanwhile."""
        last = ""
        while True:
            page = self.db.execute(
                "select node, hash, environment, time from listed"
                f" where state = {WAITING} and node > ? order by node limit {PAGE}",
                (last,),
            ).fetchall()
            yield from (IndexedNode(*row) for row in page)
            if len(page) < PAGE:
                return
            last = page[-1][0]

    def results(self, source: str, configuration: str) -> Iterator[tuple[str, ResultOfNode]]:
        """Yield the results of the listed nodes with their keys, by name, the newest of a name
        first; then those without an answer.

        Equal results share their parts.
        """
        self.db.executescript(
            "drop table if exists temp.named;"
            "create temp table named (number integer primary key, node, name, content, made);"
        )
        self.db.execute(
            "insert into named select null, n.node, n.name, n.content, n.made"
            f" from listed l join nodes n on n.node = l.node and l.state = {ANSWERED}"
            " where n.source = ? and n.configuration = ? order by n.name, n.made desc, n.node desc",
            (source, configuration),
        )
        rows = self.db.execute(
            "select n.node, n.name, n.content, n.made, a.body from named n join answers a"
            " on a.configuration = ? and a.content = n.content order by n.number",
            (configuration,),
        )
        for node, name, content, made, body in rows:
            try:
                resources, ids, unknown, lacks = json.loads(body)
                found = tuple(map(self.occurrence, ids))
                read = ResultOfNode(
                    name, content, resources, found, tuple(unknown), "", lacks, made
                )
            except (ValueError, TypeError, LookupError, RecursionError):
                message = "has a damaged answer: remove the file; --store FILE names another"
                raise InputError(message, Span(self.path), "bad-store") from None
            yield node, read
        asked = f"select node, name, reason from listed where state = {FAILED} order by name, node"
        for node, name, reason in self.db.execute(asked):
            yield node, ResultOfNode(name, failed=reason)

    def occurrence(self, number: int) -> Occurrence:
        """Return an occurrence; the same number gives the same object."""
        if number not in self.known:
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            row = self.db.execute("select body from occurrences where id = ?", (number,)).fetchone()
            self.known[number] = occurrence_of(row[0])
        return self.known[number]

    def number_of(self, one: Occurrence) -> int:
        """Return the number of an occurrence, which is kept if it is new."""
        number = self.numbers.get(one)
        if number is None:
            if len(self.numbers) >= REMEMBERED:
                self.numbers.clear()
            text = occurrence_text(one)
            digest = sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
            self.db.execute(
                "insert or ignore into occurrences (digest, body) values (?, ?)", (digest, text)
            )
            found = self.db.execute("select id from occurrences where digest = ?", (digest,))
            number = self.numbers[one] = found.fetchone()[0]
        return number

    def keep(
        self, source: str, configuration: str, done: Iterable[tuple[IndexedNode, ResultOfNode]]
    ) -> None:
        """Keep results; those of nodes that failed are tried again the next time."""
        with self.db:
            for node, result in done:
                state = FAILED if result.failed else ANSWERED
                self.db.execute(
                    "update listed set state = ?, name = ?, reason = ? where node = ?",
                    (state, result.name, result.failed, node.key),
                )
                if result.failed:
                    self.forget(source, configuration, node.key)
                    continue
                numbers = list(map(self.number_of, result.occurrences))
                body = json.dumps([result.resources, numbers, result.unknown, result.lacks])
                self.db.execute(
                    "insert or replace into answers values (?, ?, ?)",
                    (configuration, result.content, body),
                )
                self.db.execute(
                    "insert or replace into nodes values (?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(source, configuration, node.key, node.hash),
                        *(result.name, result.content, result.made),
                    ),
                )

    def forget(self, source: str, configuration: str, key: str) -> None:
        """Remove the result of a node."""
        self.db.execute(
            "delete from nodes where source = ? and configuration = ? and node = ?",
            (source, configuration, key),
        )

    def tidy(self, configuration: str) -> None:
        """Remove answers that no node has, and occurrences that no answer has."""
        with self.db:
            self.db.execute(
                "delete from answers where configuration = ? and content not in"
                " (select content from nodes where configuration = ?)",
                (configuration, configuration),
            )
            self.db.execute(
                "delete from occurrences where id not in"
                " (select value from answers, json_each(answers.body, '$[1]'))"
            )

    def note(
        self, source: str, question: str, seen: Iterable[tuple[str, str, int]], now: str
    ) -> None:
        """Record the causes that were seen: identity, title, number of nodes."""
        with self.db:
            self.db.executemany(
                "insert into causes values (?, ?, ?, ?, ?, ?, ?) on conflict do update set"
                " title = excluded.title, last = excluded.last, nodes = excluded.nodes",
                [(source, question, cause, title, now, now, nodes) for cause, title, nodes in seen],
            )

    def history(self, source: str | None) -> list[tuple[str, str, str, str, str, str, int]]:
        """Return source, question, cause, title, first, last time, nodes; the oldest first."""
        where = "" if source is None else " where source = ?"
        rows = self.db.execute(
            "select source, question, cause, title, first, last, nodes from causes"
            f"{where} order by first, source, question, cause",
            () if source is None else (source,),
        )
        return [tuple(row) for row in rows]

    def close(self) -> None:
        """Close the file."""
        self.db.close()
