"""Hiera 5: the data of a node, looked up as Puppet does it, with where each value comes from."""

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
