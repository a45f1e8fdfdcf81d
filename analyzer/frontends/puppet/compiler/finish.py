"""Changes to declared resources: overrides, checks of parameters, inherited metaparameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.frontends.puppet.compiler import gaps
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import INHERITED, Attribute, Entry
from analyzer.frontends.puppet.compiler.declared.overrides import (
    METAPARAMETERS,
    Override,
    defaults_of,
)
from analyzer.frontends.puppet.compiler.declared.places import (
    attribute_in,
    place_of_entry,
    place_of_node,
)
from analyzer.frontends.puppet.compiler.recovery import RecordingErrors
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.names import capitalize_type
from analyzer.model.values import Value, flat

EVERYWHERE = frozenset(METAPARAMETERS)


def merge(compilation: Compilation, entry: Entry, change: Override) -> None:
    """Change attributes of a declared resource, where the scope may (Resource#merge).

    Raises:
        EvaluationError: the statement is in no subclass of where the resource was declared, or it
            redefines an attribute and is in no subclass of where that was set.
    """
    source = change.source
    if change.anywhere:
        compilation.unrestrained.add(source)
    if (
        not change.anywhere
        and source is not entry.source
        and not is_subclass(compilation, source, entry.source)
    ):
        raise EvaluationError("Only subclasses can override parameters", change.unit, change.node)
    if entry.evaluated:
        object_to_override(compilation, entry, change)
    for name, value, adds in change.of(entry):
        if name not in entry.parameters:
            entry.set(name, value)
            entry.set_by[name] = change
            continue
        current = entry.parameters[name]
        defaults = defaults_of(entry.type, entry.scope)
        if name in defaults and defaults[name] == value:
            continue
        setter = (entry.set_by.get(name) or entry).source
        is_default = name in defaults and defaults[name] == current
        if not (
            change.anywhere
            or is_subclass(compilation, source, setter)
            or (source is setter and is_default)
        ):
            blamed = attribute_in(change.node, entry.title, name) or change.node
            raise EvaluationError(already_set(entry, name), change.unit, blamed)
        if adds:
            entry.set(name, flat([current, value]))
        else:
            entry.set(name, value)
        entry.set_by[name] = change
    if compilation.trace is not None:
        compilation.trace.override(entry, change)


def object_to_override(compilation: Compilation, entry: Entry, change: Override) -> None:
    """Warn that the body of a resource was evaluated with the former values; refuse if strict.

    Raises:
        EvaluationError: settings are strict.
    """
    file = f"file: {entry.file}, " if entry.file else ""
    place = f", defined at ({file}line: {entry.line})," if entry.line else ""
    message = f"Attempt to override an already evaluated resource{place} with new values"
    error = EvaluationError(message, change.unit, change.node)
    if compilation.strict:
        raise error
    compilation.warnings.append(error.text)


def overridden(entry: Entry, given: list[Attribute]) -> list[tuple[str, str]]:
    """Return those of the given attributes of which a resource explicitly has another value."""
    defaults = defaults_of(entry.type, entry.scope)
    return [
        (entry.ref, name)
        for name, value, adds in given
        if not adds and entry.parameters.get(name) not in (None, value) and name not in defaults
    ]


def is_subclass(compilation: Compilation, child: Any, parent: Any) -> bool:
    """Return whether a class inherits another, directly or not.

    One whose collector has changed something counts as that of every class (Type#child_of?).
    """
    while child not in compilation.unrestrained:
        if child is None or child.kind != "class" or not child.node.parent_class:
            return False
        child = compilation.definitions.find("class", child.node.parent_class)
        if child is parent:
            return True
    return True


def already_set(entry: Entry, name: str) -> str:
    """Return the message for an attribute that may not be set again."""
    setter = entry.set_by.get(name, entry)
    node = attribute_in(setter.node, entry.title, name) if setter else None
    place = f" at {place_of_node(node, setter.unit)}" if node else ""
    return f"Parameter '{name}' is already set on {entry.ref}{place}; cannot redefine"


def apply_overrides(compilation: Compilation) -> None:
    """Apply the overrides that came before their resources."""
    for key, changes in list(compilation.overrides.items()):
        entry = compilation.entries.get(key)
        if entry is None:
            continue
        del compilation.overrides[key]
        for change in changes:
            with RecordingErrors(compilation):
                merge(compilation, entry, change)


def refuse_unused(compilation: Compilation) -> None:
    """Refuse overrides and realized references that no resource answers to.

    Raises:
        EvaluationError: there are such.
    """
    waiting = [
        (f"{kind}[{title}]", change.unit, change.node)
        for (kind, title), changes in compilation.overrides.items()
        for change in changes
    ]
    refuse(compilation, waiting, "Could not find resource(s) {} for overriding")
    missing = [
        (f"{kind}[{title}]", unit, node)
        for kind, title, unit, node in compilation.realizing
        if compilation.find(capitalize_type(kind), title) is None
    ]
    refuse(compilation, missing, "Failed to realize virtual resources {}")


def refuse(
    compilation: Compilation, missing: Sequence[tuple[str, Unit | None, Node | None]], message: str
) -> None:
    """Refuse requests for missing resources; if they may exist, record a gap.

    Raises:
        EvaluationError: they are not there.
    """
    if missing and not gaps.hides(compilation):
        _, unit, node = missing[0]
        raise EvaluationError(message.format(", ".join(ref for ref, _, _ in missing)), unit, node)
    for ref, unit, node in missing:
        reason = f"{ref} is not declared in what is known"
        compilation.leave_out("undecided", "reference", reason, unit, node)


def check_parameters(compilation: Compilation) -> None:
    """Refuse parameters that a type does not have (Resource#validate).

    Raises:
        EvaluationError: there is one.
    """
    for entry in compilation.entries.values():
        type = compilation.definitions.ruby_type(entry.type) if entry.definition is None else None
        if type is None or type.open:
            continue
        for name in entry.parameters:
            if name in type.attributes or (name in EVERYWHERE and name != "name"):
                continue
            if not compilation.definitions.may_have(type, name):
                message = f"no parameter named '{name}' {place_of_entry(entry)} on {entry.ref}"
                with RecordingErrors(compilation):
                    raise EvaluationError(message, entry.unit, entry.node)


def inherit_metaparameters(compilation: Compilation) -> None:
    """Pass the metaparameters and tags of the main class on to its content, and so on downwards.

    Classes hang under their stage, so only what main contains directly or by `contain` is met.
    """
    contents: dict[int, list[Entry]] = {}
    for container, content in compilation.edges:
        contents.setdefault(id(container), []).append(content)
    main = compilation.entries[("Class", "main")]
    data: dict[int, dict[str, Value]] = {}
    queue = [main]
    seen: set[int] = set()
    # The queue grows while it is gone through.
    for source in queue:
        if id(source) in seen:
            continue
        seen.add(id(source))
        values = data.get(id(source)) or metaparameters(source)
        for target in contents.get(id(source), ()):
            for name, value in values.items():
                if target.parameters.get(name) is None:
                    target.parameters[name] = value
                    if compilation.trace is not None:
                        compilation.trace.inherit(target, name, source)
            target.tags.update(source.tags)
            if id(target) in contents:
                data[id(target)] = {**values, **metaparameters(target)}
                queue.append(target)


def metaparameters(entry: Entry) -> dict[str, Value]:
    """Return the metaparameters of a resource that its contents get."""
    found = entry.parameters
    return {name: found[name] for name in INHERITED if found.get(name) is not None}
