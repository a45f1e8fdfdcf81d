"""Catalogs as the documents that Puppet's JSON is."""

from __future__ import annotations

from typing import Any

from analyzer.export.catalog_json import row
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.results.catalog import to_catalog


def to_document(compilation: Compilation) -> dict[str, Any]:
    """Return the catalog of a compile as a document, with values that JSON lacks."""
    catalog = to_catalog(compilation, "")
    return {
        "name": catalog.name,
        "catalog_format": catalog.format,
        "environment": catalog.environment,
        "resources": [row(resource) for resource in catalog.resources],
        "edges": [{"source": source, "target": target} for source, target in catalog.containment],
        "classes": catalog.classes,
    }
