"""Which module of this package holds which function of Puppet, or of openstacklib."""

from __future__ import annotations

from importlib import import_module

from analyzer.frontends.puppet.functions.registry import FUNCTIONS, Dispatch

MODULES: dict[str, str] = {
    "calls": "alert convert_to crit debug emerg err generate info notice unwrap warning",
    "collections": "empty flatten join keys length size unique values",
    "digests": "digest md5 sha1 sha256 shellquote",
    "digging": "dig get getvar",
    "files": "binary_file file find_file find_template module_directory",
    "grouping": "group_by partition sort",
    "iteration": "all any each filter index map reduce",
    "numbers": "abs ceiling compare floor max min round",
    "openstack": "is_service_default normalize_ip_for_uri",
    "patterns": "match regsubst split",
    "randoms": "fqdn_rand",
    "sprintf": "sprintf",
    "stepping": "lest reverse_each slice step then with",
    "strings": "camelcase capitalize chomp chop downcase lstrip rstrip strip upcase",
    "times": "strftime",
    "trees": "tree_each",
    "versions": "versioncmp",
}
FAMILIES: dict[str, str] = {
    name: f"analyzer.frontends.puppet.functions.{module}"
    for module, names in MODULES.items()
    for name in names.split()
}

OF_OPENSTACKLIB = frozenset(MODULES["openstack"].split())


def find(name: str) -> list[Dispatch]:
    """Return the rows of one of Puppet's own functions, none if it is not here."""
    module = FAMILIES.get(name)
    if module is None:
        return []
    import_module(module)
    return FUNCTIONS[name]
