"""The facts that a PuppetDB has of its nodes, as files for the compiles of a control repo."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice

from analyzer.diagnostics import InputError
from analyzer.fleet.sources.puppetdb import PuppetDB
from analyzer.fleet.sources.puppetdb_client import client_of
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.source import Span

# Nodes whose facts are fetched at once.
CHUNK = 50


def write_facts(access: Access, query: str, folder: str) -> int:
    """Write the facts of each node to NAME.json in a folder; return how many there are.

    Raises:
        InputError: PuppetDB does not answer, has no facts, or names a node as no file can be.
    """
    nodes = dict.fromkeys(node.key for node in PuppetDB(access, query, "factsets").index())
    if not nodes:
        raise InputError("PuppetDB has no facts of these nodes", Span(access.url), "no-facts")
    names, count = iter(nodes), 0
    while part := list(islice(names, CHUNK)):
        for name, facts in facts_of(access, part):
            with open(os.path.join(folder, file_of(name, access)), "w", encoding="utf-8") as file:
                json.dump(facts, file)
            count += 1
    return count


def facts_of(access: Access, names: Sequence[str]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the names of nodes with their facts.

    Raises:
        InputError: an answer holds no facts.
    """
    wanted = ["in", "certname", ["array", [*names]]]
    for row in client_of(access).query(["from", "factsets", wanted]):
        facts = row.get("facts")
        rows = facts.get("data") if isinstance(facts, dict) else None
        if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
            raise InputError("a fact set is empty", Span(access.url), "puppetdb")
        yield str(row.get("certname")), {str(one.get("name")): one.get("value") for one in rows}


def file_of(name: str, access: Access) -> str:
    """Return the name of a node's file.

    Raises:
        InputError: it would lead elsewhere.
    """
    if name.startswith(".") or "/" in name or "\0" in name or len(os.fsencode(name)) > 200:
        message = f"the node '{name}' has a name that cannot be a file name"
        raise InputError(message, Span(access.url), "puppetdb")
    return f"{name}.json"
