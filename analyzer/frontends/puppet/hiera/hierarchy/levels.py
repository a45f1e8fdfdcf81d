"""One level of a hierarchy: the function that gives its data, and where from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect
from analyzer.frontends.puppet.hiera.errors import (
    LookupFault,
    NotFound,
    OutsideFault,
    PuppetFault,
    RubyFault,
)
from analyzer.frontends.puppet.hiera.explain import LookupOutcome
from analyzer.frontends.puppet.hiera.hierarchy import locations as places
from analyzer.frontends.puppet.hiera.hierarchy.locations import Location
from analyzer.frontends.puppet.hiera.hierarchy.reading import Readings, files_by_key
from analyzer.frontends.puppet.hiera.interpolation import interpolate
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.sources.eyaml import Eyaml
from analyzer.frontends.puppet.hiera.sources.files import (
    ParsedFiles,
    Reader,
    Warn,
    hocon_file,
    json_file,
    yaml_file,
)
from analyzer.frontends.puppet.hiera.sources.parts import note_key
from analyzer.frontends.puppet.hiera.values.keys import OPTIONS, LookupKey
from analyzer.frontends.puppet.hiera.values.merge import MergeStrategy
from analyzer.frontends.puppet.hiera.values.rich_data import invalid
from analyzer.frontends.puppet.hiera.values.schema import HashOf, check
from analyzer.model.values import Unknown, Value

READERS: dict[str, Reader] = {
    "yaml_data": yaml_file,
    "json_data": json_file,
    "hocon_data": hocon_file,
}
EYAML = "eyaml_lookup_key"
# The reason why the data of a custom function are not known.
FUNCTION = "Hiera's {} function '{}'"
NO_PATH = (
    "'{}' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml"
    " when using this data_hash function"
)
NO_EYAML_PATH = (
    "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared"
    " in hiera.yaml when using this lookup_key function"
)


class Context:
    """The cache of a custom function for one level and location.

    `module` is set in the module layer. `cache` is what it keeps by itself, `values` are those
    that a `lookup_key` function has returned: for these keys it is not called again.
    """

    __slots__ = ("cache", "module", "values")

    def __init__(self, module: str | None) -> None:
        self.module = module
        self.cache: dict[Value, Value] = {}
        self.values: dict[str, Value] = {}


# A custom function: its kind, its name, and its arguments, the context last.
Function = Callable[[str, str, list[Any], Context], Any]


@dataclass(slots=True)
class LevelHost:
    """The layer of a level: a name, the files, and functions of the environment.

    `module` is set in the module layer; `function` is None when the environment has no such one.
    """

    name: str
    files: ParsedFiles
    function: Callable[[str, str], Function | None]
    fault: Callable[[str], LookupFault]
    strict: str = "warning"
    module: str | None = None
    readers: dict[str, Reader] = field(default_factory=dict)


def live_of(locations: list[Location | None]) -> list[Location | None]:
    """Return the locations that may have values, as most paths lead to no file.

    Of several it is never one alone: its value would not be one of those that are merged.
    """
    live = [one for one in locations if one is None or one.exists]
    gone = [one for one in locations if one is not None and not one.exists]
    return live if len(live) > 1 else [*live, *gone][:2]


@dataclass(slots=True)
class HierarchyLevel:
    """An entry of a hierarchy; `locations` None: it has none."""

    name: str
    kind: str
    function: str
    options: Any
    locations: list[Location] | None
    warn: Warn
    readings: Readings = field(default_factory=Readings)
    extra_datadir: str | None = None
    _live: list[Location | None] | None = None
    _hashes: dict[str | None, Any] = field(default_factory=dict)
    _contexts: dict[str | None, Context] = field(default_factory=dict)

    def lookup(
        self, key: LookupKey, invocation: Invocation, merge: MergeStrategy, host: LevelHost
    ) -> Value:
        """Return the value of the key's root.

        Raises:
            NotFound: no location has one.
        """
        if invocation.read is not None:
            invocation.read += self.readings.reads(
                self.name, key.root, host.files, self._reader(), invocation.scope
            )
        return merge.lookup(
            self._asked(invocation),
            lambda location: self._at(location, key, invocation, host),
        )

    def _asked(self, invocation: Invocation) -> list[Location | None]:
        """Return the locations to ask: all of them to explain, else those that may have values."""
        if invocation.steps is not None or invocation.location_overrides:
            return self._all_locations(invocation)
        if self._live is None:
            self._live = live_of(self._all_locations(invocation))
        return self._live

    def _all_locations(self, invocation: Invocation) -> list[Location | None]:
        own: list[Location | None] = [None] if self.locations is None else [*self.locations]
        if self.extra_datadir is None or not invocation.location_overrides:
            return own
        extra = places.paths(
            self.extra_datadir, invocation.location_overrides, invocation, f".{self.name}"
        )
        return [*extra, *own]

    def _at(
        self, location: Location | None, key: LookupKey, invocation: Invocation, host: LevelHost
    ) -> Value:
        where = (host.name, self.name, location.text if location else None)
        if location is not None and not location.exists:
            invocation.report(where, key.root, LookupOutcome.NO_FILE)
            raise NotFound
        try:
            value = self._value(location, key, invocation, host)
        except NotFound:
            invocation.report(where, key.root, LookupOutcome.NO_KEY)
            raise
        if not isinstance(value, Unknown):
            invocation.report(where, key.root, LookupOutcome.FOUND, value)
        elif location is not None and location.text in host.files.outside:
            # What else is known counts; the level is a gap of the compile.
            invocation.report(where, key.root, LookupOutcome.UNKNOWN, value)
            gone = replace(location, exists=False)
            self._live = self._live and live_of(
                [gone if one is location else one for one in self._live]
            )
            raise NotFound
        elif key.root == OPTIONS:
            # The options of the other levels still hold; else one custom function would make
            # everything unknown.
            raise NotFound
        else:
            invocation.report(where, key.root, LookupOutcome.UNKNOWN, value)
            if host.files.assumes and self._is_elsewhere(location, value):
                if self._may_have(location, key.root, host):
                    unknown = location and location.unknown
                    host.files.assumed.setdefault(self.name, (unknown or value).reason)
                raise NotFound
        return value

    def _reader(self) -> Reader | None:
        """Return the reader of the files of the level, None if a custom function reads them."""
        return yaml_file if self.function == EYAML else READERS.get(self.function)

    def _is_elsewhere(self, location: Location | None, value: Unknown) -> bool:
        """Return whether the data of a level are none that can be read here."""
        if location is not None and location.unknown is not None:
            return True
        return self.kind == "hiera3_backend" or value.reason.startswith(
            FUNCTION.format(self.kind, self.function)
        )

    def _may_have(self, location: Location | None, root: str, host: LevelHost) -> bool:
        """Return whether a level may have a key: one of its files has, or they are not known."""
        reader = self._reader()
        if location is None or not location.pattern or reader is None:
            return True
        note_key(root)
        found = files_by_key(location.pattern, host.files, reader)
        return found is None or root in found

    def _value(
        self, location: Location | None, key: LookupKey, invocation: Invocation, host: LevelHost
    ) -> Value:
        if location is not None and location.unknown is not None:
            return Unknown(f"path of Hiera's level '{self.name}': {location.unknown.reason}")
        if self.kind == "hiera3_backend":
            return Unknown(f"Hiera 3 backend '{self.function}'")
        if self.function == EYAML and self.kind.endswith("lookup_key"):
            return self._eyaml(location, key.root, invocation, host)
        if self.kind.endswith("data_hash"):
            return self._of_hash(location, key.root, invocation, host)
        first = [key.root, *key.segments] if self.kind == "data_dig" else key.root
        if self.kind == "data_dig":
            value = self._call(location, [first, self._with(location)], host)
            return key.undig(self._valid(key.text, value, location))
        known = self._context(location, host).values
        if key.root not in known:
            value = self._call(location, [first, self._with(location)], host)
            known[key.root] = self._valid(key.root, value, location)
        return known[key.root]

    def _context(self, location: Location | None, host: LevelHost) -> Context:
        text = location.text if location else None
        return self._contexts.setdefault(text, Context(host.module))

    def _call(self, location: Location | None, arguments: list[object], host: LevelHost) -> Value:
        function = host.function(self.kind, self.function)
        if function is None:
            raise host.fault(f"Unable to find '{self.kind}' function named '{self.function}'")
        return function(self.kind, self.function, arguments, self._context(location, host))

    def _with(self, location: Location | None) -> Value:
        if location is None or isinstance(self.options, Unknown):
            return self.options
        return {**self.options, "path" if location.is_path else "uri": location.text}

    def _of_hash(
        self, location: Location | None, root: str, invocation: Invocation, host: LevelHost
    ) -> Any:
        hash_ = self._hash(location, host)
        if isinstance(hash_, Unknown):
            return hash_
        note_key(root)
        if root not in hash_:
            raise NotFound
        place = f", when using location '{location.text}'," if location else ""
        value = hash_[root]
        self._check_value(value, f"Value for key '{root}', in hash returned from", place)
        return interpolate(value, invocation, True)

    def _check_value(self, value: object, start: str, place: str) -> None:
        actual = invalid(value)
        if actual is not None:
            raise PuppetFault(
                f"{start} {self.full_name}{place} has wrong type,"
                f" expects Puppet::LookupValue, got {actual}"
            )

    @property
    def full_name(self) -> str:
        """Return Puppet's name of the function in messages."""
        if self.kind == "v4_data_hash":
            return f"deprecated API function '{self.function}'"
        return f"{self.kind} function '{self.function}'"

    def _valid(self, key: str, value: object, location: Location | None) -> Value:
        place = f", when using location '{location.text}'," if location else ""
        self._check_value(value, f"Value for key '{key}', returned from", place)
        return value

    def _hash(self, location: Location | None, host: LevelHost) -> Any:
        text = location.text if location else None
        if text not in self._hashes:
            hash_ = self._read(location, host)
            place = f", when using location '{text}'," if location else ""
            check(f"Value returned from {self.full_name}{place}", HashOf(), hash_)
            if host.module is not None and isinstance(hash_, dict):
                self._check_names(hash_, host.module, place)
            self._hashes[text] = hash_
        return self._hashes[text]

    def _check_names(self, hash_: dict[object, object], module: str, place: str) -> None:
        for key in hash_:
            if not isinstance(key, str):
                name = class_name(key)
                raise RubyFault(f"undefined method `start_with?' for {inspect(key)}:{name}")
            if key == "lookup_options" or key.startswith(f"{module}::"):
                continue
            self.warn(
                f"Module '{module}': Value returned from {self.full_name}{place}"
                " must use keys qualified with the name of the module"
            )

    def _read(self, location: Location | None, host: LevelHost) -> Value:
        reader = READERS.get(self.function)
        if reader is None or self.kind == "v4_data_hash":
            return self._call(location, [self._with(location)], host)
        if location is None or not location.is_path:
            raise RubyFault(NO_PATH.format(self.function))
        return self._data(location, reader, host)

    def _data(self, location: Location, reader: Reader, host: LevelHost) -> Value:
        # Two functions that read the same file share what the first made of it.
        reader = host.readers.setdefault(location.text, reader)
        try:
            # The names of all keys in the data of a module are checked.
            read = host.files.by_key if host.module is None else host.files.read
            data = read(location.text, reader)
        except OutsideFault as fault:
            host.files.unread.setdefault(self.name, set()).add(location.text)
            return Unknown(f"Hiera's level '{self.name}': {fault}")
        if reader is not yaml_file or isinstance(data, dict):
            return data
        message = f"{location.text}: file does not contain a valid yaml hash"
        if host.strict == "error" and data is not False:
            raise LookupFault(message)
        self.warn(message)
        return {}

    def _eyaml(
        self, location: Location | None, root: str, invocation: Invocation, host: LevelHost
    ) -> Value:
        if location is None or not location.is_path:
            raise RubyFault(NO_EYAML_PATH)
        text = location.text
        if text not in self._hashes:
            self._hashes[text] = self._data(location, yaml_file, host)
        if isinstance(self._hashes[text], Unknown):
            return self._hashes[text]
        note_key(root)
        if root not in self._hashes[text]:
            raise NotFound
        value = Eyaml(self.options, host.files, text).value(
            self._hashes[text][root], root, lambda plain: interpolate(plain, invocation, True)
        )
        return self._valid(root, value, location)
