"""The passes of a compile, in Puppet's order and words (Puppet::Parser::Compiler#compile)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import classes, exported, finish, parameters
from analyzer.frontends.puppet.compiler.entry import RELATIONSHIPS, Entry
from analyzer.frontends.puppet.compiler.known import Definition
from analyzer.frontends.puppet.compiler.output import relations
from analyzer.frontends.puppet.compiler.relations import Arrow, leftmost, shown, targets_of
from analyzer.frontends.puppet.evaluate.access import flat
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.frontends.puppet.evaluate.thunks import thunk_of
from analyzer.frontends.puppet.regex import compiled
from analyzer.frontends.puppet.types.catalog import ClassType, ResourceType
from analyzer.model.names import canonical_ref, capitalize_type, split_ref
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.collectors import Collector
    from analyzer.frontends.puppet.compiler.compiler import Compiler

# The agent's version where no fact tells it.
PUPPET_VERSION = "7.23.0"

# Rounds of the generators before the compile is given up.
MOST_ROUNDS = 1000


def stage_main(compiler: Compiler) -> None:
    """The main stage is there before everything."""
    stage = Entry("Stage", "main", None)
    stage.parameters["name"] = "main"
    stage.tags.pop("main")
    compiler.entries[("Stage", "main")] = stage


def node_parameters(compiler: Compiler) -> None:
    """Facts and what else is known of the node become top-scope variables."""
    top = compiler.top
    known = compiler.facts or {}
    version = known.get("puppetversion", PUPPET_VERSION)
    local = {"clientcert": compiler.node, "clientversion": version, "clientnoop": False}
    facts = {**local, **known, **local}
    for name, value in {**facts, **compiler.node_parameters}.items():
        top.set(name, value)
    unknown = Unknown("there are no facts (--facts FILE)")
    top.set("facts", unknown if compiler.facts is None else facts)
    top.set("title", "main")
    top.set("name", "main")
    hostname, _, domain = compiler.node.partition(".")
    trusted = {"authenticated": "local", "certname": compiler.node, "extensions": {}}
    top.set("trusted", {**trusted, "hostname": hostname, "domain": domain or None, "external": {}})
    top.set("environment", compiler.environment)


def settings(compiler: Compiler) -> None:
    """The class of Puppet's settings."""
    entry = Entry("Class", "Settings", compiler.top)
    entry.kind = "unknown"
    entry.evaluated = True
    compiler.entries[("Class", "Settings")] = entry
    compiler.edges.append((compiler.entries[("Stage", "main")], entry))
    compiler.class_names.append("settings")


def main_class(compiler: Compiler) -> None:
    """The statements outside of any definition, in the class main."""
    entry = Entry("Class", "main", compiler.top)
    entry.kind = "unknown"
    entry.evaluated = True
    entry.parameters["name"] = "main"
    entry.own_scope = compiler.top
    entry.tags.pop("main", None)
    compiler.top.resource = entry
    compiler.entries[("Class", "main")] = entry
    compiler.edges.append((compiler.entries[("Stage", "main")], entry))
    compiler.class_scopes[""] = compiler.top
    for program, unit in compiler.known.programs:
        thunk_of(program.body, unit)(compiler, compiler.top)


def node_block(compiler: Compiler) -> None:
    """The node block of this node, if there are any.

    Raises:
        EvaluationError: there are blocks, and none is for this node.
    """
    if not compiler.known.nodes:
        return
    definition = matching_node(compiler)
    if definition is None:
        message = f"Could not find node statement with name 'default' or '{compiler.node}'"
        raise EvaluationError(message)
    entry = Entry("Node", definition.name, compiler.top)
    entry.kind = "unknown"
    entry.definition = definition
    compiler.entries[("Node", definition.name)] = entry
    compiler.edges.append((compiler.entries[("Class", "main")], entry))
    classes.evaluate(compiler, entry)


def matching_node(compiler: Compiler) -> Definition | None:
    """Return the block for the node: by name, then by regular expression, then the default."""
    name = compiler.node.lower()
    named = {definition.name: definition for definition in reversed(compiler.known.nodes)}
    if name in named:
        return named[name]
    for definition in compiler.known.nodes:
        pattern = getattr(definition.match, "pattern", None)
        if pattern is not None and compiled(pattern).search(name):
            return definition
    return named.get("default")


def node_classes(compiler: Compiler) -> None:
    """The classes that an external node classifier gives, evaluated with the definitions."""
    if compiler.classes is None:
        return
    node = compiler.entries.get(("Node", compiler.node)) or compiler.entries[("Class", "main")]
    scope = node.own_scope or compiler.top
    # Those with parameters come first.
    for name, given in sorted(compiler.classes.items(), key=lambda item: not item[1]):
        definition = compiler.known.find("class", name)
        if definition is None:
            raise EvaluationError(f"Could not find class {name} for {compiler.node}")
        key = ("Class", capitalize_type(definition.name))
        if given or key not in compiler.entries:
            rows = [(parameter, value, False) for parameter, value in (given or {}).items()]
            classes.add_class(compiler, definition, rows, scope, None, None, resource_like=False)


def generators(compiler: Compiler) -> None:
    """Collect and evaluate defines, in turn, until nothing new comes of it.

    Raises:
        EvaluationError: it does not end.
    """
    for _ in range(MOST_ROUNDS + 1):
        collected = collect(compiler)
        defined = evaluate_definitions(compiler)
        if not (collected or defined):
            return
    raise EvaluationError("Somehow looped more than 1000 times while evaluating host catalog")


def collect(compiler: Compiler) -> bool:
    """Ask every collector; realize what it finds, and remember its overrides."""
    progress = realize(compiler)
    for collector in list(compiler.collectors):
        for entry in found_by(compiler, collector):
            entry.virtual = False
            if entry.ref in collector.collected:
                continue
            progress = True
            collector.collected[entry.ref] = entry
            if collector.overrides:
                given = finish.with_defaults(collector.overrides, entry.type, collector.scope)
                change = finish.Override(given, collector.scope, None, None, anywhere=True)
                key = (entry.type, entry.title)
                compiler.overrides.setdefault(key, []).append(change)
    finish.apply_overrides(compiler)
    return progress


def found_by(compiler: Compiler, collector: Collector) -> list[Entry]:
    """Return what a collector finds now; exported resources only where there is a store."""
    if collector.exported:
        return exported.collect(compiler, collector) if compiler.exports is not None else []
    return [entry for entry in compiler.entries.values() if collector.matches(entry)]


def realize(compiler: Compiler) -> bool:
    """Realize what `realize` named and is declared by now."""
    progress = False
    for kind, title in compiler.realizing:
        entry = compiler.find(kind, title)
        if entry is not None and entry.virtual:
            entry.virtual = False
            progress = True
    return progress


def evaluate_definitions(compiler: Compiler) -> bool:
    """Evaluate the classes and defines that are declared by now and are not virtual."""
    waiting = [
        entry
        for entry in compiler.entries.values()
        if entry.definition is not None and not entry.evaluated and not entry.virtual
    ]
    for entry in waiting:
        classes.evaluate(compiler, entry)
    return bool(waiting)


def relationships(compiler: Compiler) -> None:
    """Turn the arrows into parameters of their sources."""
    for arrow in compiler.arrows:
        for source in leftmost(arrow.source):
            for target in targets_of(arrow.target):
                relate(compiler, source, target, arrow)


def relate(compiler: Compiler, source: Any, target: Any, arrow: Arrow) -> None:
    """Write one relationship down on its source.

    Raises:
        EvaluationError: one of the two is not declared.
    """
    first = source if isinstance(source, Entry) else compiler.find_ref(source)
    second = target if isinstance(target, Entry) else compiler.find_ref(target)
    if first is None:
        message = f"Could not find resource '{shown(source)}' for relationship on '{shown(target)}'"
        raise EvaluationError(message, arrow.unit, arrow.node)
    if second is None:
        message = (
            f"Could not find resource '{shown(target)}' for relationship from '{shown(source)}'"
        )
        raise EvaluationError(message)
    value = first.parameters.get(arrow.parameter)
    if not isinstance(value, list):
        value = [] if value is None else [value]
        first.parameters[arrow.parameter] = value
    first.written.setdefault(arrow.parameter, {})[len(relations(value))] = arrow
    value.append(target.ref if isinstance(target, Entry) else shown(target))


def finishing(compiler: Compiler) -> None:
    """Overrides that waited, tags of the surrounding, checks, metaparameters from above."""
    finish.apply_overrides(compiler)
    for entry in compiler.entries.values():
        scope = entry.scope
        if scope is not None and scope.resource is not None and scope.resource is not entry:
            entry.tags_from(scope.resource.tags)
    for entry in compiler.entries.values():
        definition = entry.definition
        if definition is None:
            finish.check_parameters(entry)
        elif definition.kind != "node" and (entry.set_by or not entry.evaluated):
            # Also what is virtual, and so has no body yet.
            parameters.check(compiler, entry, definition, compiler.top)
    finish.inherit_metaparameters(compiler)
    finish.refuse_unused(compiler)


def validate(compiler: Compiler) -> None:
    """Refuse relationships to what is not declared.

    Raises:
        EvaluationError: there is one.
    """
    for entry in compiler.entries.values():
        if entry.virtual:
            continue
        for name, value in entry.parameters.items():
            for ref in finish_refs(value) if name in RELATIONSHIPS else ():
                parts = split_ref(ref)
                if parts is None:
                    message = f'No title provided and "{ref}" is not a valid resource reference'
                    raise EvaluationError(message, entry.unit, entry.node)
                kind, title = split_ref(canonical_ref(*parts)) or parts
                if compiler.find(kind, title) is None:
                    message = f"Could not find resource '{ref}' in parameter '{name}'"
                    raise EvaluationError(message, entry.unit, entry.node)


def finish_refs(value: Any) -> list[str]:
    """Return the references in a relationship parameter as texts, undef left out."""
    if value is None:
        return []
    if isinstance(value, list):
        return [ref for one in value for ref in finish_refs(one)]
    return [shown(value) if isinstance(value, (ResourceType, ClassType)) else text_of(value)]


def copy(compiler: Compiler) -> None:
    """Refuse aliases that resources got from what contains them, if another has the name.

    Puppet finds them when it copies the catalog into the one that it sends (Catalog#to_resource).

    Raises:
        EvaluationError: there is one.
    """
    names: dict[tuple[str, Any], Entry] = {}
    for entry in compiler.entries.values():
        if entry.virtual and not entry.exported:
            continue
        if (entry.type, entry.title) in names:
            raise EvaluationError(finish.duplicate(entry, names[entry.type, entry.title]))
        names[entry.type, entry.title] = entry
        for alias in flat([entry.parameters.get("alias")]):
            known = names.setdefault((entry.type, alias), entry) if alias is not None else entry
            if known is not entry:
                raise EvaluationError(finish.cannot_alias(entry, alias, known))


PASSES: tuple[Callable[[Compiler], None], ...] = (
    stage_main,
    node_parameters,
    settings,
    main_class,
    node_block,
    node_classes,
    generators,
    relationships,
    finishing,
    validate,
    copy,
)
