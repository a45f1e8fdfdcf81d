"""Exported resources of all nodes: what PuppetDB is to Puppet (storeconfigs)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown
from analyzer.source import Span

# The key of the object that an Unknown is in a store; no parameter of Puppet's begins so.
UNKNOWN = "__unknown"


@dataclass(frozen=True, slots=True)
class Exported:
    """A resource that a node exported.

    `parameters` are data by name, `tags` in small letters; `file` and `line` say where it is
    declared.
    """

    node: str
    type: str
    title: str
    parameters: JsonObject
    tags: tuple[str, ...]
    file: str | None = None
    line: int | None = None

    @property
    def span(self) -> Span | None:
        """The place of its declaration."""
        return Span(self.file, self.line or 0) if self.file else None

    def text(self) -> str:
        """Return it as JSON, but for the node."""
        fields = [self.type, self.title, self.parameters, self.tags, self.file, self.line]
        return json.dumps(fields, default=plain)


def plain(value: Any) -> Any:
    """Return a value that JSON has no word for."""
    if isinstance(value, Unknown):
        return {UNKNOWN: value.reason, "is_text": value.is_text}
    return str(value)


def read(node: str, text: str) -> Exported:
    """Return the resource that a text of a store is.

    Raises:
        ValueError: it is none.
    """
    fields = json.loads(text, object_hook=with_unknowns)
    if not isinstance(fields, list) or len(fields) != 6:
        raise ValueError("a row is not an exported resource")
    kind, title, parameters, tags, file, line = fields
    if not (isinstance(kind, str) and isinstance(title, str) and isinstance(parameters, dict)):
        raise ValueError("a row is not an exported resource")
    return Exported(node, kind, title, parameters, tuple(tags), file, line)


def with_unknowns(value: JsonObject) -> Any:
    """Return an object, or the Unknown it stands for."""
    if UNKNOWN in value:
        return Unknown(str(value[UNKNOWN]), is_text=bool(value.get("is_text")))
    return value


class ExportStore(Protocol):
    """A file of exported resources (`store_file.StoreFile`)."""

    def of_type(self, kind: str) -> dict[str, list[Exported]]:
        """Return the resources of a type by node, in the order of their catalogs."""
        ...

    def of_node(self, node: str) -> list[Exported]:
        """Return a node's resources."""
        ...

    def replace(self, compiled: Mapping[str, Mapping[str, Exported]]) -> None:
        """Put the resources of nodes, by their texts, in the place of those before."""
        ...


class Exports:
    """The exported resources of all nodes that this run compiled or the store's file has.

    A node is stale, and must be compiled again, if it asked for a type of which another node
    exports something else by now.
    """

    def __init__(self, file: ExportStore | None = None) -> None:
        self.file = file
        self.compiled: dict[str, dict[str, Exported]] = {}
        self.clock = 0
        # By node and type: when it was last asked for; by type and node: when it last changed.
        self.asked: dict[str, dict[str, int]] = {}
        self.changed: dict[str, dict[str, int]] = {}

    def search(self, kind: str, node: str) -> Iterator[Exported]:
        """Yield the resources of a type that other nodes export, by node."""
        self.asked.setdefault(node, {})[kind] = self.clock
        filed = self.file.of_type(kind) if self.file else {}
        for other in sorted({*filed, *self.compiled} - {node}):
            if other in self.compiled:
                yield from (one for one in self.compiled[other].values() if one.type == kind)
            else:
                yield from filed[other]

    def replace(self, node: str, exported: Iterable[Exported]) -> None:
        """Replace the exports of a node."""
        before = self.compiled.get(node)
        if before is None:
            before = {one.text(): one for one in self.file.of_node(node)} if self.file else {}
        now = {one.text(): one for one in exported}
        self.clock += 1
        for text in before.keys() ^ now.keys():
            one = now.get(text) or before[text]
            self.changed.setdefault(one.type, {})[node] = self.clock
        # Read back, so that a resource is the same whether or not it was in a file meanwhile.
        self.compiled[node] = {text: read(node, text) for text in now}

    def stale(self, node: str) -> bool:
        """Return whether another node changed what this one asked for, since it did."""
        return any(
            when > asked
            for kind, asked in self.asked.get(node, {}).items()
            for other, when in self.changed.get(kind, {}).items()
            if other != node
        )

    def save(self) -> None:
        """Write what was compiled to the file, if there is one.

        Raises:
            InputError: it cannot be written.
        """
        if self.file is not None:
            self.file.replace(self.compiled)
