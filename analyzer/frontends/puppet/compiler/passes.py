"""The passes of a compile, in Puppet's order and words (Puppet::Parser::Compiler#compile)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from analyzer.frontends.puppet.compiler import (
    classes,
    exported,
    finish,
    gaps,
    nodes,
    parameters,
)
from analyzer.frontends.puppet.compiler.collectors import Collector
from analyzer.frontends.puppet.compiler.declared import aliases
from analyzer.frontends.puppet.compiler.declared.arrow import Arrow
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import (
    RELATIONSHIPS,
    Entry,
    checked_tags,
    shown,
)
from analyzer.frontends.puppet.compiler.declared.overrides import Override
from analyzer.frontends.puppet.compiler.declared.places import attribute_in
from analyzer.frontends.puppet.compiler.recovery import RecordingErrors, body_of
from analyzer.frontends.puppet.compiler.references import NO_TITLE
from analyzer.frontends.puppet.compiler.relations import leftmost, targets_of
from analyzer.frontends.puppet.compiler.results.catalog import relations
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.keys import as_key
from analyzer.model.names import canonical_ref, capitalize_type, split_ref
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value, flat

# Rounds of the generators before the compile is given up.
MOST_ROUNDS = 1000


def stage_main(compilation: Compilation) -> None:
    """The main stage is there before everything, and what a classifier names.

    Raises:
        EvaluationError: the name of a class is no tag.
    """
    stage = Entry("Stage", "main", None)
    stage.parameters["name"] = "main"
    stage.tags.pop("main")
    compilation.entries[("Stage", "main")] = stage
    given = list(compilation.inputs.classes or ())
    checked_tags(given, None, None)
    compilation.name_classes(*given)


def node_parameters(compilation: Compilation) -> None:
    """Facts and what else is known of the node become top-scope variables."""
    nodes.set_variables(compilation)


def settings(compilation: Compilation) -> None:
    """The class of Puppet's settings."""
    entry = Entry("Class", "Settings", compilation.top)
    entry.kind = "unknown"
    entry.evaluated = True
    compilation.entries[("Class", "Settings")] = entry
    compilation.edges[compilation.entries[("Stage", "main")], entry] = None
    compilation.name_classes("settings")


def main_class(compilation: Compilation) -> None:
    """The statements outside of any definition, in the class main."""
    entry = Entry("Class", "main", compilation.top)
    entry.kind = "unknown"
    entry.evaluated = True
    entry.parameters["name"] = "main"
    entry.own_scope = compilation.top
    entry.tags.pop("main", None)
    compilation.top.resource = entry
    compilation.entries[("Class", "main")] = entry
    compilation.edges[compilation.entries[("Stage", "main")], entry] = None
    compilation.class_scopes[""] = compilation.top
    for program, unit in compilation.definitions.programs:
        body_of(program.body, unit)(compilation, compilation.top)


def generators(compilation: Compilation) -> None:
    """Collect and evaluate defines, in turn, until nothing new comes of it.

    Raises:
        EvaluationError: it does not end.
    """
    for _ in range(MOST_ROUNDS + 1):
        collected = collect(compilation)
        defined = evaluate_definitions(compilation)
        if not (collected or defined):
            return
    raise EvaluationError("Somehow looped more than 1000 times while evaluating host catalog")


def collect(compilation: Compilation) -> bool:
    """Ask every collector; realize what it finds, and remember its overrides."""
    progress = realize(compilation)
    grouped: dict[str, list[Entry]] = {}
    count = 0
    for collector in list(compilation.collectors):
        if len(compilation.entries) != count:
            grouped, count = by_type(compilation), len(compilation.entries)
        for entry in found_by(compilation, collector, grouped.get(collector.type, ())):
            if entry.virtual:
                entry.virtual = False
                if compilation.trace is not None:
                    compilation.trace.realize(entry, collector)
                collector.realized.append(entry.ref)
            if entry.ref in collector.collected:
                continue
            progress = True
            collector.collected[entry.ref] = entry
            if not collector.overrides:
                continue
            collector.overridden += finish.overridden(entry, collector.overrides)
            with RecordingErrors(compilation):
                change = Override(
                    collector.overrides,
                    collector.scope,
                    collector.unit,
                    collector.node,
                    anywhere=True,
                )
                if compilation.trace is not None:
                    compilation.trace.alike(change, collector)
                finish.merge(compilation, entry, change)
    return progress


def by_type(compilation: Compilation) -> dict[str, list[Entry]]:
    """Return the resources by type, which most collectors have none of."""
    found: dict[str, list[Entry]] = {}
    for entry in compilation.entries.values():
        found.setdefault(entry.type, []).append(entry)
    return found


def found_by(
    compilation: Compilation, collector: Collector, candidates: Iterable[Entry]
) -> list[Entry]:
    """Return the resources that a collector finds now; exported ones only with a store."""
    if collector.exported:
        return (
            exported.collect(compilation, collector)
            if compilation.search_exports is not None
            else []
        )
    return [entry for entry in candidates if collector.matches(entry)]


def realize(compilation: Compilation) -> bool:
    """Realize what `realize` named and is declared by now."""
    progress = False
    for row in compilation.realizing:
        kind, title, unit, node = row
        if not title:
            raise EvaluationError(NO_TITLE.format(kind), unit, node)
        entry = compilation.find(capitalize_type(kind), title)
        if entry is not None and entry.virtual:
            entry.virtual = False
            progress = True
            if compilation.trace is not None:
                compilation.trace.realize(entry, row)
    return progress


def evaluate_definitions(compilation: Compilation) -> bool:
    """Evaluate the classes and defines that are declared by now and are not virtual."""
    waiting = [
        entry
        for entry in compilation.entries.values()
        if entry.definition is not None and not entry.evaluated and not entry.virtual
    ]
    for entry in waiting:
        with RecordingErrors(compilation, entry.unit, entry.node):
            classes.evaluate(compilation, entry)
    return bool(waiting)


def relationships(compilation: Compilation) -> None:
    """Turn the arrows into parameters of their sources."""
    for arrow in compilation.arrows:
        for source in leftmost(arrow.source):
            for target in targets_of(arrow.target):
                with RecordingErrors(compilation):
                    relate(compilation, source, target, arrow)


def relate(compilation: Compilation, source: Any, target: Any, arrow: Arrow) -> None:
    """Write one relationship down on its source.

    Raises:
        EvaluationError: one of the two is not declared.
    """
    # The stand-in for an empty collector is shown as a type.
    instead = isinstance(arrow.source, Collector) and not isinstance(source, Entry)
    left = str(source) if instead else shown(source)
    first = end_of(compilation, source, arrow, instead)
    if first is None:
        message = f"Could not find resource '{left}' for relationship on '{shown(target)}'"
        error = EvaluationError(message, arrow.unit, arrow.node)
        gaps.not_found(compilation, shown(source), shown(target), error, arrow.span)
        return
    if end_of(compilation, target, arrow) is None:
        message = f"Could not find resource '{shown(target)}' for relationship from '{left}'"
        error = EvaluationError(message, arrow.unit, arrow.node)
        gaps.not_found(compilation, shown(target), shown(source), error, arrow.span)
        return
    value = first.parameters.get(arrow.parameter)
    if value is None:
        first.set_by[arrow.parameter] = None
    if not isinstance(value, list):
        value = [] if value is None else [value]
        first.parameters[arrow.parameter] = value
    places = first.written.setdefault(arrow.parameter, {})
    # Arrows come last: what one wrote is followed by the next.
    places[next(reversed(places)) + 1 if places else len(relations(value))] = arrow
    value.append(target.ref if isinstance(target, Entry) else shown(target))
    if compilation.trace is not None:
        compilation.trace.relate(first, arrow.parameter, arrow, source, target)
    return None


def end_of(
    compilation: Compilation,
    ref: Entry | ClassType | ResourceType,
    arrow: Arrow,
    without_title: bool = False,
) -> Entry | None:
    """Return the resource at an end of an arrow, None if it is not declared.

    Raises:
        EvaluationError: the reference has no title, and needs one.
    """
    if isinstance(ref, Entry):
        return ref
    if isinstance(ref, ResourceType) and not ref.title and not without_title:
        raise EvaluationError(NO_TITLE.format(shown(ref)), arrow.unit, arrow.node)
    return compilation.find_ref(ref)


def finishing(compilation: Compilation) -> None:
    """Overrides that waited, tags of the surrounding, checks, metaparameters from above."""
    finish.apply_overrides(compilation)
    for entry in compilation.entries.values():
        scope = entry.scope
        if entry.evaluated or scope is None:
            # Classes and defines took the tags around them when they were evaluated.
            continue
        if scope.resource is not None and scope.resource is not entry:
            entry.tags_from(scope.resource)
    finish.check_parameters(compilation)
    for entry in compilation.entries.values():
        parameters.check_again(compilation, entry)
    finish.inherit_metaparameters(compilation)
    finish.refuse_unused(compilation)


RELATING = frozenset(RELATIONSHIPS)


def validate(compilation: Compilation) -> None:
    """Refuse relationships to undeclared resources."""
    declared: set[str] = set()
    for entry in compilation.entries.values():
        if entry.virtual or RELATING.isdisjoint(entry.parameters):
            continue
        for name, value in entry.parameters.items():
            for ref in finish_refs(value) if name in RELATIONSHIPS else ():
                if isinstance(ref, Unknown):
                    setter = entry.set_by.get(name) or entry
                    node = attribute_in(setter.node, entry.title, name) or setter.node
                    compilation.undecided(ref, "relationship", setter.unit, node)
                    continue
                if ref in declared:
                    continue
                with RecordingErrors(compilation):
                    if check_target(compilation, entry, name, ref):
                        declared.add(ref)


def check_target(compilation: Compilation, entry: Entry, name: str, ref: str) -> bool:
    """Refuse one relationship to an undeclared resource; return whether it is declared.

    Raises:
        EvaluationError: it is one.
    """
    parts = split_ref(ref)
    if parts is None:
        error = EvaluationError(NO_TITLE.format(ref), entry.unit, entry.node)
        if not gaps.may_hide(compilation, ref):
            raise error
        gaps.not_found(compilation, ref, entry.ref, error)
        leave_out(entry, name, ref)
        return False
    kind, title = split_ref(canonical_ref(*parts)) or parts
    if kind == "Class" and title == "Main":
        title = "main"
    if compilation.find(kind, title) is not None:
        return True
    message = f"Could not find resource '{ref}' in parameter '{name}'"
    setter = entry.set_by.get(name) or entry
    node = attribute_in(setter.node, entry.title, name) or setter.node
    if gaps.not_found(compilation, ref, entry.ref, EvaluationError(message, setter.unit, node)):
        leave_out(entry, name, ref)
    return False


def leave_out(entry: Entry, name: str, ref: str) -> None:
    """Take a reference out of a relationship parameter; the places of those behind it move up."""
    refs = flat([entry.parameters[name]])
    at = next(place for place, one in enumerate(refs) if finish_refs(one) == [ref])
    entry.parameters[name] = refs[:at] + refs[at + 1 :]
    tables: list[dict[int, Any]] = [
        entry.written.get(name, {}),
        entry.required if name == "require" else {},
    ]
    for table in tables:
        moved = {place - (place > at): by for place, by in table.items()}
        table.clear()
        table.update(moved)


def finish_refs(value: Value) -> list[str | Unknown]:
    """Return the references in a relationship parameter as texts, undef left out."""
    if value is None:
        return []
    if isinstance(value, Unknown):
        return [value]
    if isinstance(value, list):
        return [ref for one in value for ref in finish_refs(one)]
    return [shown(value) if isinstance(value, (ResourceType, ClassType)) else text_of(value)]


def copy(compilation: Compilation) -> None:
    """Refuse aliases that resources got from what contains them, if another has the name.

    Puppet finds them when it copies the catalog into the one that it sends (Catalog#to_resource).

    Raises:
        EvaluationError: there is one.
    """
    names: dict[tuple[str, Value], Entry] = {}
    for entry in compilation.entries.values():
        if entry.virtual and not entry.exported:
            continue
        if names.setdefault((entry.type, entry.title), entry) is not entry:
            raise EvaluationError(aliases.duplicate(entry, names[entry.type, entry.title]))
        if "alias" not in entry.parameters:
            continue
        for alias in flat([entry.parameters["alias"]]):
            if alias is None or find_unknown((alias,)) is not None:
                continue
            known = names.setdefault((entry.type, as_key(alias)), entry)
            if known is not entry:
                raise EvaluationError(aliases.cannot_alias(entry, alias, [alias], known))


# What needs all resources: it is left out if an error kept some from being declared.
CHECKS: tuple[Callable[[Compilation], None], ...] = (relationships, finishing, validate, copy)

PASSES: tuple[Callable[[Compilation], None], ...] = (
    stage_main,
    node_parameters,
    settings,
    main_class,
    nodes.node_block,
    nodes.node_classes,
    generators,
    *CHECKS,
)
