"""A hiera.yaml: read, checked, and made into levels (pops/lookup/hiera_config.rb)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

from analyzer.formats.yaml_reader import YamlError, load
from analyzer.frontends.puppet.hiera.errors import HieraError, LookupFault, RubyFault, issue
from analyzer.frontends.puppet.hiera.hierarchy import locations as places
from analyzer.frontends.puppet.hiera.hierarchy.levels import Level
from analyzer.frontends.puppet.hiera.hierarchy.locations import Location, join
from analyzer.frontends.puppet.hiera.hierarchy.types import (
    FUNCTIONS,
    LOCATIONS,
    RESERVED_OPTIONS,
    VERSION_4,
    VERSION_5,
)
from analyzer.frontends.puppet.hiera.interpolation import interpolate, scope_value
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.sources.files import Files, Warn, names_to_strings
from analyzer.frontends.puppet.hiera.values.ruby import class_name, inspect
from analyzer.frontends.puppet.hiera.values.schema import check
from analyzer.model.values import Unknown
from analyzer.reading import read_text

DEFAULTS_5 = {"datadir": "data", "data_hash": "yaml_data"}
HIERARCHY_5 = [{"name": "Common", "path": "common.yaml"}]
LEVEL_FUNCTIONS = (*FUNCTIONS, "v4_data_hash")
UNDEFINED = re.compile(r"^Undefined variable '([^']+)'", re.M)


@dataclass
class Config:
    """A checked configuration of one layer.

    `layer` is `global`, `environment` or `module`; `path` None when there is no file.
    """

    root: str
    path: str | None
    data: dict[str, Any]
    layer: str
    warn: Warn
    version: ClassVar[int] = 0
    _levels: dict[bool, list[Level]] = field(default_factory=dict, init=False)
    _variables: list[tuple[str, Any]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.data = self.check(names_to_strings(self.data))

    @property
    def has_default_hierarchy(self) -> bool:
        """Whether there are levels for what is found nowhere else."""
        return False

    def check(self, data: dict[str, Any]) -> dict[str, Any]:
        """The configuration with its defaults, or a HieraError."""
        raise NotImplementedError

    def make_levels(self, invocation: Invocation, default: bool) -> list[Level]:
        """The levels of the hierarchy, or of the default one."""
        raise NotImplementedError

    def levels(self, invocation: Invocation, default: bool = False) -> list[Level]:
        """The levels, made anew when a variable they depend on has changed."""
        if not self._levels or not self._stable(invocation):
            # In Puppet this one knows nothing of the lookup it is within.
            collecting = Invocation(
                invocation.scope,
                invocation.find,
                strict=invocation.strict,
                warn=invocation.warn,
                remembered=[],
            )
            self._levels = {False: self._made(collecting, False)}
            if self.has_default_hierarchy:
                self._levels[True] = self._made(collecting, True)
            self._variables = collecting.remembered or []
        return self._levels.get(default, [])

    def _made(self, invocation: Invocation, default: bool) -> list[Level]:
        try:
            return self.make_levels(invocation, default)
        except (HieraError, RubyFault) as error:
            undefined = UNDEFINED.search(str(error))
            if isinstance(error, LookupFault) and error.issue and error.file is None:
                raise self.fault(error.message) from None
            if undefined is None:
                raise
            name = undefined[1]
            line = self.find_line(r"%\{['\"]?" + re.escape(name) + r"['\"]?\}")
            raise self.fault(f"Undefined variable '{name}'", line) from None

    def _stable(self, invocation: Invocation) -> bool:
        quiet = invocation.child(plain=True)
        quiet.strict, quiet.steps = "off", None
        return all(scope_value(key, quiet, key) == old for key, old in self._variables)

    def fault(self, message: str, line: int | None = None) -> LookupFault:
        """A fault of this configuration."""
        return issue(message, self.path, line)

    def find_line(self, pattern: str, start: int = 1) -> int | None:
        """The number of the first line, comments left out, with a match."""
        if self.path is None:
            return None
        for number, line in enumerate(read_text(self.path, "replace").split("\n"), 1):
            if number >= start and re.search(pattern, _without_comment(line)):
                return number
        return None

    def twice(self, what: str, name: str, pattern: str) -> LookupFault:
        """The fault of a name that two levels have."""
        first = self.find_line(pattern)
        second = self.find_line(pattern, first + 1) if first else None
        message = f"{what} '{name}' defined more than once."
        if second:
            message += f" First defined at (line: {first})"
        return self.fault(message, second or first)


def _without_comment(line: str) -> str:
    quote = ""
    for index, char in enumerate(line):
        if char in "\"'":
            quote = "" if char == quote else quote or char
        elif char == "#":
            # Quotes are counted in Puppet too, but a hash mark within them ends the line as well.
            return line[:index]
    return line


class Config5(Config):
    """Version 5."""

    version = 5

    @property
    def has_default_hierarchy(self) -> bool:
        return "default_hierarchy" in self.data

    def check(self, data: dict[str, Any]) -> dict[str, Any]:
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
        self, levels: list[dict[str, Any]], defaults: dict[str, Any]
    ) -> None:
        if self.layer != "module":
            raise self.fault(
                "'default_hierarchy' is only allowed in the module layer",
                self.find_line(r"(?:^|\s+)default_hierarchy:"),
            )
        for level in levels:
            self._check_level(level, defaults)

    def _check_level(self, level: dict[str, Any], defaults: dict[str, Any]) -> None:
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

    def _check_options(self, holder: dict[str, Any], where: str) -> None:
        for key in RESERVED_OPTIONS:
            if key in (holder.get("options") or {}):
                raise self.fault(f"Option key '{key}' used in {where} is reserved by Puppet")

    def make_levels(self, invocation: Invocation, default: bool) -> list[Level]:
        levels: dict[str, Level] = {}
        for level in self.data["default_hierarchy" if default else "hierarchy"]:
            name = level["name"]
            if name in levels:
                pattern = r"\s+name:\s+['\"]?" + re.escape(name) + r"(?:[^\w]|$)"
                raise self.twice("Hierarchy name", name, pattern)
            made = self._level(level, invocation)
            if made is not None:
                levels[name] = made
        return list(levels.values())

    def _level(self, level: dict[str, Any], invocation: Invocation) -> Level | None:
        defaults = self.data["defaults"]
        kind = next((key for key in LEVEL_FUNCTIONS if key in level), None)
        holder = level if kind else defaults
        kind = kind or next(key for key in FUNCTIONS if key in defaults)
        datadir = join(self.root, level.get("datadir") or defaults.get("datadir") or "data")
        found = self._locations(level, interpolate(datadir, invocation, False), invocation)
        if self.path is None and found is not None:
            # Without a hiera.yaml a file that is not there is not even asked.
            found = [location for location in found if location.exists]
            if not found:
                return None
        options = level.get("options", defaults.get("options")) or {}
        options = interpolate(options, invocation, False)
        return Level(level["name"], kind, holder[kind], options, found, invocation.warn)

    def _locations(
        self, level: dict[str, Any], datadir: Any, invocation: Invocation
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
        return _unless_unknown(datadir, many) or find(datadir, many, invocation)


def _unless_unknown(datadir: Any, declared: list[str]) -> list[Location]:
    if not isinstance(datadir, Unknown):
        return []
    return [places.unresolved(one, datadir) for one in declared]


class Config4(Config):
    """Version 4, of environments and modules."""

    version = 4
    FUNCTIONS: ClassVar[dict[str, tuple[str, str]]] = {
        "json": ("json_data", ".json"),
        "yaml": ("yaml_data", ".yaml"),
        "hocon": ("hocon_data", ".conf"),
    }

    def check(self, data: dict[str, Any]) -> dict[str, Any]:
        self.warn(deprecation(self.path or "", 4))
        common = [{"name": "common", "backend": "yaml"}]
        for key, default in (("datadir", "data"), ("hierarchy", common)):
            if data.get(key) in (None, False):
                data[key] = default
        checked: dict[str, Any] = check(
            f"The Lookup Configuration at '{self.path or ''}'", VERSION_4, data
        )
        return checked

    def make_levels(self, invocation: Invocation, default: bool) -> list[Level]:
        levels: dict[str, Level] = {}
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
            levels[name] = Level(name, "data_hash", function, {}, found, invocation.warn)
        return list(levels.values())


def deprecation(path: str, version: int) -> str:
    """Puppet's warning of an old version."""
    return (
        f"{path}: Use of 'hiera.yaml' version {version} is deprecated."
        " It should be converted to version 5"
    )


def _count(keys: tuple[str, ...], holder: dict[str, Any]) -> int:
    return sum(key in holder for key in keys)


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])}, or {words[-1]}"


def load_config(path: str, layer: str, files: Files, warn: Warn) -> Config:
    """The configuration of a file, or the default one where there is none.

    Raises:
        HieraError: it is broken.
    """
    from analyzer.frontends.puppet.hiera.hierarchy.config_v3 import DEFAULT_3, Config3

    root = os.path.dirname(path)
    if not os.path.exists(path):
        return Config5(root, None, {"version": 5}, layer, warn)
    try:
        data = files.read(path, load)
    except YamlError as error:
        from analyzer.frontends.puppet.hiera.errors import PuppetFault

        raise PuppetFault(str(error)) from None
    if not isinstance(data, dict):
        warn(
            f"{path}: File exists but does not contain a valid YAML hash."
            " Falling back to Hiera version 3 default config"
        )
        data = dict(DEFAULT_3)
    version = _version(names_to_strings(data).get("version"))
    if version == 4 and layer == "global":
        raise issue("hiera.yaml version 4 cannot be used in the global layer", path)
    kinds: dict[int, type[Config]] = {3: Config3, 4: Config4, 5: Config5}
    if version not in kinds:
        message = f"This runtime does not support hiera.yaml version {version}"
        raise issue(message, path)
    return kinds[version](root, path, data, layer, warn)


def _version(value: Any) -> int:
    if value is None or value is False:
        return 3
    if isinstance(value, str):
        digits = re.match(r"\s*[-+]?\d+", value)
        return int(digits[0]) if digits else 0
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value)
    raise RubyFault(f"undefined method `to_i' for {inspect(value)}:{class_name(value)}")
