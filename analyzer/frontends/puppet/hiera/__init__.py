"""Hiera 5: the data of a node, looked up as Puppet does it, with the source of each value.

Read `lookup.py` first: a key through the layers. `functions.py` has what manifests call on top of
it. `hierarchy/` reads hiera.yaml and makes levels of it, `sources/` reads the files of data,
`values/` digs into values and merges them. `scope.py` and `services.py` are what the compiler
provides.
"""

from analyzer.frontends.puppet.hiera.sources.files import Files

from .environment import Environment
from .errors import HieraError, LookupFault, NotFound, PuppetFault, RubyFault
from .explain import Explanation, Outcome, Step
from .functions import (
    call_lookup,
    hiera,
    hiera_array,
    hiera_hash,
    hiera_include,
    lookup,
)
from .lookup import Lookup
from .scope import MISSING, Scope, Variables
from .services import Services, Types

__all__ = [
    "MISSING",
    "Environment",
    "Explanation",
    "Files",
    "HieraError",
    "Lookup",
    "LookupFault",
    "NotFound",
    "Outcome",
    "PuppetFault",
    "RubyFault",
    "Scope",
    "Services",
    "Step",
    "Types",
    "Variables",
    "call_lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "lookup",
]
