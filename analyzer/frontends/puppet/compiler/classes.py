"""Evaluates classes, defines and nodes (Puppet::Resource::Type#evaluate_code)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from analyzer.frontends.puppet.compiler import gaps
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import Attribute, Entry
from analyzer.frontends.puppet.compiler.declared.overrides import add_defaults
from analyzer.frontends.puppet.compiler.declared.places import file_of
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.parameters import set_parameters
from analyzer.frontends.puppet.compiler.recovery import RecordingErrors
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, NextJump, ReturnJump, Unit
from analyzer.frontends.puppet.evaluate.scope import Groups, Scope
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.model.catalog import ResourceType
from analyzer.model.names import capitalize_type
from analyzer.model.values import Unknown


def include(
    compilation: Compilation, names: Iterable[str], scope: Scope, node: Node, unit: Unit
) -> list[Entry]:
    """Bring classes in without parameters, each once; return their resources.

    All of them are in the catalog before the first is evaluated, which may include others of them.
    """
    found: list[Entry] = []
    for name in names:
        with RecordingErrors(compilation, unit, node):
            definition = class_definition(compilation, name, node, unit)
            entry = compilation.entries.get(("Class", capitalize_type(definition.name)))
            if entry is None:
                entry = add_class(
                    compilation, definition, [], scope, node, unit, resource_like=False
                )
            elif compilation.trace is not None:
                compilation.trace.bring_in(entry, entry.ref, node, unit)
            found.append(entry)
    for entry in found:
        with RecordingErrors(compilation, unit, node):
            evaluate(compilation, entry)
    return found


def class_definition(compilation: Compilation, name: str, node: Node, unit: Unit) -> Definition:
    """Return the definition of a class; of one that is missing, an empty one."""
    bare = name.lower().removeprefix("::")
    message = f"Could not find class ::{bare} for {compilation.inputs.node}"
    return compilation.seek_class(name, EvaluationError(message, unit, node))


def parent_of(compilation: Compilation, definition: Definition) -> Definition:
    """Return the class that a class inherits; for one that is missing, an empty one.

    Raises:
        EvaluationError: it inherits itself.
    """
    name = definition.node.parent_class.lower().removeprefix("::")
    message = (
        f"Could not find parent resource type '::{name}' of type hostclass "
        f"in {compilation.inputs.environment}"
    )
    error = EvaluationError(message, definition.unit, definition.node)
    found = compilation.seek_class(name, error)
    refuse_circle(compilation, definition, found)
    return found


def refuse_circle(compilation: Compilation, definition: Definition, above: Definition) -> None:
    """Refuse a class that inherits itself, where Puppet's stack overflows.

    Raises:
        EvaluationError: it does, through the class above it.
    """
    passed = [definition]
    at: Definition | None = above
    while at is not None and at not in passed:
        passed.append(at)
        parent = at.node.parent_class if at.kind == "class" else None
        at = compilation.definitions.find("class", parent) if parent else None
    if at is definition:
        way = ", ".join(f"{one.name} inherits {two.name}" for one, two in pairwise([*passed, at]))
        message = f"Class {definition.name} inherits itself: {way}"
        raise EvaluationError(message, definition.unit, definition.node)


def declare_class(
    compilation: Compilation,
    title: str,
    given: list[Attribute],
    scope: Scope,
    node: Node,
    unit: Unit,
    form: str,
) -> ResourceType:
    """Declare a class as a resource; it is evaluated at once, a virtual one too."""
    error = EvaluationError(f"Could not find declared class {title}", unit, node)
    definition = compilation.seek_class(title, error)
    entry = add_class(compilation, definition, given, scope, node, unit, resource_like=True)
    entry.virtual = form != "regular"
    entry.exported = form == "exported"
    compilation.class_uses.append(("class", entry.ref, scope, unit, node))
    evaluate(compilation, entry)
    return ResourceType(entry.type, entry.title)


def add_class(
    compilation: Compilation,
    definition: Definition,
    given: list[Attribute],
    scope: Scope,
    node: Node | None,
    unit: Unit | None,
    *,
    resource_like: bool,
) -> Entry:
    """Put a class into the catalog, after the class it inherits."""
    parent = definition.node.parent_class if definition.kind == "class" else None
    if parent:
        above = parent_of(compilation, definition)
        if ("Class", capitalize_type(above.name)) not in compilation.entries:
            add_class(compilation, above, [], scope, node, unit, resource_like=False)
    place: tuple[str | None, int | None] = (None, None)
    if resource_like and unit is not None and node is not None:
        place = (file_of(unit, node), unit.line(node))
    entry = Entry("Class", capitalize_type(definition.name), scope, *place)
    entry.kind = "class" if resource_like else "unknown"
    entry.unit, entry.node = unit, node
    entry.definition = definition
    entry.source = scope.source if resource_like else definition
    for name, value, _ in given:
        entry.set(name, value)
    add_defaults(entry, scope)
    if compilation.trace is not None:
        compilation.trace.declare(entry, given)
    compilation.tags.update(entry.tags)
    compilation.add(entry, None, node, unit)
    return entry


def evaluate(compilation: Compilation, entry: Entry, groups: Groups = ()) -> None:
    """Evaluate the body of a class, define or node, once.

    `groups` are those of the regular expression that a node block was found by.
    """
    if entry.evaluated or entry.definition is None:
        return
    entry.evaluated = True
    if compilation.trace is None:
        evaluate_definition(compilation, entry, entry.definition, groups)
        return
    with compilation.trace.inside(entry):
        evaluate_definition(compilation, entry, entry.definition, groups)


def evaluate_definition(
    compilation: Compilation, entry: Entry, definition: Definition, groups: Groups
) -> None:
    """Evaluate the body of a definition, with its parameters bound."""
    caller = entry.scope or compilation.top
    if caller.resource is not None:
        entry.tags_from(caller.resource)
    enclosing = enclosing_of(compilation, entry, caller)
    # Defaults come from the inherited class, not from where the class was declared.
    inherits = definition.kind == "class" and definition.node.parent_class
    scope = Scope(enclosing, enclosing if inherits else caller, entry)
    scope.source = definition
    entry.own_scope = scope
    if definition.kind != "define":
        compilation.class_scopes[definition.name] = scope
        compilation.name_classes(definition.name)
    if definition.missing:
        gaps.module_missing(compilation, entry.ref, definition.missing, entry.unit, entry.node)
    compilation.broken.add(definition.name)
    set_parameters(compilation, entry, definition, scope)
    if definition.kind == "class":
        place_in_stage(compilation, entry, caller)
    compilation.broken.discard(definition.name)
    level = scope.level
    if groups:
        scope.set_match(groups)
    try:
        definition.body(compilation, scope)
    except (NextJump, ReturnJump):
        return
    finally:
        if groups:
            scope.leave(level)


def enclosing_of(compilation: Compilation, entry: Entry, caller: Scope) -> Scope:
    """Return where a body's names are looked for next: inherited class, node, or top.

    Raises:
        EvaluationError: the inherited class is only now being evaluated, and declares this one.
    """
    definition = entry.definition
    if definition is not None and definition.kind == "class" and definition.node.parent_class:
        above = parent_of(compilation, definition)
        parent = compilation.entries["Class", capitalize_type(above.name)]
        evaluate(compilation, parent)
        if above.missing:
            compilation.open_above = f"{parent.ref} {above.missing}"
        if parent.own_scope is None:
            raise EvaluationError(f"Could not find scope for {above.name}", entry.unit, entry.node)
        return parent.own_scope
    scope: Scope | None = caller
    while scope is not None:
        if scope is compilation.top or scope.is_node:
            return scope
        scope = scope.caller
    return compilation.top


def place_in_stage(compilation: Compilation, entry: Entry, caller: Scope) -> None:
    """Put a class into its stage: its own, or that of the class it was declared in."""
    stage = entry.parameters.get("stage")
    if stage is None and caller.resource is not None:
        stage = caller.resource.parameters.get("stage")
    if isinstance(stage, Unknown):
        definition: Any = entry.definition
        place = entry if entry.unit is not None else definition
        compilation.undecided(stage, "stage", place.unit, place.node)
        stage = None
    found = compilation.find("Stage", str(stage or "main"))
    if found is None:
        error = EvaluationError(f"Could not find stage {stage} specified by {entry.ref}")
        compilation.recover(error, entry.unit, entry.node)
        # What is in the class is compiled all the same.
        found = compilation.find("Stage", "main")
        assert found is not None
    if found.title != "main":
        entry.parameters.setdefault("stage", found.title)
    compilation.edges[found, entry] = None
