"""The work of a worker: from a source, some nodes and a question to results, and nothing else."""

from __future__ import annotations

import gc
import json
import math
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from analyzer.diagnostics import InputError, words_of
from analyzer.fleet.values import CatalogSource, FleetQuestion, IndexedNode, ResultOfNode
from analyzer.model.catalog import Catalog, resource_count
from analyzer.model.resource import Resource
from analyzer.reach import user_files

# Answers that a worker remembers, so that nodes with equal catalogs share them.
REMEMBERED = 2_000


@dataclass(frozen=True, slots=True)
class Task:
    """Some nodes to look at."""

    source: CatalogSource
    question: FleetQuestion
    nodes: tuple[IndexedNode, ...]


class Memory:
    """The answers of this process, by question and content."""

    known: dict[tuple[str, str], ResultOfNode] = {}  # noqa: RUF012


def work(task: Task) -> list[ResultOfNode]:
    """Return the results of a task, in the order of its nodes.

    The garbage collector rests meanwhile; all that was made is young then, and the next look of the
    collector frees it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        with user_files():
            found = {
                node.key: with_reads(task.source, node, result_of(task.question, node, catalog))
                for node, catalog in task.source.fetch(task.nodes)
            }
    finally:
        if enabled:
            gc.enable()
    lost = "the source did not return this node"
    return [found.get(node.key) or ResultOfNode(node.key, failed=lost) for node in task.nodes]


def with_reads(source: CatalogSource, node: IndexedNode, result: ResultOfNode) -> ResultOfNode:
    """Return a result with the manifests that the compile of the node, just done, looked for."""
    reads = getattr(source, "reads", None)
    return replace(result, reads=reads(node.key)) if reads and not result.failed else result


def result_of(
    question: FleetQuestion, node: IndexedNode, catalog: Catalog | Exception
) -> ResultOfNode:
    """Return the result of a node; an error is part of it."""
    if isinstance(catalog, Exception):
        return ResultOfNode(node.key, failed=message_of(catalog))
    name = catalog.name or node.key
    try:
        return replace(answer_of(question, node, catalog, name), made=made_of(catalog, node))
    except Exception as error:
        return ResultOfNode(name, failed=message_of(error))


def made_of(catalog: Catalog, node: IndexedNode) -> float:
    """Return when a catalog was made, in seconds.

    Puppet's version of a catalog is that time, unless `config_version` makes another.
    """
    with suppress(TypeError, ValueError, OverflowError):
        found = float(catalog.version)
        if math.isfinite(found):
            return found
    with suppress(ValueError):
        return datetime.fromisoformat(node.time.replace("Z", "+00:00")).timestamp()
    return 0.0


def message_of(error: Exception) -> str:
    """Return the words of a report about an error."""
    if isinstance(error, InputError):
        return str(error).partition("\n")[0]
    return str(error) if isinstance(error, OSError) else words_of(error)


def answer_of(
    question: FleetQuestion, node: IndexedNode, catalog: Catalog, name: str
) -> ResultOfNode:
    """Return the answer for a catalog, a remembered one if an equal catalog had it."""
    if catalog.record is not None or not question.by_content:
        # What a compile knows besides the catalog belongs to this node alone.
        return asked(question, catalog, name, f"{node.hash} {node.key}")
    content = content_hash(catalog, name)
    known = Memory.known.get((question.key, content))
    if known is not None:
        return replace(known, name=name)
    result = asked(question, catalog, name, content)
    if len(Memory.known) >= REMEMBERED:
        Memory.known.clear()
    Memory.known[question.key, content] = result
    return result


def asked(question: FleetQuestion, catalog: Catalog, name: str, content: str) -> ResultOfNode:
    """Ask the question about a catalog."""
    answer = question.answer(catalog, name)
    return ResultOfNode(
        name,
        content,
        resource_count(catalog),
        answer.occurrences,
        answer.unknown,
        lacks=answer.lacks,
    )


def content_hash(catalog: Catalog, name: str) -> str:
    """Return a hash of all that answers depend on: equal for nodes that differ only in their names.

    Only a name with a dot is left out: a plain word may be the value of a parameter that
    means something, such as `ensure`. Version, time and identifiers of a compile are no content.
    """
    resources = [counted_parts(resource) for resource in catalog.resources]
    edges: list[Any] = [catalog.containment, catalog.extra_edges]
    if not catalog.ordered:
        resources.sort(key=lambda one: (one[0], one[1]))
        edges = [sorted(edges[0]), sorted(edges[1])]
    gaps = [str(gap) for gap in catalog.gaps]
    whole = [catalog.environment, resources, edges, gaps, sorted(catalog.classes)]
    text = json.dumps(whole, sort_keys=True, default=repr, ensure_ascii=False)
    if "." in name.strip("."):
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", "\ufdd2", text)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def counted_parts(one: Resource) -> list[object]:
    """Return the parts of a resource that count."""
    tags, secret = sorted(one.tags or ()), sorted(map(str, one.sensitive or ()))
    place = [one.file, one.line, one.kind, one.exported]
    return [one.type, one.title, place, tags, secret, one.parameters]
