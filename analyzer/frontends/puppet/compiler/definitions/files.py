"""The trees and definitions of files: each is read once, whatever environments have it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from analyzer.frontends.puppet.compiler.definitions.definition import KINDS, Definition, node_name
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.listening import Watch
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.cache import Cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.issues import LOCATION, UNLOADED
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.reach import may_read

# Of texts that were put together there is no end: they are kept nowhere.
NOWHERE = Cache(None)


@lru_cache(maxsize=8192)
def checked(
    text: str,
    file: str,
    store: Cache,
    *,
    epp: bool = False,
    strict: Strictness = "error",
    elsewhere: bool = False,
    modulepath: tuple[str, ...] | None = None,
) -> a.Program:
    """Return the tree of a manifest or a template.

    `elsewhere`: its module is in another folder than it will be, so names may not match paths.

    Raises:
        ParseError: it is no Puppet program, or one that Puppet does not accept.
    """
    found = check_cached(text, file, epp=epp, strict=strict, modulepath=modulepath, cache=store)
    tree = found.tree
    errors = [
        problem
        for problem in found.found
        if problem.severity == "error" and not (elsewhere and problem.code == LOCATION)
    ]
    if errors or tree is None:
        first, *others = errors or found.found
        is_clear = all(problem.code in UNLOADED for problem in errors)
        raise ParseError(first, text, tuple(others), tree if is_clear else None)
    return tree


def definitions_in(
    program: a.Program, unit: Unit, module: str, strict: Strictness
) -> list[Definition]:
    """Return the definitions of a program, with a node block for each name that it has."""
    found = []
    marked = strict == "error"
    for node in program.definitions:
        kind = KINDS.get(type(node))
        if kind == "node":
            for match in cast("a.NodeDefinition", node).host_matches:
                definition = Definition(kind, node_name(match, marked=marked), node, unit)
                definition.match = match
                found.append(definition)
        elif kind is not None:
            name = node.name.lower()  # type: ignore[attr-defined]
            found.append(Definition(kind, name, node, unit, module))
    return found


def defined(
    text: str,
    file: str,
    store: Cache,
    module: str,
    strict: Strictness,
    elsewhere: bool,
    modulepath: tuple[str, ...],
    watch: Watch | None = None,
) -> tuple[a.Program, Unit, list[Definition]]:
    """Return the tree of a file of a module, and what it defines.

    Raises:
        ParseError: it is no Puppet program, or one that Puppet does not accept.
    """
    program = checked(text, file, store, strict=strict, elsewhere=elsewhere, modulepath=modulepath)
    unit = Unit(text, file, watch)
    return program, unit, definitions_in(program, unit, module, strict)


# Definitions that nobody watches are the same in all environments: they are made ready once.
read_file = lru_cache(maxsize=1024)(defined)
# So are those for a listener that hears of many compiles.
read_for_listener = lru_cache(maxsize=512)(defined)


def definitions_for(
    watch: Watch | None, text: str, file: str, *rest: Any
) -> tuple[a.Program, Unit, list[Definition]]:
    """Return the tree of a file of a module, and what it defines, for somebody who may watch.

    The rest are the other arguments of `defined`.

    Raises:
        ParseError: as for `defined`.
    """
    if watch is None:
        return read_file(text, file, *rest)
    # Others that watch are told by units of their own.
    read: Callable[..., Any] = read_for_listener if watch.is_lasting else defined
    found: tuple[a.Program, Unit, list[Definition]] = read(text, file, *rest, watch)
    return found


def is_there(folder: str) -> bool:
    """Return whether a folder exists, or may exist at the end of a link that leads out."""
    return os.path.isdir(folder) or (os.path.islink(folder) and not may_read(folder))


def module_folders(placed: Mapping[str, str], modulepath: Sequence[str]) -> Iterator[str]:
    """Yield the folders of modules, those of `placed` by name first; each name has one folder."""
    yield from placed.values()
    seen = set(placed)
    for folder in modulepath:
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        base = os.path.join(folder, "")
        yield from (f"{base}{name}" for name in names if name not in seen)
        seen.update(names)
