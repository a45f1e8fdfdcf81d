"""Finds functions, data types and resource types that the target or its stdlib lacks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from analyzer.formats.yaml_reader import YamlError, load
from analyzer.frontends.puppet.node.declared import MOVED
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.linter.puppet.subjects import Manifest
from analyzer.model.releases import has
from analyzer.session.repository.modules import inventory_of
from analyzer.session.upgrade.causes import LACKS, WARNS, Causes
from analyzer.session.upgrade.files import HIERA as HIERA_FILE
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.legacy import Users
from analyzer.source import Span

# A group, a name, a remedy and a place.
Row = tuple[str, str, str, Span]

# The first stdlib that admits Puppet 8 (metadata.json of puppetlabs-stdlib).
STDLIB = 9
# Functions that stdlib 9 does not have (CHANGELOG.md there, and its folders), with the remedy; core
# functions of the same name, such as `length`, are no gap.
GONE = {
    "has_key": "use `'KEY' in $HASH`",
    "hash": "use `Hash($ARRAY)`",
    "is_absolute_path": "use `$X =~ Stdlib::Absolutepath`",
    "is_array": "use `$X =~ Array`",
    "is_bool": "use `$X =~ Boolean`",
    "is_domain_name": "use `$X =~ Stdlib::Fqdn`",
    "is_email_address": "use `$X =~ Stdlib::Email`",
    "is_float": "use `$X =~ Float`; a text is none",
    "is_function_available": "use `stdlib::has_function`",
    "is_hash": "use `$X =~ Hash`",
    "is_integer": "use `$X =~ Integer`; a text is none",
    "is_ip_address": "use `$X =~ Stdlib::IP::Address`",
    "is_ipv4_address": "use `$X =~ Stdlib::IP::Address::V4`",
    "is_ipv6_address": "use `$X =~ Stdlib::IP::Address::V6`",
    "is_mac_address": "use `$X =~ Stdlib::MAC`",
    "is_numeric": "use `$X =~ Numeric`; a text is none",
    "is_string": "use `$X =~ String`",
    "private": "use `assert_private()`",
    "sprintf_hash": "use `sprintf`, which takes a hash",
    "try_get_value": "use `dig` or `get`",
    "type3x": "use `type`",
    "validate_absolute_path": "give the parameter the type Stdlib::Absolutepath",
    "validate_array": "give the parameter the type Array",
    "validate_bool": "give the parameter the type Boolean",
    "validate_hash": "give the parameter the type Hash",
    "validate_integer": "give the parameter the type Integer",
    "validate_ip_address": "give the parameter the type Stdlib::IP::Address",
    "validate_ipv4_address": "give the parameter the type Stdlib::IP::Address::V4",
    "validate_ipv6_address": "give the parameter the type Stdlib::IP::Address::V6",
    "validate_numeric": "give the parameter the type Numeric",
    "validate_re": "give the parameter the type Pattern or Enum",
    "validate_slength": "give the parameter the type String[MIN, MAX]",
    "validate_string": "give the parameter the type String",
}
# Data types that stdlib 9 does not have.
GONE_TYPES = {
    f"stdlib::compat::{old}": new
    for old, new in {
        "absolute_path": "Stdlib::Absolutepath",
        "array": "Array",
        "bool": "Boolean",
        "float": "Float",
        "hash": "Hash",
        "integer": "Integer",
        "ip_address": "Stdlib::IP::Address",
        "ipv4": "Stdlib::IP::Address::V4",
        "ipv6": "Stdlib::IP::Address::V6",
        "numeric": "Numeric",
        "re": "Pattern",
        "string": "String",
    }.items()
}
# Functions that stdlib 9 has under a name of its own; the old names warn.
RENAMED = frozenset(
    {
        *("batch_escape", "ensure_packages", "fqdn_rand_string", "fqdn_rotate"),
        *("has_interface_with", "merge", "os_version_gte", "parsehocon", "powershell_escape"),
        *("seeded_rand", "seeded_rand_string", "shell_escape", "to_json", "to_json_pretty"),
        *("to_python", "to_ruby", "to_toml", "to_yaml", "type_of", "validate_domain_name"),
        *("validate_email_address",),
    }
)
# Functions for Hiera 3 that `lookup` replaces.
HIERA = frozenset({"hiera", "hiera_array", "hiera_hash", "hiera_include"})
ZONE = "zone_core"
# The backends of Hiera 3 that Puppet 8 reads by itself (pops/lookup/hiera_config.rb).
BACKENDS = frozenset({"yaml", "json", "hocon", "eyaml"})


def add_lacking(
    causes: Causes, files: OwnFiles, target: Settings, users: Users, new: Iterable[str]
) -> None:
    """Add a cause for each function, data type and resource type that the target lacks.

    `new` are the names of the modules that a new Puppetfile declares.
    """
    inventory = inventory_of(files.path, target)
    modules = {*inventory.installed, *inventory.declarations.modules, *new}
    types = dict(MOVED)
    if not has(target.puppet_version, ZONE):
        types["zone"] = ZONE
    types = {name: module for name, module in types.items() if module not in modules}
    for file, text in files.data():
        for name in backends_of(file, text) if os.path.basename(file) == HIERA_FILE else ():
            what, hint = f"Hiera 3 backend {name}", "write a hiera.yaml of version 5"
            causes.add(LACKS, what, what, hint=hint, span=Span(file))
    for manifest in (*files.manifests(), *files.puppet_templates()):
        nodes = users.get(os.path.realpath(manifest.file), ())
        for group, what, hint, span in rows_of(manifest, types):
            causes.add(group, what, what, hint=hint, nodes=nodes, span=span)


def backends_of(file: str, text: str) -> Iterator[str]:
    """Yield the backends in a configuration of Hiera 3 that need Hiera 3 itself."""
    try:
        document = load(text, file)
    except (YamlError, RecursionError):
        return
    rows = document.items() if isinstance(document, dict) else ()
    named = next((value for key, value in rows if getattr(key, "name", key) == "backends"), None)
    for one in named if isinstance(named, list) else [named]:
        if isinstance(one, str) and one not in BACKENDS:
            yield one


def rows_of(manifest: Manifest, types: Mapping[str, str]) -> Iterator[Row]:
    """Yield what a manifest uses that is gone: group, name, remedy and place."""
    for node, _ in manifest.nodes(a.CallNamedFunctionExpression):
        name = str(getattr(node.functor_expr, "value", "")).removeprefix("::")
        yield from of_call(name, manifest.span(node))
        if name == "create_resources" and node.arguments:
            yield from of_type(node.arguments[0], types, manifest.span(node))
    for node, _ in manifest.nodes(a.CallMethodExpression):
        right = getattr(node.functor_expr, "right_expr", None)
        if right is not None:
            yield from of_call(str(getattr(right, "value", "")), manifest.span(right))
    for node, _ in manifest.nodes(a.QualifiedReference):
        name = node.cased_value.lower().removeprefix("::")
        if name in GONE_TYPES:
            hint = f"use {GONE_TYPES[name]} (stdlib {STDLIB} has no such type)"
            yield LACKS, node.cased_value, hint, manifest.span(node)
    for node, _ in manifest.nodes(a.ResourceExpression):
        yield from of_type(node.type_name, types, manifest.span(node))


def of_call(name: str, span: Span) -> Iterator[Row]:
    """Yield a call of a function that is gone or deprecated."""
    if name in GONE:
        yield LACKS, f"{name}()", f"{GONE[name]} (stdlib {STDLIB} has no such function)", span
    elif name == "validate_legacy":
        hint = "give the parameter the type, and remove the call"
        yield WARNS, "validate_legacy() is deprecated", hint, span
    elif name in RENAMED:
        yield WARNS, f"{name}() is deprecated", f"use stdlib::{name}() of stdlib {STDLIB}", span
    elif name in HIERA:
        yield WARNS, f"{name}() is deprecated", "use lookup()", span


def of_type(node: Node, types: Mapping[str, str], span: Span) -> Iterator[Row]:
    """Yield a resource type that is in a module which is not installed."""
    kind = str(getattr(node, "value", "")).lower().lstrip("@:")
    if kind in types:
        yield LACKS, f"type {kind}", f"install the module {types[kind]}", span
