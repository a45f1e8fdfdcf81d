"""Which function a name means: that of a manifest, of Puppet, of a module, or ours in its place."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analyzer.frontends.puppet.compiler.definitions.module_functions import release_of
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.functions import families
from analyzer.frontends.puppet.functions.registry import Dispatch
from analyzer.frontends.puppet.functions.releases import OPENSTACKLIB, STDLIB, ours, where_ours
from analyzer.frontends.puppet.functions.stdlib import families as stdlib
from analyzer.frontends.puppet.ruby_functions.reading import rows_of
from analyzer.model.values import Value

CatalogFunctions = Mapping[str, Callable[..., Value]]

# The modules whose functions we have, by their names in metadata.json, and their folders.
FOLDERS = {STDLIB: "stdlib", OPENSTACKLIB: "openstacklib"}


@dataclass(frozen=True, slots=True)
class FunctionOrigin:
    """The function that a name means.

    `catalog` works on the catalog, `rows` compute a value: ours, registered as `native`. Else it
    is in the Puppet language, or in Ruby: `ruby` says why it is not computed here, and `rows`, if
    there are any, evaluate what is understood of its code.
    """

    native: str = ""
    catalog: Callable[..., Value] | None = None
    rows: tuple[Dispatch, ...] = ()
    ruby: str = ""

    @property
    def title(self) -> str:
        """The name in messages."""
        return self.native.partition("@")[0]


IN_PUPPET = FunctionOrigin()


def find(known: DefinitionTable, catalog: CatalogFunctions, name: str) -> FunctionOrigin | None:
    """Return the origin of a name, None if there is no such function."""
    if name not in known.origins:
        known.origins[name] = look(known, catalog, name)
    found: FunctionOrigin | None = known.origins[name]
    return found


def look(known: DefinitionTable, catalog: CatalogFunctions, name: str) -> FunctionOrigin | None:
    """Look up the origin of a name (Loaders: the environment, Puppet, then the modules)."""
    written = known.found.get(("function", name))
    if written is not None and not written.module:
        return IN_PUPPET
    owner = owner_of(catalog, name)
    if owner == "":
        return native(catalog, name)
    folder = known.ruby_functions.folder_of(name)
    if folder is not None:
        return of_module(catalog, name, folder, owner)
    if known.find("function", name) is not None:
        return IN_PUPPET
    if owner is None or known.module(FOLDERS[owner]) is not None:
        return None
    return native(catalog, name)


def owner_of(catalog: CatalogFunctions, name: str) -> str | None:
    """Return the module whose function we have, the empty text for Puppet; None: we have none."""
    if name in stdlib.FAMILIES or name in stdlib.OF_CATALOG:
        return STDLIB
    if name in families.OF_OPENSTACKLIB:
        return OPENSTACKLIB
    return "" if name in families.FAMILIES or name in catalog else None


def native(catalog: CatalogFunctions, name: str) -> FunctionOrigin:
    """Return our implementation."""
    if name in catalog:
        return FunctionOrigin(name, catalog=catalog[name])
    return FunctionOrigin(name, rows=tuple(families.find(name) or stdlib.find(name)))


def of_module(
    catalog: CatalogFunctions, name: str, folder: str, owner: str | None
) -> FunctionOrigin:
    """Return the function for one that a module has in Ruby: ours, if it is the same."""
    module = os.path.basename(folder)
    title, version = release_of(folder)
    rows = rows_of(folder, name)
    if owner is None or title != owner:
        reason = f"the function '{name}' of module {module} is written in Ruby"
        return FunctionOrigin(name, rows=rows, ruby=reason)
    same = ours(owner, version, name)
    if same:
        return native(catalog, same)
    return FunctionOrigin(
        name,
        rows=rows,
        ruby=f"{module} {version or 'of an unknown release'} has its own '{name}' in Ruby; "
        f"catgraph's is that of {where_ours(owner, name)} (--ruby auto)",
    )
