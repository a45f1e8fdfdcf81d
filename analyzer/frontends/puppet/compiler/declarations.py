"""Resources as statements and functions declare and override them (Runtime3ResourceSupport)."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.frontends.puppet.compiler import classes, finish, gaps, references
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation, Kind
from analyzer.frontends.puppet.compiler.declared.entry import Attribute, Entry
from analyzer.frontends.puppet.compiler.declared.overrides import Override, add_defaults
from analyzer.frontends.puppet.compiler.declared.places import file_of
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.model.catalog import ResourceType
from analyzer.model.names import capitalize_type
from analyzer.model.values import Value


def kind_of(compilation: Compilation, name: str, unit: Unit, node: Node) -> Kind:
    """Return the type of resources of a name; nothing is known of a missing one.

    A native type comes before a define, unless it comes with a package.
    """
    known = compilation.definitions
    bare = name.lower().removeprefix("::")
    definition = None
    if not known.has_ruby_type(name, certainly=True):
        may_be = known.has_ruby_type(name) or known.missing.reason("resource type", bare)
        error = EvaluationError(f"Unknown resource type: '{name}'", unit, node)
        definition = compilation.seek("define", name, None if may_be else error)
    missing = known.missing_type(bare) if definition is None else ""
    return Kind(capitalize_type(bare), definition, missing)


def declare(
    compilation: Compilation,
    kind: str,
    titles: Sequence[Value],
    given: list[Attribute],
    scope: Scope,
    node: Node,
    unit: Unit,
    form: str,
) -> list[Value]:
    """Declare resources of one type with the same attributes; return references to them."""
    if kind == "class":
        return [
            classes.declare_class(compilation, str(title), given, scope, node, unit, form)
            for title in titles
        ]
    known = compilation.kinds.get(kind)
    if known is None:
        known = compilation.kinds[kind] = kind_of(compilation, kind, unit, node)
    line, file = unit.line(node), file_of(unit, node)
    made: list[Value] = []
    for title in titles:
        entry = Entry(known.name, title, scope, file, line)
        entry.unit, entry.node = unit, node
        if known.definition is not None:
            entry.definition = known.definition
            entry.kind = "defined_type"
        if form != "regular":
            entry.virtual = True
            entry.exported = form == "exported"
        entry.source = scope.source
        for name, value, _ in given:
            entry.set(name, value)
        add_defaults(entry, scope)
        if compilation.trace is not None:
            compilation.trace.declare(entry, given)
        compilation.add(entry, scope.resource, node, unit)
        if "stage" in entry.parameters and known.name != "Stage":
            message = (
                "Only classes can set 'stage'; normal resources like {} cannot change run stage"
            )
            raise EvaluationError(message.format(entry.ref), unit, node)
        if known.missing:
            gaps.module_missing(compilation, entry.ref, known.missing, unit, node)
        made.append(ResourceType(known.name, entry.title))
    return made


def override(
    compilation: Compilation,
    ref: ResourceType,
    given: list[Attribute],
    scope: Scope,
    node: Node,
    unit: Unit,
) -> None:
    """Change attributes now, or when the resource is declared."""
    change = Override(given, scope, unit, node)
    if compilation.trace is not None:
        compilation.trace.note(change, "override", str(ref), node, unit)
    key = references.key_to_override(compilation, ref, node, unit)
    entry = compilation.find(*key)
    if entry is not None:
        finish.merge(compilation, entry, change)
    else:
        compilation.overrides.setdefault(key, []).append(change)
