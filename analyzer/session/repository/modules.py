"""The modules of a repository: declared, installed, missing, unused, with the names in use."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compiler.definitions.definition import unreadable
from analyzer.frontends.puppet.node.contents import NOTHING
from analyzer.frontends.puppet.node.declared import (
    BRINGS,
    Declarations,
    DeclaredModule,
    declared_in,
    is_installed,
)
from analyzer.frontends.puppet.node.environment import (
    Environment,
    Settings,
    declaring_folders,
    find_environment,
    of_folder,
)
from analyzer.frontends.puppet.node.modules import files_below, manifests_below
from analyzer.reach import may_read, within
from analyzer.reading import read_text
from analyzer.session.repository.bounds import UnmetRequirement, mismatches_of
from analyzer.session.syntax_errors import errors_in
from analyzer.source import Span, place_of

if TYPE_CHECKING:
    from analyzer.frontends.puppet.uses import Use

# A name in data that a module may own: `profile::web`, or an element of a list of classes.
IN_DATA = re.compile(
    r"(?<![\w:])(?:::)?([a-z]\w*)(?=::\w)|^[^\S\n]*-\s*['\"]?(?:::)?([a-z]\w*)", re.MULTILINE
)

DEFINED = re.compile(
    r"^[^\S\n]*(?:class|define|function)\s+(?:::)?([a-z]\w*)(?:::\w+)*", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class UsedName:
    """A name that the repository's own code uses, and its first place."""

    kind: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Inventory:
    """The modules of a repository.

    `installed` are folders by the module's name. `used` are the names in use from each module.
    `in_data` are modules that data files mention. `errors` are those of files that could not be
    read or are not Puppet programs. `mismatches` are requirements that are not met. `folder` is the
    environment's.
    """

    declarations: Declarations
    installed: dict[str, str]
    used: dict[str, list[UsedName]]
    in_data: frozenset[str]
    errors: tuple[InputError, ...] = ()
    mismatches: tuple[UnmetRequirement, ...] = ()
    folder: str = "."

    @property
    def missing(self) -> list[DeclaredModule]:
        """Return the declared modules that are not installed."""
        declared = self.declarations.modules.values()
        return [module for module in declared if module.name not in self.installed]

    @property
    def unused(self) -> list[DeclaredModule]:
        """Return the declared modules that neither code nor data mention."""
        return [
            module
            for module in self.declarations.modules.values()
            if module.name not in self.used and module.name not in self.in_data
        ]

    @property
    def undeclared(self) -> dict[str, list[UsedName]]:
        """Return the names of modules that are neither declared nor installed."""
        known = {*self.declarations.modules, *self.installed}
        return {name: uses for name, uses in self.used.items() if name not in known}


def inventory_of(path: str, settings: Settings) -> Inventory:
    """Return the modules of an environment, a control repo or a module.

    Raises:
        InputError: the input cannot be read, or has no such environment.
    """
    environment = environment_at(path, settings)
    usual = path if os.path.isdir(path) else "."
    folder = os.path.normpath(environment.folder or usual)
    declarations = declared_in(declaring_folders(folder))
    installed: dict[str, str] = {}
    wanted = os.path.join(folder, declarations.folder)
    places = map(os.path.normpath, (*environment.modulepath, wanted))
    for place in (one for one in places if may_read(one, environment.roots)):
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            inner = os.path.join(place, name)
            if os.path.isdir(inner) and is_installed(inner):
                installed.setdefault(name, inner)
    own = [place for name, place in installed.items() if name not in declarations.modules]
    files = [*environment.manifests, *(one for place in own for one in manifests_below(place))]
    data = frozenset(words_of_data(folder))
    texts, errors = texts_of(files, environment.roots)
    used = used_names(texts, declarations, installed)
    with within(environment.roots):
        mismatches = mismatches_of(declarations, installed, settings.puppet_version)
    errors = [*declarations.errors, *errors]
    return Inventory(declarations, installed, used, data, tuple(errors), mismatches, folder)


def environment_at(path: str, settings: Settings) -> Environment:
    """Return an environment; a folder without manifests is one, too.

    Raises:
        InputError: it cannot be read, or there is no such environment.
    """
    try:
        return find_environment(path, settings)
    except InputError as error:
        if error.code not in (NOTHING, "no-manifests"):
            raise
        return of_folder(path, (), settings)


def texts_of(
    files: Iterable[str], roots: frozenset[str]
) -> tuple[dict[str, str], list[InputError]]:
    """Return the texts of manifests, and the errors of those that are not Puppet programs."""
    texts: dict[str, str] = {}
    errors: list[InputError] = []
    with within(roots):
        for file in dict.fromkeys(files):
            try:
                texts[file] = read_text(file, newline="")
            except (OSError, UnicodeDecodeError) as error:
                errors.append(CompileError(unreadable(error), Span(file), "unreadable"))
            else:
                errors += errors_in(file, texts[file])
    return texts, errors


def used_names(
    texts: dict[str, str], declarations: Declarations, installed: dict[str, str]
) -> dict[str, list[UsedName]]:
    """Return the names from modules that manifests use and these files do not define."""
    defined = {name for text in texts.values() for name in DEFINED.findall(text)}
    known, types = {*declarations.modules, *installed}, types_in(installed.values())
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    modules: dict[str, list[UsedName]] = {}
    for file, text in texts.items():
        for use in uses_of(text, file):
            if (use.kind, use.name) in seen:
                continue
            seen.add((use.kind, use.name))
            module = module_of(use, known, types)
            if module is None or module in defined or use.name in found:
                continue
            found.add(use.name)
            place = Span(file, *place_of(text, use.offset))
            modules.setdefault(module, []).append(UsedName(use.kind, use.name, place))
    return modules


def uses_of(text: str, file: str) -> Iterator[Use]:
    """Yield the names that a manifest uses, none if it is not a Puppet program."""
    from analyzer.frontends.puppet.syntax.cache import user_cache
    from analyzer.frontends.puppet.syntax.checked import check_cached
    from analyzer.frontends.puppet.uses import uses_in

    tree = check_cached(text, file, cache=user_cache()).tree
    return iter(()) if tree is None else uses_in(tree)


def types_in(modules: Iterable[str]) -> set[str]:
    """Return the resource types that modules define in Ruby."""
    found: set[str] = set()
    for place in modules:
        with suppress(OSError):
            names = os.listdir(os.path.join(place, "lib", "puppet", "type"))
            found.update(name.removesuffix(".rb") for name in names if name.endswith(".rb"))
    return found


def module_of(use: Use, known: Collection[str], types: Collection[str]) -> str | None:
    """Return the module of a name, None if Puppet itself or no module defines it.

    `known` are the names of modules, `types` the resource types of those that are installed.
    """
    from analyzer.frontends.puppet.compiler.definitions.native import OWN, WITH_PACKAGE

    first, rest, _ = use.name.partition("::")
    if rest or use.kind == "class":
        return first
    if use.kind == "function" or first in OWN or first in WITH_PACKAGE:
        return None
    if first in known:
        return first
    if first in types:
        return None
    prefixes = (name for name in known if first.startswith(f"{name}_"))
    owner = max(prefixes, key=len, default=None) or BRINGS.get(first)
    return first if owner is None and use.kind == "resource type" else owner


def words_of_data(folder: str) -> Iterator[str]:
    """Yield the first parts of the names in the data files of a repository."""
    for name in ("data", "hieradata", "hiera"):
        place = os.path.join(folder, name)
        for ending in (".yaml", ".yml", ".json"):
            for file in files_below(place, ending) if os.path.isdir(place) else ():
                try:
                    text = read_text(file, "replace")
                except OSError:
                    continue
                yield from (one or other for one, other in IN_DATA.findall(text))
