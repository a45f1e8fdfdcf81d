"""The calls of the Python library: compile, parse and lint, with plain Python values."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from analyzer.compiles.outcomes import compile_path
from analyzer.frontends.puppet.failures import explained
from analyzer.frontends.puppet.node.environment import CODE, MOST_SECONDS, Settings
from analyzer.frontends.puppet.node.facts import merged, read_facts
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.parsing import parser
from analyzer.model.documents import JsonObject
from analyzer.model.room import MOST_MEMORY
from analyzer.model.stubs import Stubs
from analyzer.reach import user_files
from analyzer.session.inputs import several, whole, writable

if TYPE_CHECKING:
    from os import PathLike

    from analyzer.diagnostics import Finding
    from analyzer.frontends.puppet.origins.telling import OriginRow
    from analyzer.model.catalog import Catalog

    Path = str | PathLike[str]
    Facts = Mapping[str, Any] | Path


class Program(ast.Program):
    """The syntax tree of a manifest."""

    __slots__ = ()

    def to_pn(self, *, pretty: bool = False) -> str:
        """Return the tree as `puppet parser dump --format pn` prints it."""
        from analyzer.frontends.puppet.syntax.pn import to_pn

        return to_pn(ast.Program(*self), pretty)

    def __repr__(self) -> str:
        text = self.to_pn()
        return f"<Program {text if len(text) <= SHOWN else f'{text[:SHOWN]}...'}>"


# The kinds of the arguments of `compile`, in code and in words.
TEXT: tuple[tuple[type, ...], str] = (str,), "a string"
PATH: tuple[tuple[type, ...], str] = (str, os.PathLike), "a path"
MAPPING: tuple[tuple[type, ...], str] = (Mapping,), "a mapping"
ARGUMENTS = {
    **dict.fromkeys(("code", "node", "environment", "store", "ruby"), TEXT),
    "path": PATH,
    "hiera_config": PATH,
    "facts": ((Mapping, str, os.PathLike), "a mapping, a path, or several of these"),
    "modulepath": ((str, os.PathLike), "a list of several paths"),
    "data": MAPPING,
    "trusted": MAPPING,
    "functions": MAPPING,
}

# Characters of a tree that its `repr` shows.
SHOWN = 60


def parse(text: str, file: str = "<string>") -> Program:
    """Parse a manifest; `file` is its name in errors.

    Raises:
        CompileError: the text is not a Puppet program.
    """
    with explained(file):
        return Program(*parser.parse(text, file))


def compile(  # noqa: PLR0913 (one keyword for each input of a compile)
    path: Path | None = None,
    *,
    code: str | None = None,
    node: str | None = None,
    facts: Facts | Sequence[Facts] | None = None,
    data: Mapping[str, Any] | None = None,
    hiera_config: Path | None = None,
    modulepath: Sequence[Path] = (),
    environment: str | None = None,
    trusted: Mapping[str, Any] | None = None,
    functions: Mapping[str, Any] | None = None,
    puppet_version: int = 8,
    strict_variables: bool | None = None,
    strict: bool = False,
    ruby: str | None = None,
    store: str | None = None,
    time_limit: int = MOST_SECONDS,
    memory_limit: int = MOST_MEMORY,
) -> Catalog:
    """Compile the catalog of one node.

    - `path`: a manifest, environment, control repo or module; with `code`, the text's folder.
    - `facts`: a mapping, a file, or several of both, of which later ones win; None: Unknown.
    - `data`: Hiera data by key, which win over those of the environment and of modules.
    - `modulepath`: folders before those of the environment. `store`: a file of exported resources.
    - `trusted`: entries of `$trusted`; `functions`: what functions in Ruby return, by name.
    - `strict`: missing modules and unseen data are errors. `ruby`: a Ruby with Puppet, or `auto`.

    Raises:
        InputError: an input cannot be read, or there are several nodes. CompileError: as it says.
    """
    check_types(locals())
    with user_files(), hiera_of(data, hiera_config) as config:
        settings = Settings(
            node=node,
            modulepath=tuple(os.fspath(folder) for folder in modulepath),
            hiera_config=config,
            environment=environment,
            puppet_version=puppet_version,
            strict_variables=strict_variables,
            strict=strict,
            trusted=dict(trusted or {}),
            ruby=ruby,
            store=store,
            time_limit=time_limit,
            memory_limit=memory_limit,
            **texts_and_facts(code, facts, functions),
        )
        return one_catalog(place_of(path, code, data, hiera_config), settings, data, hiera_config)


def explained_rows(
    path: str,
    settings: Settings,
    data: Mapping[str, Any] | None,
    config: Path | None,
    ref: str,
    parameter: str | None,
) -> list[OriginRow]:
    """Compile once more, and return the origin of a resource or of the value of a parameter.

    Raises:
        KeyError: there is no such resource, or it has no such parameter.
    """
    from analyzer.compiles.explaining import explain_path

    with user_files(), hiera_of(data, config) as hiera:
        (node,) = explain_path(path, replace(settings, hiera_config=hiera))
        entry = None if node.explanation is None else node.explanation.find(ref)
        if node.explanation is None or entry is None:
            raise KeyError(f"there is no {ref}")
        if parameter is None:
            return node.explanation.why(entry)
        if parameter not in entry.parameters:
            raise KeyError(f"{entry.ref} has no parameter {parameter}")
        return node.explanation.value(entry, parameter)


def texts_and_facts(
    code: str | None,
    facts: Facts | Sequence[Facts] | None,
    functions: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return the settings for the code, the facts and the functions that are given."""
    return {
        "overlay": {} if code is None else {CODE: code},
        "fact_values": None if facts is None else facts_of(facts),
        "typical": has_system(facts),
        "stubs": Stubs(functions=dict(functions or {})),
    }


def check_types(given: Mapping[str, object]) -> None:
    """Check the kinds of arguments that are given.

    Raises:
        TypeError: one is of another kind; it is named.
    """
    for name, (kinds, words) in ARGUMENTS.items():
        value = given[name]
        if value is None:
            continue
        many = "several" in words and not isinstance(value, (str, Mapping))
        inside = value if many and isinstance(value, Sequence) else [value]
        if not all(isinstance(one, kinds) for one in inside) or (
            name == "modulepath" and isinstance(value, str)
        ):
            raise TypeError(f"compile(): {name} must be {words}, not {value!r:.60}")


def place_of(path: Path | None, code: str | None, data: object, hiera_config: object) -> str:
    """Return the path to compile.

    Raises:
        ValueError: the arguments contradict each other.
    """
    if path is None and code is None:
        raise ValueError("compile() needs a path or code")
    if data is not None and hiera_config is not None:
        raise ValueError("compile() takes data or hiera_config, not both")
    return CODE if path is None else os.fspath(path)


def one_catalog(
    path: str, settings: Settings, data: Mapping[str, Any] | None, config: Path | None
) -> Catalog:
    """Compile one catalog; `data` and `config` are those of the settings, to compile it again.

    Raises:
        InputError: there are several.
    """
    with collector_paused():
        catalogs = compile_path(path, settings, one=True).all()
    if len(catalogs) > 1:
        raise several(path, catalogs, compiled=True)
    catalogs[0].explain = partial(explained_rows, path, settings, data, config)
    return writable(whole(catalogs[0]))


def has_system(given: Facts | Sequence[Facts] | None) -> bool:
    """Return whether facts are those of a typical system, such as `@debian-12`."""
    many = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return any(isinstance(one, str) and one.startswith(MARK) for one in many)


def facts_of(given: Facts | Sequence[Facts]) -> dict[str, object]:
    """Return facts from mappings and files, merged key by key.

    Raises:
        InputError: a file cannot be read, or holds no facts.
    """
    found: JsonObject = {}
    for one in [given] if isinstance(given, (Mapping, str, os.PathLike)) else given:
        values = dict(one) if isinstance(one, Mapping) else read_facts(os.fspath(one))
        found = merged(found, values)
    return found


@contextmanager
def hiera_of(data: Mapping[str, object] | None, config: Path | None) -> Iterator[str | None]:
    """Yield the `hiera.yaml` of the global layer: the one given, or one for the given data."""
    if data is None:
        yield None if config is None else os.fspath(config)
        return
    import json
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="catgraph-") as folder:
        level = {"name": "data", "path": "data.json", "datadir": ".", "data_hash": "json_data"}
        hiera = {"version": 5, "hierarchy": [level]}
        Path(folder, "hiera.yaml").write_text(json.dumps(hiera), encoding="utf-8")
        Path(folder, "data.json").write_text(json.dumps(dict(data)), encoding="utf-8")
        yield os.path.join(folder, "hiera.yaml")


@contextmanager
def collector_paused() -> Iterator[None]:
    """Stop the garbage collector: a compile makes many values and no garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def lint(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]], config: str | None = None
) -> list[Finding]:
    """Check manifests, modules, control repos and catalogs with the rules of the lint.

    `config` is a `catgraph.toml`, by default the nearest one at or above each path. Code that
    cannot be compiled is a finding. The baseline is ignored.

    Raises:
        InputError: a path cannot be read, or a configuration is not valid.
    """
    from analyzer.session.inputs import load_catalogs
    from analyzer.session.lint.request import (
        Request,
        choice_of,
        in_order,
        rules_by_path,
        worlds_of,
    )
    from analyzer.session.lint.results import lint_inputs
    from analyzer.session.settings import config_for, settings_of

    one = isinstance(paths, (str, os.PathLike))
    inputs = in_order([cast("str", paths)] if one else cast("Iterable[str]", paths))
    if not inputs:
        return []
    with user_files():
        file = config_for(inputs[0], config)
        linted = lint_inputs(
            Request(
                inputs,
                choice_of(file),
                lambda path: settings_of(config_for(path, config), {}),
                rules_by_path(config),
                load_catalogs,
                worlds=worlds_of(file),
            )
        )
    for error in linted.done.errors:
        raise error
    return list(linted.results.findings)
