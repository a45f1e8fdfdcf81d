"""What is done to resources once all are there: overrides, defaults, names, metaparameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import gaps
from analyzer.frontends.puppet.compiler.declared.entry import (
    INHERITED,
    RELATIONSHIPS,
    Entry,
    checked_tags,
)
from analyzer.frontends.puppet.compiler.declared.places import (
    attribute_in,
    place_of_entry,
    place_of_node,
)
from analyzer.frontends.puppet.compiler.recovery import GoingOn
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.model.names import capitalize_type

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler


# What every resource may be given besides its own parameters (Type.metaparams).
METAPARAMETERS = ("name", *RELATIONSHIPS, *INHERITED)
EVERYWHERE = frozenset(METAPARAMETERS)


class Override:
    """Attributes to change on a resource: what is given, from which scope and statement.

    A collector may change what was declared `anywhere`, and brings the defaults of its scope.
    """

    __slots__ = ("anywhere", "given", "node", "scope", "source", "unit")

    def __init__(
        self, given: list[Any], scope: Scope, unit: Any, node: Any, anywhere: bool = False
    ) -> None:
        self.given = given
        for name, value, _ in given:
            if name == "tag" and value is not None:
                checked_tags(value, unit, node)
        self.scope = scope
        self.source = scope.source
        self.anywhere = anywhere
        self.unit = unit
        self.node = node

    def of(self, entry: Entry) -> list[Any]:
        """Return what is to be set on a resource."""
        if not self.anywhere:
            return self.given
        names = {name for name, _, _ in self.given}
        found = defaults_of(entry.type, self.scope)
        return [*self.given, *((n, v, False) for n, v in found.items() if n not in names)]


def add_defaults(entry: Entry, scope: Scope) -> None:
    """Give a resource the defaults of its type: the innermost scope's, in the outermost's order."""
    at: Scope | None = scope
    around: list[Scope] = []
    while at is not None:
        if entry.type in at.defaults:
            around.append(at)
        at = at.caller
    if not around:
        return
    owners = {name: one for one in reversed(around) for name in one.defaults[entry.type]}
    for name, owner in owners.items():
        if name not in entry.parameters:
            entry.set(name, owner.defaults[entry.type][name])
            entry.set_by[name] = Override([], owner, *owner.default_places[entry.type, name])


def aliases_of(entry: Entry) -> Iterator[str]:
    """Yield the other names that a resource is given, besides its title."""
    alias = entry.parameters.get("alias")
    for one in alias if isinstance(alias, list) else [alias]:
        if isinstance(one, str) and one != entry.title:
            yield one


def merge(compiler: Compiler, entry: Entry, change: Override) -> None:
    """Change attributes of a declared resource, where the scope may (Resource#merge).

    Raises:
        EvaluationError: the statement is in no subclass of where the resource was declared, or it
            redefines an attribute and is in no subclass of where that was set.
    """
    source = change.source
    if change.anywhere:
        compiler.unrestrained.add(source)
    if (
        not change.anywhere
        and source is not entry.source
        and not is_subclass(compiler, source, entry.source)
    ):
        raise EvaluationError("Only subclasses can override parameters", change.unit, change.node)
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
            or is_subclass(compiler, source, setter)
            or (source is setter and is_default)
        ):
            blamed = attribute_in(change.node, entry.title, name) or change.node
            raise EvaluationError(already_set(entry, name), change.unit, blamed)
        if adds:
            before = current if isinstance(current, list) else [current]
            entry.set(name, [*before, *(value if isinstance(value, list) else [value])])
        else:
            entry.set(name, value)
        entry.set_by[name] = change


def overridden(entry: Entry, given: list[Any]) -> list[tuple[str, str]]:
    """Return the attributes among the given ones that a resource was given explicitly."""
    defaults = defaults_of(entry.type, entry.scope)
    return [
        (entry.ref, name)
        for name, _, adds in given
        if not adds and entry.parameters.get(name) is not None and name not in defaults
    ]


def is_subclass(compiler: Compiler, child: Any, parent: Any) -> bool:
    """Tell whether a class inherits another, directly or not.

    One whose collector has changed something counts as that of every class (Type#child_of?).
    """
    while child not in compiler.unrestrained:
        if child is None or child.kind != "class" or not child.node.parent_class:
            return False
        child = compiler.known.find("class", child.node.parent_class)
        if child is parent:
            return True
    return True


def already_set(entry: Entry, name: str) -> str:
    """Return what is said of an attribute that may not be set again."""
    setter = entry.set_by.get(name, entry)
    node = attribute_in(setter.node, entry.title, name) if setter else None
    place = f" at {place_of_node(node, setter.unit)}" if node else ""
    return f"Parameter '{name}' is already set on {entry.ref}{place}; cannot redefine"


def defaults_of(kind: str, scope: Scope | None) -> dict[str, Any]:
    """Return the defaults of a resource's type, the innermost scope's over those around."""
    found: dict[str, Any] = {}
    at = scope
    while at is not None:
        found = {**at.defaults.get(kind, {}), **found}
        at = at.caller
    return found


def apply_overrides(compiler: Compiler) -> None:
    """Apply the overrides that came before their resources."""
    for key, changes in list(compiler.overrides.items()):
        entry = compiler.entries.get(key)
        if entry is None:
            continue
        del compiler.overrides[key]
        for change in changes:
            with GoingOn(compiler):
                merge(compiler, entry, change)


def refuse_unused(compiler: Compiler) -> None:
    """Refuse overrides and realized references that no resource answers to.

    Raises:
        EvaluationError: there are such.
    """
    waiting = [
        (f"{kind}[{title}]", change.unit, change.node)
        for (kind, title), changes in compiler.overrides.items()
        for change in changes
    ]
    refuse(compiler, waiting, "Could not find resource(s) {} for overriding")
    missing = [
        (f"{kind}[{title}]", unit, node)
        for kind, title, unit, node in compiler.realizing
        if compiler.find(capitalize_type(kind), title) is None
    ]
    refuse(compiler, missing, "Failed to realize virtual resources {}")


def refuse(compiler: Compiler, missing: list[tuple[str, Any, Any]], message: str) -> None:
    """Refuse what is asked of resources that are not there; if they may be, that is a gap.

    Raises:
        EvaluationError: they are not there.
    """
    if missing and not gaps.hides(compiler):
        _, unit, node = missing[0]
        raise EvaluationError(message.format(", ".join(ref for ref, _, _ in missing)), unit, node)
    for ref, unit, node in missing:
        reason = f"{ref} is not declared in what is known"
        compiler.leave_out("undecided", "reference", reason, unit, node)


def check_parameters(compiler: Compiler) -> None:
    """Refuse parameters that a type does not have (Resource#validate).

    Raises:
        EvaluationError: there is one.
    """
    for entry in compiler.entries.values():
        type = compiler.known.ruby_type(entry.type) if entry.definition is None else None
        if type is None or type.open:
            continue
        for name in entry.parameters:
            if name in type.attributes or (name in EVERYWHERE and name != "name"):
                continue
            if not compiler.known.may_have(type, name):
                message = f"no parameter named '{name}' {place_of_entry(entry)} on {entry.ref}"
                with GoingOn(compiler):
                    raise EvaluationError(message, entry.unit, entry.node)


def inherit_metaparameters(compiler: Compiler) -> None:
    """Let what the main class contains have its metaparameters and tags, and so on downwards.

    Classes hang under their stage, so only what main contains directly or by `contain` is met.
    """
    contents: dict[int, list[Entry]] = {}
    for container, content in compiler.edges:
        contents.setdefault(id(container), []).append(content)
    main = compiler.entries[("Class", "main")]
    data: dict[int, dict[str, Any]] = {}
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
            target.tags_from(source)
            if id(target) in contents:
                data[id(target)] = {**values, **metaparameters(target)}
                queue.append(target)


def metaparameters(entry: Entry) -> dict[str, Any]:
    """Return the metaparameters of a resource that its contents get."""
    found = entry.parameters
    return {name: found[name] for name in INHERITED if found.get(name) is not None}
