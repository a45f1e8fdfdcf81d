"""A hiera.yaml of version 4, which environments and modules may still have."""

from __future__ import annotations

import re
from typing import ClassVar

from analyzer.frontends.puppet.hiera.hierarchy import locations as places
from analyzer.frontends.puppet.hiera.hierarchy.config import HieraConfig, deprecation
from analyzer.frontends.puppet.hiera.hierarchy.levels import HierarchyLevel
from analyzer.frontends.puppet.hiera.hierarchy.locations import join
from analyzer.frontends.puppet.hiera.hierarchy.reading import Readings
from analyzer.frontends.puppet.hiera.hierarchy.types import (
    VERSION_4,
)
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.values.schema import check
from analyzer.model.values import Value


class Config4(HieraConfig):
    """Version 4, of environments and modules."""

    version = 4
    FUNCTIONS: ClassVar[dict[str, tuple[str, str]]] = {
        "json": ("json_data", ".json"),
        "yaml": ("yaml_data", ".yaml"),
        "hocon": ("hocon_data", ".conf"),
    }

    def check(self, data: dict[str, object]) -> dict[str, object]:
        self.warn(deprecation(self.path or "", 4))
        common = [{"name": "common", "backend": "yaml"}]
        for key, default in (("datadir", "data"), ("hierarchy", common)):
            if data.get(key) in (None, False):
                data[key] = default
        checked: dict[str, Value] = check(
            f"The Lookup Configuration at '{self.path or ''}'", VERSION_4, data
        )
        return checked

    def make_levels(self, invocation: Invocation, default: bool) -> list[HierarchyLevel]:
        levels: dict[str, HierarchyLevel] = {}
        for level in self.data["hierarchy"]:
            name, backend = level["name"], level["backend"]
            if name in levels:
                pattern = r"\s+name:\s+['\"]?" + re.escape(name) + r"(?:[^\w]|$)"
                raise self.twice("Hierarchy name", name, pattern)
            if backend not in self.FUNCTIONS:
                line = self.find_line(r"[^\w]" + re.escape(backend) + r"(?:[^\w]|$)")
                raise self.fault(f"No data provider is registered for backend '{backend}'", line)
            function, extension = self.FUNCTIONS[backend]
            declared = level.get("paths", [level.get("path", name)])
            datadir = join(self.root, level.get("datadir") or self.data["datadir"])
            found = places.paths(datadir, declared, invocation, extension)
            readings = Readings()
            readings.add(datadir, declared, extension)
            levels[name] = HierarchyLevel(
                name, "data_hash", function, {}, found, invocation.warn, readings
            )
        return list(levels.values())
