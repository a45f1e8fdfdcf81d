"""The catalogs of a PuppetDB, read in pages that begin behind the last catalog of the page before.

PuppetDB compares no names, but times: pages follow `producer_timestamp`. A node that is replaced
meanwhile moves to the end and is seen again; none is missed, as may happen with an offset.
Declaration order, `kind` and `classes` are not kept. Cycles and their causes need none of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.diagnostics import InputError
from analyzer.fleet.sources.puppetdb_client import ast_of, client_of
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.fleet.values import IndexedNode
from analyzer.frontends.catalog_json import from_document
from analyzer.model.catalog import Catalog
from analyzer.source import Span

# Nodes of a page of the index, and a time before all of them.
PAGE, BEGIN = 500, "1970-01-01T00:00:00.000Z"
FIELDS = ["certname", "hash", "environment", "producer_timestamp"]


@dataclass(frozen=True, slots=True)
class PuppetDB:
    """A PuppetDB; `query`, in PQL or AST, chooses nodes by their `certname`.

    `entity` is what the index lists of each node.
    """

    access: Access
    query: str = ""
    entity: str = "catalogs"

    @property
    def name(self) -> str:
        """Return the address, with the query if there is one."""
        return f"{self.access.url} {self.query}".strip()

    def index(self) -> Iterator[IndexedNode]:
        """Yield the nodes by time; one that is replaced meanwhile comes twice.

        Raises:
            InputError: PuppetDB does not answer, or refuses the query.
        """
        client, last = client_of(self.access), BEGIN
        # The nodes of the last time, which the next page must not have again.
        seen: list[str] = []
        while True:
            rows = client.query(self.page_after(last, seen))
            for row in rows:
                node = node_of(row, self.access.url)
                if node.time < last or (node.time == last and node.key in seen):
                    message = f"the pages of nodes are not in order: '{node.key}' of {node.time}"
                    raise InputError(message, Span(self.access.url), "puppetdb")
                seen = [*seen, node.key] if node.time == last else [node.key]
                last = node.time
                yield node
            if len(rows) < PAGE:
                return

    def page_after(self, last: str, seen: Sequence[str]) -> object:
        """Return the query for the nodes after a time, or of that time and not yet seen."""
        own = ast_of(self.query)
        if self.query and own is None:
            time, names = json.dumps(last), json.dumps(seen)
            ties = f" or (producer_timestamp = {time} and !(certname in {names}))" if seen else ""
            return (
                f"{self.entity}[{', '.join(FIELDS)}] {{ (producer_timestamp > {time}{ties}) and "
                f"certname in {self.query} order by producer_timestamp, certname limit {PAGE} }}"
            )
        behind: list[object] = [">", "producer_timestamp", last]
        if seen:
            known = ["not", ["in", "certname", ["array", [*seen]]]]
            behind = ["or", behind, ["and", ["=", "producer_timestamp", last], known]]
        wanted = behind if own is None else ["and", behind, ["in", "certname", chosen_by(own)]]
        return [
            *("from", self.entity, ["extract", FIELDS, wanted]),
            *(["order_by", ["producer_timestamp", "certname"]], ["limit", PAGE]),
        ]

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
        """Yield the catalog of each node; those that are gone meanwhile are left out."""
        by_name = {node.key: node for node in nodes}
        wanted = ["in", "certname", ["array", list(by_name)]]
        try:
            rows = client_of(self.access).query(["from", "catalogs", wanted])
        except InputError as error:
            yield from ((node, error) for node in nodes)
            return
        for row in rows:
            node = by_name.pop(str(row.get("certname")), None)
            if node is not None:
                yield node, catalog_of(row, f"{self.access.url} {node.key}")


def chosen_by(own: object) -> object:
    """Return a query for names: a bare filter is one of nodes."""
    if isinstance(own, list) and own[:1] == ["from"]:
        return own
    return ["from", "nodes", ["extract", "certname", own]]


def node_of(row: dict[str, object], url: str) -> IndexedNode:
    """Return the node of a row of the index.

    Raises:
        InputError: it is none.
    """
    values = [row.get(field) for field in FIELDS]
    if not all(isinstance(value, str) for value in (*values[:2], values[3])) or not values[0]:
        raise InputError("a row of the index has no certname, hash or time", Span(url), "puppetdb")
    name, digest, environment, time = (str(value or "") for value in values)
    # PuppetDB's hash leaves out the environment, in which the files of the catalog are.
    return IndexedNode(name, f"{digest} {environment}", environment, time)


def catalog_of(row: dict[str, object], path: str) -> Catalog | Exception:
    """Return the catalog of a row, or why it is none; an empty list is null there."""
    for name in ("resources", "edges"):
        part = row.get(name)
        if isinstance(part, dict) and "data" in part and part["data"] is None:
            row = {**row, name: []}
    try:
        return from_document(row, path)
    except InputError as error:
        return error
