"""catgraph: what Puppet will do to a machine, in what order, and which line says so.

The package has the public names. A wheel has `analyzer`, `tui` and `grammars` inside it; in a
checkout, where they lie beside it, `checkout` finds them.
"""

from __future__ import annotations

import os

if not os.path.isdir(os.path.join(os.path.dirname(__file__), "analyzer")):
    from catgraph.checkout import install

    install()

from analyzer import __all__ as __all__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer import Catalog as Catalog
    from analyzer import CompileError as CompileError
    from analyzer import Finding as Finding
    from analyzer import InputError as InputError
    from analyzer import RelationshipGraph as RelationshipGraph
    from analyzer import ResourceRef as ResourceRef
    from analyzer import compile as compile
    from analyzer import lint as lint
    from analyzer import load_catalog as load_catalog
    from analyzer import parse as parse
    from analyzer import relate as relate
    from analyzer import simulate as simulate


def __getattr__(name: str) -> object:
    import analyzer

    if name not in analyzer.PUBLIC:
        raise AttributeError(f"module 'catgraph' has no attribute {name!r}")
    return getattr(analyzer, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
