"""catgraph: what Puppet will do to a machine, in what order, and which line says so."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.apply.simulate import simulate as simulate
    from analyzer.diagnostics import CompileError as CompileError
    from analyzer.diagnostics import Finding as Finding
    from analyzer.diagnostics import InputError as InputError
    from analyzer.graph.relationship_graph import RelationshipGraph as RelationshipGraph
    from analyzer.graph.relationship_graph import relate as relate
    from analyzer.library import compile as compile
    from analyzer.library import lint as lint
    from analyzer.library import parse as parse
    from analyzer.model.catalog import Catalog as Catalog
    from analyzer.model.refs import ResourceRef as ResourceRef
    from analyzer.session.inputs import load_catalog as load_catalog

# The public names and the modules they come from; imported when first asked for (PEP 562).
PUBLIC = {
    "Catalog": "analyzer.model.catalog",
    "CompileError": "analyzer.diagnostics",
    "Finding": "analyzer.diagnostics",
    "InputError": "analyzer.diagnostics",
    "RelationshipGraph": "analyzer.graph.relationship_graph",
    "ResourceRef": "analyzer.model.refs",
    "__version__": "analyzer.version",
    "compile": "analyzer.library",
    "lint": "analyzer.library",
    "load_catalog": "analyzer.session.inputs",
    "parse": "analyzer.library",
    "relate": "analyzer.graph.relationship_graph",
    "simulate": "analyzer.apply.simulate",
}

__all__ = [
    "Catalog",
    "CompileError",
    "Finding",
    "InputError",
    "RelationshipGraph",
    "ResourceRef",
    "compile",
    "lint",
    "load_catalog",
    "parse",
    "relate",
    "simulate",
]


def __getattr__(name: str) -> object:
    if name not in PUBLIC:
        raise AttributeError(f"module 'analyzer' has no attribute {name!r}")
    module = __import__(PUBLIC[name], fromlist=[name])
    return module.VERSION if name == "__version__" else getattr(module, name)


def __dir__() -> list[str]:
    return [*globals(), *PUBLIC]
