"""The catalogs of a PuppetDB, read in pages that begin behind the last name of the page before.

Declaration order, `kind` and `classes` are not kept there. Cycles and their causes need none of
them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.fleet.sources.puppetdb_client import ast_of, client_of
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.fleet.values import Node
from analyzer.frontends.catalog_json import from_document
from analyzer.model.catalog import Catalog
from analyzer.source import Span

# Nodes of a page of the index.
PAGE = 500
FIELDS = ["certname", "hash", "environment", "producer_timestamp"]


@dataclass(frozen=True, slots=True)
class PuppetDB:
    """A PuppetDB; `query`, in PQL or AST, chooses nodes by their `certname`."""

    access: Access
    query: str = ""

    @property
    def name(self) -> str:
        """Return the address, with the query if there is one."""
        return f"{self.access.url} {self.query}".strip()

    def index(self) -> Iterator[Node]:
        """Yield the nodes by name.

        Raises:
            InputError: PuppetDB does not answer, or refuses the query.
        """
        client, last = client_of(self.access), ""
        while True:
            rows = client.query(self.page_after(last))
            for row in rows:
                node = node_of(row, self.access.url)
                if node.key <= last:
                    message = f"the pages of nodes are not in order: '{node.key}' after '{last}'"
                    raise InputError(message, Span(self.access.url), "puppetdb")
                last = node.key
                yield node
            if len(rows) < PAGE:
                return

    def page_after(self, last: str) -> object:
        """Return the query for the next page of nodes."""
        own = ast_of(self.query)
        if self.query and own is None:
            name = json.dumps(last)
            return (
                f"catalogs[{', '.join(FIELDS)}] {{ certname > {name} and certname in "
                f"{self.query} order by certname limit {PAGE} }}"
            )
        behind: Any = [">", "certname", last]
        wanted = behind if own is None else ["and", behind, ["in", "certname", chosen_by(own)]]
        return [
            *("from", "catalogs", ["extract", FIELDS, wanted]),
            *(["order_by", ["certname"]], ["limit", PAGE]),
        ]

    def fetch(self, nodes: Sequence[Node]) -> Iterator[tuple[Node, Catalog | Exception]]:
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


def chosen_by(own: Any) -> Any:
    """Return a query for names: a bare filter is one of nodes."""
    if isinstance(own, list) and own[:1] == ["from"]:
        return own
    return ["from", "nodes", ["extract", "certname", own]]


def node_of(row: dict[str, Any], url: str) -> Node:
    """Return the node of a row of the index.

    Raises:
        InputError: it is none.
    """
    values = [row.get(field) for field in FIELDS]
    if not all(isinstance(value, str) for value in values[:2]) or not values[0]:
        raise InputError("a row of the index has no certname or hash", Span(url), "puppetdb")
    name, digest, environment, time = (str(value or "") for value in values)
    # PuppetDB's hash leaves out the environment, in which the files of the catalog are.
    return Node(name, f"{digest} {environment}", environment, time)


def catalog_of(row: dict[str, Any], path: str) -> Catalog | Exception:
    """Return the catalog of a row, or why it is none."""
    try:
        return from_document(row, path)
    except InputError as error:
        return error
