"""The content hash of a catalog: equal for nodes that differ only in their names."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource


def content_hash(catalog: Catalog, name: str) -> str:
    """Return a hash of all that answers depend on; the node's certificate name does not count.

    Only a name with a dot is left out: a plain word may be the value of a parameter that
    means something, such as `ensure`. Version, time and identifiers of a compile are no content.
    """
    resources = [row(resource) for resource in catalog.resources]
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


def row(one: Resource) -> list[object]:
    """Return the parts of a resource that count."""
    tags, secret = sorted(one.tags or ()), sorted(map(str, one.sensitive or ()))
    place = [one.file, one.line, one.kind, one.exported]
    return [one.type, one.title, place, tags, secret, one.parameters]
