"""Selectors of the types of Windows: keys and values of the registry, access control lists."""

from __future__ import annotations

import re

from analyzer.graph.automatic.selectors import texts
from analyzer.graph.automatic.selectors_modules import name_of
from analyzer.graph.lookup import as_list, file_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.graph.lookup import CatalogLookup
    from analyzer.model.resource import Resource

# The short names of the hives that registry_key takes, by what their names contain.
_HIVES = {
    "hkey_local_machine": "hklm",
    "hklm": "hklm",
    "hkey_classes_root": "hkcr",
    "hkcr": "hkcr",
    "hkey_users": "hku",
    "hku": "hku",
}
_KEY = re.compile(r"(32:)?(h[^\\]*)((?:\\.*)?)\Z", re.IGNORECASE | re.DOTALL)


def canonical_key(path: str) -> str | None:
    """Return the path of a registry key by which all its spellings are found, None for none.

    Source: registry, lib/puppet_x/puppetlabs/registry.rb.
    """
    match = _KEY.match(path.rstrip("\\"))
    if match is None:
        return None
    hive = next((short for name, short in _HIVES.items() if name in match[2].lower()), None)
    return hive and f"{match[1] or ''}{hive}{match[3]}".lower()


def registry_key_above(resource: Resource, lookup: CatalogLookup) -> tuple[int, ...]:
    """Return the closest managed key above a `registry_key` or `registry_value`."""
    path = name_of(resource)
    if resource.type == "Registry_value":
        # Two backslashes are before a name that has some itself.
        path, twice, _ = path.partition("\\\\")
        path = path if twice else f"{path.rpartition(chr(92))[0]}"
        key = canonical_key(path)
    else:
        key = canonical_key(path)
        key = key and key.rpartition("\\")[0]
    keys = managed_keys(lookup)
    while key:
        if key in keys:
            return keys[key]
        key = key.rpartition("\\")[0]
    return ()


def managed_keys(lookup: CatalogLookup) -> dict[str, tuple[int, ...]]:
    """Return the registry keys of a catalog by their canonical paths."""
    found = lookup.nearest.get("Registry_key")
    if found is None:
        found = lookup.nearest["Registry_key"] = {}
        for number in lookup.of_type("Registry_key"):
            key = canonical_key(name_of(lookup.resources[number]))
            if key is not None:
                found.setdefault(key, (number,))
    return found


def acl_target(resource: Resource, lookup: CatalogLookup) -> tuple[str, ...]:
    """Return the path whose permissions an `acl` manages (acl, type/acl.rb)."""
    if resource.parameters.get("target_type", "file") != "file":
        return ()
    return (file_path(str(resource.parameters.get("target", name_of(resource)))),)


def acl_identities(resource: Resource, lookup: CatalogLookup) -> list[str]:
    """Return the accounts that an `acl` names: owner, group, and those of its permissions."""
    given = resource.parameters
    found = [*texts(given.get("owner")), *texts(given.get("group"))]
    return list(dict.fromkeys([*found, *_trustees(given.get("permissions"))]))


def _trustees(permissions: object) -> Iterator[str]:
    for each in as_list(permissions):
        if isinstance(each, dict):
            yield from texts(each.get("identity"))
