"""Hiera in a compile: the variables that it reads, and the functions `lookup` and `hiera`.

Hiera is loaded only where there may be data: with its YAML it is as large as the compilation.
"""

from __future__ import annotations

import os
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import gaps
from analyzer.frontends.puppet.compiler.calls import catalog
from analyzer.frontends.puppet.compiler.declared.compilation import NO_DATA, CallSite, Compilation
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.node.modules import shown
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value
from analyzer.pattern import pattern
from analyzer.reading import note, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from analyzer.frontends.puppet.hiera.lookup import Lookup
    from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles


# The beginning of an input that is a key of Hiera, looked up by a function.
LOOKUP = "lookup::"
# Functions that merge all values to a list, and the merge that does.
OF_LISTS, UNIQUE = frozenset({"hiera_array", "hiera_include"}), "unique"
# Folders of data that are kept apart from the code.
SECRET = pattern(r"(?i)(?<![a-z])(?:private|secrets?|credentials?)(?![a-z])[^/]*\Z")
ELSEWHERE = "level '{}' reads {}, which is not here"
NO_CONFIG = "the environment has no hiera.yaml, and none is given (--hiera-config FILE)"


class DataScope:
    """A scope of the compile as Hiera asks it."""

    __slots__ = ("compilation", "scope")

    def __init__(self, compilation: Compilation, scope: Scope) -> None:
        self.compilation = compilation
        self.scope = scope

    def variable(self, name: str) -> Value:
        """Return a variable's value; Unknown if it may be a fact, Hiera's MISSING if it is not."""
        from analyzer.frontends.puppet.hiera.scope import MISSING as NOTHING

        value = self.compilation.visible_variable(name, self.scope)
        if value is not MISSING:
            return value
        # The paths of a hierarchy name facts with and without the colons.
        bare = name.removeprefix("::")
        return self.compilation.may_be_fact(f"::{bare}") or NOTHING


class DataTypes:
    """The type system, as a lookup uses it."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation

    def parse(self, text: str) -> Value:
        """Return the type that a text names."""
        return parse_type(text, self.compilation.resolve)

    def new(self, kind: Any, value: Value, arguments: list[Value]) -> Value:
        """Return a value made by `new`."""
        from analyzer.frontends.puppet.types.construct.new import new_instance

        return new_instance(kind, [value, *arguments])

    def check(self, subject: str, kind: Any, value: Value) -> Value:
        """Return a value that is of a type.

        Raises:
            HieraError: it is of another.
        """
        if is_instance(kind, value):
            return value
        from analyzer.frontends.puppet.hiera.errors import HieraError
        from analyzer.frontends.puppet.types.infer import infer_set
        from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

        raise HieraError(describe_mismatch(f"{subject} has wrong type,", kind, infer_set(value)))


class HieraData:
    """The data of the compile's environment and modules."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.environment = compilation.inputs.environment_dir
        self.config = compilation.inputs.hiera_config
        self._modules: dict[str, bool] = {}
        self._outside: tuple[int, list[tuple[str, str, bool]]] = 0, []

    @cached_property
    def lookup(self) -> Lookup:
        """Hiera for this compile."""
        from analyzer.frontends.puppet.compiler.calls.data_functions import custom
        from analyzer.frontends.puppet.hiera.lookup import Lookup
        from analyzer.frontends.puppet.hiera.services import Services
        from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles

        found = Lookup(
            self.config,
            self.environment,
            self.compilation.definitions.modulepath,
            DataScope(self.compilation, self.compilation.top),
            strict="error" if self.compilation.strict else "warning",
            files=ParsedFiles(self.compilation.definitions.data),
            services=Services(
                types=DataTypes(self.compilation),
                functions=partial(custom, self.compilation),
                warn=self.compilation.warnings.append,
                strict=self.compilation.inputs.strict,
            ),
        )
        if not self.compilation.inputs.strict:
            found.files.assumes = True
            found.files.deployed = self.compilation.inputs.environment, self.environment
        found.files.overlay = self.compilation.definitions.overlay
        found.environment.place(self.compilation.definitions.placed)
        return found

    def at(self, scope: Scope) -> Lookup:
        """Return the lookup with the variables of a scope."""
        return self.lookup.at(DataScope(self.compilation, scope))

    def outside(self) -> list[tuple[str, str, bool]]:
        """Return files that may not be read, the reason, and whether they may have values."""
        if "lookup" not in vars(self):
            return []
        files = self.lookup.files
        count = len(files.outside) + sum(map(len, files.unread.values()))
        if count != self._outside[0]:
            self._outside = count, outside_of(files)
        return self._outside[1]

    def assumed(self) -> dict[str, str]:
        """Return the levels that are assumed to have no values, with the reasons."""
        return self.lookup.files.assumed if "lookup" in vars(self) else {}

    def secret_levels(self) -> Iterator[tuple[str, str]]:
        """Yield the levels whose folder of secrets is not here, each with the reason."""
        is_asked = "lookup" in vars(self) and not self.compilation.inputs.strict
        for level, folder in self.lookup.files.elsewhere.items() if is_asked else ():
            if SECRET.search(folder):
                yield level, f"{shown(folder)} is not here"

    def unseen(self, *, assumed: bool = True) -> str:
        """Return why there may be data that cannot be read here, empty if all can be read.

        Levels that are `assumed` to have no values may have one where nothing else has.
        """
        for name, reason in self.assumed().items() if assumed else ():
            return f"level '{name}': {reason}"
        inputs = self.compilation.inputs
        if not inputs.strict and "lookup" in vars(self) and self.lookup.files.unread:
            return self.outside()[0][1]
        if inputs.strict or self.config is not None or self.environment is None:
            return ""
        if not os.path.exists(os.path.join(self.environment, "hiera.yaml")):
            return NO_CONFIG
        found = self.lookup.files.elsewhere if "lookup" in vars(self) else {}
        return next((ELSEWHERE.format(level, shown(at)) for level, at in found.items()), "")

    def of_server(self) -> str:
        """Return why only a server has data, empty if there is an environment, or a configuration.

        A manifest by itself is no environment. Who gives facts of a machine has it before them.
        """
        inputs = self.compilation.inputs
        is_given = inputs.strict or (inputs.facts is not None and not inputs.typical)
        known = is_given or self.config is not None or self.environment is not None
        return "" if known else NO_CONFIG

    def mentions(self, key: str) -> bool:
        """Return whether files that are data of the repository have a key.

        Their folders tell whether files are data.
        """
        from analyzer.frontends.puppet.hiera.sources.parts import note_key
        from analyzer.frontends.puppet.node.names import keys_in_data

        known = self.compilation.definitions
        if known.keys_in_data is None:
            known.keys_in_data = keys_in_data(known.missing.folders, known.overlay)
        keys, notes = known.keys_in_data
        note_key(key)
        note(notes)
        return key in keys

    @cached_property
    def above_modules(self) -> bool:
        """True if there may be data for the classes of every module."""
        if self.config is not None:
            return True
        return self.environment is not None and may_have(self.environment, "environment.conf")

    def of_module(self, name: str) -> bool:
        """Return whether a module may have data of its own."""
        found = self._modules.get(name)
        if found is None:
            folder = self.compilation.definitions.module(name)
            found = folder is not None and may_have(folder, "metadata.json")
            self._modules[name] = found
        return found

    def parameter(self, key: str, scope: Scope, entry: Entry) -> Value:
        """Return the value of a class's parameter, NO_DATA if data have none.

        Raises:
            EvaluationError: the lookup fails.
        """
        if not self.above_modules and not self.of_module(key.partition("::")[0]):
            return NO_DATA
        from analyzer.frontends.puppet.hiera.errors import HieraError
        from analyzer.frontends.puppet.hiera.scope import MISSING as NOTHING

        lookup, trace = self.at(scope), self.compilation.trace
        try:
            ask = partial(lookup.parameter, key)
            value = ask() if trace is None else trace.look_up(key, lookup, scope, ask)
        except HieraError as error:
            raise EvaluationError(str(error), entry.unit, entry.node) from None
        gaps.data_left_out(self.compilation, key, value, entry)
        return NO_DATA if value is NOTHING else value


def may_have(folder: str, config: str) -> bool:
    """Return whether a folder may have data: it says how, or a setting of old names a provider."""
    if os.path.exists(os.path.join(folder, "hiera.yaml")):
        return True
    try:
        return b"data_provider" in read_bytes(os.path.join(folder, config))
    except OSError:
        return False


def outside_of(files: ParsedFiles) -> list[tuple[str, str, bool]]:
    """Return files that may not be read as `HieraData.outside` does: levels of a folder as one."""
    found = []
    for folder, names in levels_by_folder(files.unread).items():
        paths = sorted(path for name in names for path in files.unread[name])
        place = paths[0] if len(paths) == 1 else folder
        title = f"Hiera's level{'s' if len(names) > 1 else ''} {enumerated(names)}"
        found.append((title, f"{place}: {files.outside[paths[0]]}", True))
    levels = set().union(*files.unread.values())
    rest = (path for path in files.outside if path not in levels)
    return found + [(f"Hiera's file {path}", files.outside[path], False) for path in rest]


def levels_by_folder(unread: Mapping[str, set[str]]) -> dict[str, list[str]]:
    """Return the levels with files in one folder, or below it, by the folder."""
    folders = {
        name: os.path.commonpath([os.path.dirname(path) for path in paths])
        for name, paths in unread.items()
    }
    found: dict[str, list[str]] = {}
    for name, folder in folders.items():
        above = [one for one in folders.values() if f"{folder}/".startswith(f"{one}/")]
        found.setdefault(min(above, key=len), []).append(name)
    return found


def enumerated(names: list[str]) -> str:
    """Return names in quotes: `'a', 'b' and 'c'`."""
    *first, last = [f"'{name}'" for name in names]
    return f"{', '.join(first)} and {last}" if first else last


def lookup(site: CallSite, *arguments: Value) -> Value:
    """`lookup`, in any of its forms."""
    return looked_up(site, "call_lookup", list(arguments))


def hiera_first(site: CallSite, *arguments: Value) -> Value:
    """`hiera`: the first value."""
    return looked_up(site, "hiera", *arguments)


def hiera_array(site: CallSite, *arguments: Value) -> Value:
    """`hiera_array`: all values."""
    return looked_up(site, "hiera_array", *arguments)


def hiera_hash(site: CallSite, *arguments: Value) -> Value:
    """`hiera_hash`: all values, merged."""
    return looked_up(site, "hiera_hash", *arguments)


def hiera_include(site: CallSite, *arguments: Value) -> Value:
    """`hiera_include`: includes the classes that data name."""
    return catalog.include(site, looked_up(site, "hiera_include", *arguments))


def looked_up(site: CallSite, name: str, *arguments: Any) -> Value:
    """Call a function of Hiera; its errors are errors of the call."""
    from analyzer.frontends.puppet.hiera import functions
    from analyzer.frontends.puppet.hiera.errors import HieraError, NothingFound

    given = list(arguments[0]) if name == "call_lookup" else list(arguments)
    unknown = deciding(given, 3 if name == "call_lookup" else 1)
    if unknown is not None:
        return unknown
    lookup, trace = site.compilation.data.at(site.scope), site.compilation.trace
    ask = partial(getattr(functions, name), lookup, *arguments, block=site.block)
    stand_in = site.compilation.inputs.parameters.get(f"{LOOKUP}{shown_keys(given)}")
    if stand_in is not None:
        # A merge of all values is always a list.
        is_list = name in OF_LISTS or UNIQUE in given
        whole = [stand_in] if is_list and not isinstance(stand_in, list) else stand_in
        ask = partial(given_data, site, whole, given)
    try:
        key = shown_keys(given)
        return ask() if trace is None else trace.look_up(key, lookup, site.scope, ask, "lookup")
    except NothingFound as error:
        unseen = site.compilation.data.unseen() or site.compilation.data.of_server()
        if not unseen:
            raise EvaluationError(str(error), site.unit, site.node) from None
        return Unknown(f"key '{shown_keys(given)}' of Hiera: {unseen}")
    except HieraError as error:
        raise EvaluationError(str(error), site.unit, site.node) from None


def given_data(site: CallSite, value: Value, given: list[Value]) -> Value:
    """Return a value that stands for data, if it is of the type that the call asks for.

    Raises:
        HieraError: it is of another.
    """
    kind = given[1] if len(given) > 1 else None
    if not isinstance(kind, Type):
        return value
    return DataTypes(site.compilation).check("Found value", kind, value)


def shown_keys(given: list[Value]) -> str:
    """Return the keys that a call looks for, for a message."""
    names = given[0].get("name") if isinstance(given[0], dict) else given[0]
    return ", ".join(map(str, names)) if isinstance(names, list) else str(names)


def deciding(given: list[Value], default: int) -> Unknown | None:
    """Return the Unknown that decides what a lookup looks for; `default` is no such argument."""
    options = given[-1] if len(given) <= 2 and isinstance(given[-1], dict) else {}
    names = options.get("name") if len(given) == 1 and options else given[0]
    deciders = [one for number, one in enumerate(given) if number != default]
    deciders += [one for key, one in options.items() if key != "default_value"]
    found = next((one for one in deciders if isinstance(one, Unknown)), None)
    return found or find_unknown((names, options.get("merge"), *options))
