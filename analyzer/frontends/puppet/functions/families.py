"""The modules of this package that hold the functions of Puppet and of openstacklib."""

from __future__ import annotations

from importlib import import_module

from analyzer.frontends.puppet.functions.registry import FUNCTIONS, Dispatch

MODULES: dict[str, str] = {
    "core.annotations": "annotate",
    "core.calls": "alert convert_to crit debug emerg err generate info notice unwrap warning",
    "core.collections": "empty flatten join keys length size unique values",
    "core.digests": "digest md5 sha1 sha256 shellquote",
    "core.digging": "dig get getvar",
    "core.files": "binary_file file find_file find_template module_directory",
    "core.grouping": "group_by partition sort",
    "core.iteration": "all any each filter index map reduce",
    "core.numbers": "abs ceiling compare floor max min round",
    "openstack": "is_service_default normalize_ip_for_uri",
    "core.patterns": "match regsubst split",
    "core.randoms": "fqdn_rand",
    "core.sprintf": "sprintf",
    "core.stepping": "lest reverse_each slice step then with",
    "core.strings": "camelcase capitalize chomp chop downcase lstrip rstrip strip upcase",
    "core.times": "strftime",
    "core.trees": "tree_each",
    "core.versions": "versioncmp",
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
