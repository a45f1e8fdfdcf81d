"""The names of Hiera that its tests use."""

from analyzer.frontends.puppet.hiera.environment import Environment
from analyzer.frontends.puppet.hiera.errors import (
    HieraError,
    LookupFault,
    NotFound,
    PuppetFault,
    RubyFault,
)
from analyzer.frontends.puppet.hiera.explain import Explanation, Outcome, Step
from analyzer.frontends.puppet.hiera.functions import (
    call_lookup,
    hiera,
    hiera_array,
    hiera_hash,
    hiera_include,
    lookup,
)
from analyzer.frontends.puppet.hiera.lookup import Lookup
from analyzer.frontends.puppet.hiera.scope import MISSING, Scope, Variables
from analyzer.frontends.puppet.hiera.services import Services, Types
from analyzer.frontends.puppet.hiera.sources.files import Files

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
