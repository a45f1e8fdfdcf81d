"""A hiera.yaml of version 5."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.hiera.hierarchy import locations as places
from analyzer.frontends.puppet.hiera.hierarchy.config import HieraConfig
from analyzer.frontends.puppet.hiera.hierarchy.levels import HierarchyLevel
from analyzer.frontends.puppet.hiera.hierarchy.locations import Location, join
from analyzer.frontends.puppet.hiera.hierarchy.reading import Readings, names_in
from analyzer.frontends.puppet.hiera.hierarchy.types import (
    FUNCTIONS,
    LOCATIONS,
    RESERVED_OPTIONS,
    VERSION_5,
)
from analyzer.frontends.puppet.hiera.interpolation import interpolate
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.sources.files import Warn
from analyzer.frontends.puppet.hiera.values.schema import check
from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value

DEFAULTS_5 = {"datadir": "data", "data_hash": "yaml_data"}
HIERARCHY_5 = [{"name": "Common", "path": "common.yaml"}]
LEVEL_FUNCTIONS = (*FUNCTIONS, "v4_data_hash")


class Config5(HieraConfig):
    """Version 5."""

    version = 5

    @property
    def has_default_hierarchy(self) -> bool:
        return "default_hierarchy" in self.data

    def check(self, data: JsonObject) -> dict[str, object]:
        for key, default in (("defaults", DEFAULTS_5), ("hierarchy", HIERARCHY_5)):
            if data.get(key) in (None, False):
                data[key] = default
        check(f"The Lookup Configuration at '{self.path or ''}'", VERSION_5, data)
        defaults = data["defaults"]
        if _count(FUNCTIONS, defaults) > 1:
            raise self.fault(f"Only one of {_listed(FUNCTIONS)} can be defined in defaults")
        self._check_options(defaults, "defaults")
        for level in (*data["hierarchy"], *data.get("plan_hierarchy", ())):
            self._check_level(level, defaults)
        if "default_hierarchy" in data:
            self._check_default_hierarchy(data["default_hierarchy"], defaults)
        return data

    def _check_default_hierarchy(
        self, levels: list[dict[str, Value]], defaults: dict[str, Value]
    ) -> None:
        if self.layer != "module":
            raise self.fault(
                "'default_hierarchy' is only allowed in the module layer",
                self.find_line(r"(?:^|\s+)default_hierarchy:"),
            )
        for level in levels:
            self._check_level(level, defaults)

    def _check_level(self, level: JsonObject, defaults: dict[str, Value]) -> None:
        name = level["name"]
        count = _count(LEVEL_FUNCTIONS, level)
        if count > 1 or (count == 0 and not _count(FUNCTIONS, defaults)):
            words = "Only one of", "can be" if count else "must be"
            start = words[0] if count else "One of"
            raise self.fault(
                f"{start} {_listed(FUNCTIONS)} {words[1]} defined in hierarchy '{name}'"
            )
        self._check_backend(level.get("hiera3_backend"))
        if _count(LOCATIONS, level) > 1:
            raise self.fault(
                f"Only one of {_listed(LOCATIONS)} can be defined in hierarchy '{name}'"
            )
        self._check_options(level, f"hierarchy '{name}'")

    def _check_backend(self, backend: str | None) -> None:
        if backend is None:
            return
        if self.layer != "global":
            line = self.find_line(r"\s+hiera3_backend:")
            raise self.fault("'hiera3_backend' is only allowed in the global layer", line)
        if backend in ("json", "yaml", "hocon"):
            line = self.find_line(r"\s+hiera3_backend:\s*['\"]?" + backend + r"(?:[^\w]|$)")
            raise self.fault(
                f'Use "data_hash: {backend}_data" instead of "hiera3_backend: {backend}"', line
            )

    def _check_options(self, holder: JsonObject, where: str) -> None:
        for key in RESERVED_OPTIONS:
            if key in (holder.get("options") or {}):
                raise self.fault(f"Option key '{key}' used in {where} is reserved by Puppet")

    def make_levels(self, invocation: Invocation, default: bool) -> list[HierarchyLevel]:
        levels: dict[str, HierarchyLevel] = {}
        for level in self.data["default_hierarchy" if default else "hierarchy"]:
            name = level["name"]
            if name in levels:
                pattern = r"\s+name:\s+['\"]?" + re.escape(name) + r"(?:[^\w]|$)"
                raise self.twice("Hierarchy name", name, pattern)
            made = self._level(level, invocation)
            if made is not None:
                levels[name] = made
        return list(levels.values())

    def _level(self, level: JsonObject, invocation: Invocation) -> HierarchyLevel | None:
        defaults = self.data["defaults"]
        kind = next((key for key in LEVEL_FUNCTIONS if key in level), None)
        holder = level if kind else defaults
        kind = kind or next(key for key in FUNCTIONS if key in defaults)
        written = level.get("datadir") or defaults.get("datadir") or "data"
        datadir = self.placed(interpolate(join(self.root, written), invocation, False))
        invocation.in_locations = True
        try:
            found = self._locations(level, datadir, invocation)
        finally:
            invocation.in_locations = False
        if self.path is None and found is not None:
            # Without a hiera.yaml a file that is not there is not even asked.
            found = [location for location in found if location.exists]
            if not found:
                return None
        options = level.get("options", defaults.get("options")) or {}
        readings = readings_of(level, datadir, [written, options])
        options = interpolate(options, invocation, False)
        return HierarchyLevel(
            level["name"], kind, holder[kind], options, found, invocation.warn, readings
        )

    def _locations(
        self, level: JsonObject, datadir: Any, invocation: Invocation
    ) -> list[Location] | None:
        key = next((key for key in LOCATIONS if key in level), None)
        if key is None:
            return None
        declared = level[key]
        if key == "mapped_paths":
            return _unless_unknown(datadir, declared) or places.mapped_paths(
                datadir, declared, invocation
            )
        many = declared if isinstance(declared, list) else [declared]
        if key.startswith("uri"):
            return places.uris(many, invocation)
        find = places.globs if key.startswith("glob") else places.paths
        if self.layer == "environment" and not isinstance(datadir, Unknown):
            for one in many:
                folder = places.folder_not_here(datadir, one)
                if folder is not None:
                    self.elsewhere.setdefault(str(level["name"]), folder)
        return _unless_unknown(datadir, many) or find(datadir, many, invocation)


def readings_of(level: JsonObject, datadir: object, always: list[Value]) -> Readings:
    """Return the variables that a level reads; those in `always` are read for any key."""
    readings = Readings(list(names_in(always)))
    key = next((key for key in LOCATIONS if key in level), None)
    if key == "mapped_paths":
        variable, name, template = level[key]
        # The elements of the variable stand for one in the template.
        names = [variable, *(one for one in names_in(template) if one.split(".")[0] != name)]
        if isinstance(datadir, str):
            readings.paths.append((join(datadir, template), names))
        else:
            readings.always += names
    elif key is not None:
        many = level[key] if isinstance(level[key], list) else [level[key]]
        # What a pattern or a URI leads to is not searched.
        readings.add(datadir if key.startswith("path") else None, many)
    return readings


def _unless_unknown(datadir: object, declared: list[str]) -> list[Location]:
    if not isinstance(datadir, Unknown):
        return []
    return [places.unresolved(one, datadir) for one in declared]


def _count(keys: tuple[str, ...], holder: dict[str, object]) -> int:
    return sum(key in holder for key in keys)


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])}, or {words[-1]}"


def legacy_function(root: str, function: str, layer: str, warn: Warn) -> HieraConfig:
    """Return the configuration that a `data_provider` of `function` stands for."""
    level = {"name": f"Legacy function '{function}'", "v4_data_hash": function}
    return Config5(root, None, {"version": 5, "hierarchy": [level]}, layer, warn)
