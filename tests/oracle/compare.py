"""What the analyzer says about a recorded catalog, set against what Puppet said."""

from __future__ import annotations

import re

import analyzer
from analyzer.session.verify.graphs import GraphDifference, first_of, graph_differences, missing

from .case import Case, Catalog

_REFUSAL = re.compile(r"Could not find depend(?:ency|ent) .*\Z", re.DOTALL)


def differences(case: Case) -> list[GraphDifference]:
    """Every kind of output in which the analyzer disagrees with Puppet, first place each."""
    return graph_differences(case.graph, analyzer.relate(analyzer.load_catalog(case.catalog)))


def refusal_differences(catalog: Catalog, error: str) -> list[GraphDifference]:
    """Like `differences`, for a catalog that Puppet refused to apply with this error.

    Only references that find no resource are compared: the analyzer does not validate values.
    """
    refused = _REFUSAL.search(error)
    if refused is None:
        return []
    graph = analyzer.relate(analyzer.load_catalog(catalog))
    found = first_of("missing", [(refused.group(),)], missing(graph)[:1])
    return [found] if found else []
