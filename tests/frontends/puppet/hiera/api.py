"""The names of Hiera that its tests use."""

from analyzer.frontends.puppet.hiera.environment import HieraEnvironment
from analyzer.frontends.puppet.hiera.errors import (
    HieraError,
    LookupFault,
    NotFound,
    PuppetFault,
    RubyFault,
)
from analyzer.frontends.puppet.hiera.explain import LookupExplanation, LookupOutcome, LookupStep
from analyzer.frontends.puppet.hiera.functions import (
    call_lookup,
    hiera,
    hiera_array,
    hiera_hash,
    hiera_include,
    lookup,
)
from analyzer.frontends.puppet.hiera.lookup import Lookup
from analyzer.frontends.puppet.hiera.scope import MISSING, LookupScope, ScopeVariables
from analyzer.frontends.puppet.hiera.services import Services, TypeServices
from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles

__all__ = [
    "MISSING",
    "HieraEnvironment",
    "HieraError",
    "Lookup",
    "LookupExplanation",
    "LookupFault",
    "LookupOutcome",
    "LookupScope",
    "LookupStep",
    "NotFound",
    "ParsedFiles",
    "PuppetFault",
    "RubyFault",
    "ScopeVariables",
    "Services",
    "TypeServices",
    "call_lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "lookup",
]
