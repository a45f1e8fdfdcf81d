"""Replaces errors about names of declared modules that are not installed by one error."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import TypeGuard, TypeVar

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compiler.definitions.native import ATTRIBUTES, VENDORED
from analyzer.frontends.puppet.node.declared import (
    BRINGS,
    Declarations,
    DeclaredModule,
    declared_in,
    install_command,
    is_installed,
)
from analyzer.frontends.puppet.node.environment import (
    Settings,
    declaring_folders,
    find_environment,
)
from analyzer.frontends.puppet.node.sites import name_of
from analyzer.frontends.puppet.refusals import (
    MISSING_FILE,
    MISSING_NAME,
    NOT_LISTED,
    NOT_SEARCHED,
)
from analyzer.graph.automatic.modules import ROWS
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.site_texts import ENTERPRISE
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.model.nouns import counted
from analyzer.source import Span

Run = Compiled | CheckedCatalog | Refusal | Failure
AnyRun = TypeVar("AnyRun", bound=Run)

# A module that a site keeps elsewhere on purpose.
PRIVATE = re.compile(r"(?:private|secrets?)(?:_\w+)?(?:::|\Z)", re.IGNORECASE)

# A type in Ruby that is named after its module.
UNKNOWN_TYPE = re.compile(r"Unknown resource type: '(?P<name>(?P<module>[a-z][a-z\d]*)_\w+)'\Z")

# The files of which a whole module has one.
WHOLE = ("metadata.json", "Modulefile", os.path.join("manifests", "init.pp"))

# How like another name a misspelled one is: `filebeat` and `filebeats`, but not `cron` and
# `chrony`.
ALIKE = 0.82
# The most modules that the error names.
SHOWN = 3


def replace_missing(
    path: str, settings: Settings, runs: Sequence[AnyRun], own: Callable[[], Collection[str]] = set
) -> list[AnyRun | Refusal]:
    """Return the results of a compile with one error for all modules that are not installed.

    Errors about other modules that the repository does not have get the code NOT_LISTED: what they
    name is missing, and may be right. Every other error stays. `own` are the names in small letters
    that the checked code defines.
    """
    if not any(isinstance(run, Refusal) for run in runs):
        return [*runs]
    declared, installed = modules_of(path, settings)
    seen: list[AnyRun | Refusal] = [
        not_searched(run) if is_in_part(run, declared, path, settings) else run for run in runs
    ]
    if not any(isinstance(run, Refusal) and not run.partial for run in seen):
        return seen
    missing = {name: one for name, one in declared.modules.items() if name not in installed}
    if not declared.files:
        return without_list(path, seen, installed)
    kept = [run for run in seen if not (missing and is_about(run, missing))]
    if len(kept) < len(seen):
        kept.append(Refusal(path, error_about(list(missing.values()))))
    present = installed.union(declared.modules)
    absent = {module_elsewhere(run, present) for run in kept if is_elsewhere(run, present, own)}
    return [
        not_listed(run) if is_elsewhere(run, present, own) or has_prefix(run, absent) else run
        for run in kept
    ]


def is_in_part(
    run: Run, declared: Declarations, path: str, settings: Settings
) -> TypeGuard[Refusal]:
    """Return whether an error is about a declared module of which the checkout has only a part."""
    found = MISSING_NAME.search(run.error.message) if isinstance(run, Refusal) else None
    first = found["name"].lower().partition("::")[0] if found else ""
    if (
        found is None
        or first not in declared.modules
        or not ("::" in found["name"] or "class" in found["kind"])
    ):
        return False
    places = find_environment(path, settings).modulepath
    folders = [os.path.join(place, first) for place in places]
    return not any(os.path.lexists(os.path.join(one, name)) for one in folders for name in WHOLE)


def not_searched(refusal: Refusal) -> Refusal:
    """Return an error as one about what the checkout lacks."""
    error = copy(refusal.error)
    error.code = NOT_SEARCHED
    return replace(refusal, error=error)


def is_elsewhere(
    run: Run, present: Collection[str], own: Callable[[], Collection[str]]
) -> TypeGuard[Refusal]:
    """Return whether an error is about a module that the repository neither has nor declares.

    It has the modules of the names that it defines, even where Puppet does not look for them.
    """
    module = module_elsewhere(run, present)
    return bool(module) and module not in {name.partition("::")[0] for name in own()}


def has_prefix(run: Run, absent: Collection[str]) -> TypeGuard[Refusal]:
    """Return whether an error is about a function that is named after one of the absent modules."""
    found = MISSING_NAME.search(run.error.message) if isinstance(run, Refusal) else None
    if found is None or "function" not in found["kind"]:
        return False
    return any(found["name"].lower().startswith(f"{one}_") for one in absent if one)


def not_listed(refusal: Refusal) -> Refusal:
    """Return an error as one about a module that the repository neither has nor declares."""
    error = copy(refusal.error)
    found = MISSING_FILE.match(error.message) or MISSING_NAME.search(error.message)
    is_private = found is not None and PRIVATE.match(found["name"])
    error.code = NOT_SEARCHED if is_private else NOT_LISTED
    return replace(refusal, error=error)


def without_list(
    path: str, runs: Sequence[AnyRun | Refusal], installed: Collection[str]
) -> list[AnyRun | Refusal]:
    """Return the results where nothing lists the modules that a repository needs.

    Modules that it does not have may be on the server only.
    """
    kept: list[AnyRun | Refusal] = []
    places: dict[str, Span] = {}
    for run in runs:
        name = module_elsewhere(run, installed) or type_elsewhere(run, installed)
        if name and isinstance(run, Refusal):
            places.setdefault(name, run.error.span)
        else:
            kept.append(run)
    kept = [run for run in kept if not has_prefix(run, places)]
    if places:
        more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
        are = "module is" if len(places) == 1 else "modules are"
        message = (
            f"{len(places)} {are} not on the modulepath, and nothing lists the modules of the "
            f"repository ({', '.join(sorted(places)[:SHOWN])}{more})"
        )
        error = CompileError(message, next(iter(places.values())), NOT_SEARCHED)
        kept.append(Refusal(path, error))
    return kept


def module_elsewhere(run: Run, installed: Collection[str]) -> str:
    """Return the module that would define a name which an error is about, if it is not installed.

    A name that is nearly that of an installed module is misspelled.
    """
    if not isinstance(run, Refusal) or run.partial or run.error.code == NOT_SEARCHED:
        return ""
    of_file = MISSING_FILE.match(run.error.message)
    found = of_file or MISSING_NAME.search(run.error.message)
    if found is None or ENTERPRISE.match(found["name"]):
        return ""
    first, qualified, _ = found["name"].lower().partition("::")
    if not (of_file or qualified or "class" in found["kind"]):
        first = BRINGS.get(first, "") or modules_of_types().get(first, "")
    known = not first or first in installed or is_misspelled(first, installed)
    return "" if known else first


def is_misspelled(name: str, known: Collection[str]) -> bool:
    """Return whether a name is nearly a known one, or has the letters of one."""
    letters = sorted(name)
    return bool(get_close_matches(name, known, 1, ALIKE)) or any(
        len(one) == len(name) and sorted(one) == letters for one in known
    )


def type_elsewhere(run: Run, installed: Collection[str]) -> str:
    """Return the module after which a type is named, if the repository has no such module.

    A name that is nearly that of a known type is misspelled.
    """
    if not isinstance(run, Refusal) or run.partial or run.error.code == NOT_SEARCHED:
        return ""
    found = UNKNOWN_TYPE.match(run.error.message)
    if found is None:
        return ""
    known = (*ATTRIBUTES, *VENDORED, *modules_of_types(), *BRINGS, *installed)
    is_own = any(found["name"].startswith(f"{one}_") for one in installed)
    return "" if is_own or is_misspelled(found["name"], known) else found["module"]


@cache
def modules_of_types() -> dict[str, str]:
    """Return the modules of the types whose automatic relationships are known, by type."""
    return {row.type.lower(): row.source.partition("/")[0] for row in ROWS}


def modules_of(path: str, settings: Settings) -> tuple[Declarations, set[str]]:
    """Return the modules that the repository of a path declares, and the installed names."""
    try:
        environment = find_environment(path, settings)
    except InputError:
        return declared_in([]), set()
    folder = environment.folder or (path if os.path.isdir(path) else "")
    if not folder:
        return declared_in([]), set()
    declared = declared_in(declaring_folders(folder))
    places = [*environment.modulepath, os.path.join(folder, declared.folder)]
    installed = {
        name
        for place in places
        if os.access(place, os.R_OK | os.X_OK) and os.path.isdir(place)
        for entry in os.scandir(place)
        if not entry.is_dir() or is_installed(entry.path)
        for name in (entry.name, name_of(entry.path))
    }
    return declared, installed


def installed_for(programs: Sequence[Program]) -> set[str]:
    """Return the names of the modules of programs, those beside them, and those on a modulepath."""
    of_modules = [one.part.module for one in programs if one.part.module is not None]
    folders = {os.path.dirname(os.path.abspath(one.folder)) for one in of_modules}
    found = {one.name for one in of_modules}.union(*map(os.listdir, folders))
    sites = [one for one in programs if one.part.module is None]
    return found.union(*(modules_of(one.path, one.settings)[1] for one in sites))


def is_about(run: Run, missing: dict[str, DeclaredModule]) -> bool:
    """Return whether an error is about a name that one of the missing modules would define."""
    found = MISSING_NAME.search(run.error.message) if isinstance(run, Refusal) else None
    if found is None:
        return False
    first, _, rest = found["name"].lower().partition("::")
    if rest or "class" in found["kind"]:
        return first in missing
    if "function" in found["kind"]:
        # Any module may have functions without a prefix.
        return True
    return BRINGS.get(first, first) in missing or any(first.startswith(f"{m}_") for m in missing)


def error_about(missing: list[DeclaredModule]) -> CompileError:
    """Return the error that says how to install the modules."""
    (file, _), *_ = Counter(one.span.file for one in missing).most_common()
    name = os.path.basename(file)
    listed = ", ".join(one.name for one in missing[:SHOWN])
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    verb = "is" if len(missing) == 1 else "are"
    return CompileError(
        f"{counted(len(missing), 'module')} of the {name} {verb} not installed ({listed}{more}): "
        f"run `{install_command(file)}`",
        Span(file, next(one.span.line for one in missing if one.span.file == file)),
        "missing-modules",
    )
