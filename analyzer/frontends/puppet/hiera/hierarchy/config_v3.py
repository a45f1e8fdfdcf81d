"""A hiera.yaml of version 3, which Puppet 7 and 8 still read in the global layer."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.hiera.hierarchy import locations as places
from analyzer.frontends.puppet.hiera.hierarchy.config import HieraConfig, deprecation
from analyzer.frontends.puppet.hiera.hierarchy.levels import HierarchyLevel
from analyzer.frontends.puppet.hiera.hierarchy.reading import Readings, names_in
from analyzer.frontends.puppet.hiera.hierarchy.types import version_3
from analyzer.frontends.puppet.hiera.interpolation import interpolate
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.scope import Hiera3Scope
from analyzer.frontends.puppet.hiera.values.merge import MergeStrategy, strategy
from analyzer.frontends.puppet.hiera.values.schema import check
from analyzer.model.values import Unknown, Value

DEFAULT_3: dict[str, Value] = {
    "backends": ["yaml"],
    "hierarchy": ["nodes/%{::trusted.certname}", "common"],
    "merge_behavior": "native",
}
# Puppet's codedir is a setting; this is where packages have it.
DATADIR = "/etc/puppetlabs/code/environments/%{::environment}/hieradata"
FUNCTIONS = {
    "json": ("v3_data_hash", "json_data"),
    "yaml": ("v3_data_hash", "yaml_data"),
    "hocon": ("v3_data_hash", "hocon_data"),
    "eyaml": ("v3_lookup_key", "eyaml_lookup_key"),
}


class Config3(HieraConfig):
    """Version 3: backends, each with the same hierarchy."""

    version = 3

    def check(self, data: dict[str, object]) -> dict[str, object]:
        self.warn(deprecation(self.path or "", 3))
        defaults = {"version": 3, **DEFAULT_3, "deep_merge_options": {}}
        missing = {k: v for k, v in defaults.items() if data.get(k) in (None, False)}
        data = {**data, **missing}
        kind = version_3([name for name in _many(data["backends"]) if isinstance(name, str)])
        checked: dict[str, Value] = check(
            f"The Lookup Configuration at '{self.path or ''}'", kind, data
        )
        return checked

    @property
    def merge_strategy(self) -> MergeStrategy:
        """Return the strategy of `hiera_hash`."""
        behavior = self.data["merge_behavior"]
        if behavior == "native":
            return strategy(None)
        name = "reverse_deep" if behavior == "deep" else "unconstrained_deep"
        return strategy({"strategy": name, **self.data["deep_merge_options"]})

    def make_levels(self, invocation: Invocation, default: bool) -> list[HierarchyLevel]:
        if not isinstance(invocation.scope, Hiera3Scope):
            invocation = self._in_hiera_scope(invocation)
        levels: dict[str, HierarchyLevel] = {}
        for backend in _many(self.data["backends"]):
            if backend in levels:
                pattern = r"[^\w]" + re.escape(backend) + r"(?:[^\w]|$)"
                fault = self.twice("Backend", backend, pattern)
                fault.message = fault.message.replace("' defined", "' is defined", 1)
                raise fault
            levels[backend] = self._level(backend, invocation)
        return list(levels.values())

    def _in_hiera_scope(self, invocation: Invocation) -> Invocation:
        made = invocation.child(Hiera3Scope(invocation.scope))
        made.remembered = invocation.remembered
        return made

    def _level(self, backend: str, invocation: Invocation) -> HierarchyLevel:
        written = self.data.get(backend) or {}
        settings = interpolate(written, invocation, False)
        datadir = settings.get("datadir") or interpolate(DATADIR, invocation, False)
        datadir = self.placed(datadir)
        declared = _many(self.data["hierarchy"])
        extension = settings.get("extension") or ("conf" if backend == "hocon" else backend)
        if isinstance(datadir, Unknown):
            found = [places.unresolved(one, datadir) for one in declared]
        else:
            found = places.paths(datadir, declared, invocation, f".{extension}")
        kind, function = FUNCTIONS.get(backend, ("hiera3_backend", backend))
        readings = Readings(list(names_in([written, DATADIR])))
        readings.add(datadir, declared, f".{extension}")
        level = HierarchyLevel(backend, kind, function, settings, found, invocation.warn, readings)
        level.extra_datadir = datadir
        return level


def _many(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]
