"""TypeSets from the hashes that describe them (Puppet's PTypeSetType)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.collections import HashType
from analyzer.frontends.puppet.types.model.objects import TypeSetType
from analyzer.frontends.puppet.types.model.rich_data import SEMVER, URI
from analyzer.frontends.puppet.types.model.strings import STRING, PatternType
from analyzer.frontends.puppet.types.model.wrappers import VariantType
from analyzer.frontends.puppet.types.parsing.make import optional_key, struct
from analyzer.frontends.puppet.types.problems import TypeProblem

_SIMPLE_NAME = PatternType((r"\A[A-Z]\w*\z",))
_VERSION = VariantType((STRING, SEMVER))
_URI = VariantType((STRING, URI))
_DESCRIPTION = struct(
    {
        optional_key("pcore_uri"): _URI,
        "pcore_version": _VERSION,
        optional_key("name_authority"): _URI,
        optional_key("name"): PatternType((r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z",)),
        optional_key("version"): _VERSION,
        optional_key("types"): HashType(_SIMPLE_NAME, ANY),
        optional_key("references"): HashType(_SIMPLE_NAME, ANY),
        optional_key("annotations"): ANY,
    }
)
# The authority for names of Puppet's own.
RUNTIME = "http://puppet.com/2016.1/runtime"


def type_set(described: Any, name: str | None = None) -> Type:
    """Return the TypeSet of a hash, whose `types` are types.

    Raises:
        TypeProblem: the hash describes none.
    """
    assert_instance("TypeSet initializer", _DESCRIPTION, described)
    name = name or described.get("name")
    major = str(described["pcore_version"]).partition(".")[0]
    if major != "1":
        raise TypeProblem(
            f"The pcore version for TypeSet '{name}' is not understood by this runtime. "
            f"Expected range 1.x, got {described['pcore_version']}"
        )
    described = {"name_authority": RUNTIME, **described, "name": name}
    order = ("pcore_uri", "pcore_version", "name_authority", "name", "version")
    shown = tuple((key, str(described[key])) for key in order if described.get(key) is not None)
    return TypeSetType(name, shown, dict(described.get("types") or {}))


def object_description(node: ast.Node) -> ast.Node:
    """Return `Parent { attributes }` within a set as the hash of an Object; other trees as is."""
    if not isinstance(node, ast.ResourceDefaultsExpression):
        return node
    place = node.offset, node.length
    parent: Any = node.type_ref
    entries = [
        ast.KeyedEntry(each.offset, each.length, _name(each), each.value_expr)
        for each in node.operations
        if isinstance(each, ast.AttributeOperation)
    ]
    if parent.cased_value not in ("Object", "TypeSet"):
        inherited = ast.QualifiedName(*place, "parent")
        entries.insert(0, ast.KeyedEntry(*place, inherited, parent))
    return ast.LiteralHash(*place, tuple(entries))


def repeats_parent(node: Any) -> bool:
    """Return whether a type of a set names its parent twice: before and within its braces."""
    sets = node.keys if isinstance(node, ast.AccessExpression) else ()
    entries = [entry.value for one in sets for entry in getattr(one, "entries", ())]
    types = [each.value for value in entries for each in getattr(value, "entries", ())]
    return any(
        isinstance(each, ast.ResourceDefaultsExpression)
        and getattr(each.type_ref, "cased_value", "") not in ("Object", "TypeSet")
        and any(getattr(one, "attribute_name", "") == "parent" for one in each.operations)
        for each in types
    )


def _name(operation: Any) -> ast.QualifiedName:
    return ast.QualifiedName(operation.offset, operation.length, operation.attribute_name)


def within_set(types: dict[str, Type], name: str) -> Type | None:
    """Return a type of a set by its name in any case; None if it has none."""
    wanted = name.lower()
    return next((one for key, one in types.items() if key.lower() == wanted), None)
