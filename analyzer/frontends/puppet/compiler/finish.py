"""What is done to resources once all are there: overrides, defaults, names, metaparameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.entry import INHERITED, RELATIONSHIPS, Entry
from analyzer.frontends.puppet.compiler.native import PARAMETERS
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.model.types import COMPOSITE, NAMEVARS, NOT_ISOMORPHIC

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler


# What every resource may be given besides its own parameters (Type.metaparams).
METAPARAMETERS = ("name", *RELATIONSHIPS, *INHERITED)


class Override:
    """Attributes to change on a resource: what is given, from which scope and statement.

    A collector may change what was declared `anywhere`.
    """

    __slots__ = ("anywhere", "given", "node", "source", "unit")

    def __init__(
        self, given: list[Any], scope: Scope, unit: Any, node: Any, anywhere: bool = False
    ) -> None:
        self.given = given
        self.source = scope.source
        self.anywhere = anywhere
        self.unit = unit
        self.node = node


def add_defaults(entry: Entry, scope: Scope) -> None:
    """Give a resource the defaults of its type, the innermost scope's first."""
    at: Scope | None = scope
    while at is not None:
        for name, value in at.defaults.get(entry.type, {}).items():
            if name not in entry.parameters:
                entry.set(name, value)
        at = at.caller


def names_of(entry: Entry) -> Iterator[str]:
    """Yield the other names a resource is found by: aliases and the value of its namevar."""
    alias = entry.parameters.get("alias")
    for one in alias if isinstance(alias, list) else [alias]:
        if isinstance(one, str):
            yield one
    if entry.definition is not None or entry.type in NOT_ISOMORPHIC:
        return
    # A package's key is composed: a bare name is found only where nothing else is part of it.
    bare = entry.type == "Package" and not entry.parameters.keys() & {"provider", "command"}
    if entry.type in COMPOSITE and not bare:
        return
    name = entry.parameters.get(NAMEVARS.get(entry.type, "name"), entry.title)
    if isinstance(name, str):
        if entry.type == "File" and name == entry.title and len(name) > 1:
            name = name.rstrip("/") or "/"
        if name != entry.title:
            yield name


def merge(compiler: Compiler, entry: Entry, change: Override) -> None:
    """Change attributes of a declared resource, where the scope may (Resource#merge).

    Raises:
        EvaluationError: the statement is in no subclass of where the resource was declared, or it
            redefines an attribute and is in no subclass of where that was set.
    """
    source = change.source
    if (
        not change.anywhere
        and source is not entry.source
        and not is_subclass(compiler, source, entry.source)
    ):
        raise EvaluationError("Only subclasses can override parameters", change.unit, change.node)
    for name, value, adds in change.given:
        if name not in entry.parameters:
            entry.set(name, value)
            entry.set_by[name] = source
            continue
        current = entry.parameters[name]
        defaults = defaults_in(entry.scope, entry.type)
        if name in defaults and defaults[name] == value:
            continue
        setter = entry.set_by.get(name, entry.source)
        is_default = name in defaults and defaults[name] == current
        if not (
            change.anywhere
            or is_subclass(compiler, source, setter)
            or (source is setter and is_default)
        ):
            raise EvaluationError(already_set(entry, name), change.unit, change.node)
        if adds:
            before = current if isinstance(current, list) else [current]
            entry.set(name, [*before, *(value if isinstance(value, list) else [value])])
        else:
            entry.set(name, value)
        entry.set_by[name] = source


def is_subclass(compiler: Compiler, child: Any, parent: Any) -> bool:
    """Tell whether a class inherits another, directly or not."""
    while child is not None and child.kind == "class" and child.node.parent_class:
        child = compiler.known.find("class", child.node.parent_class)
        if child is parent:
            return True
    return False


def already_set(entry: Entry, name: str) -> str:
    """Return what is said of an attribute that may not be set again."""
    place = f" at {place_text(entry)}" if entry.line else ""
    return f"Parameter '{name}' is already set on {entry.ref}{place}; cannot redefine"


def place_text(entry: Entry) -> str:
    """Return where a resource was declared, as Puppet writes it into messages."""
    return f"(file: {entry.file}, line: {entry.line})" if entry.file else f"(line: {entry.line})"


def duplicate(entry: Entry, known: Entry) -> str:
    """Return what is said of a second declaration."""
    place = f" at {place_text(known)}" if known.line else ""
    return f"Duplicate declaration: {entry.ref} is already declared{place}; cannot redeclare"


def cannot_alias(entry: Entry, name: str, known: Entry) -> str:
    """Return what is said of a second resource for the same thing."""
    given = entry.parameters.get("alias")
    key = f'"{name}"' if name == given or (type(given) is list and name in given) else f'["{name}"]'
    place = f" at {place_text(entry)}" if entry.line else ""
    other = f" {place_text(known)}" if known.line else ""
    declared = f'resource ["{entry.type}", "{name}"] already declared'
    return f"Cannot alias {entry.ref} to {key}{place}; {declared}{other}"


def with_defaults(given: list[Any], kind: str, scope: Scope) -> list[Any]:
    """Return what a collector overrides: the defaults where it stands are part of it."""
    names = {name for name, _, _ in given}
    defaults = defaults_in(scope, kind).items()
    return given + [(name, value, False) for name, value in defaults if name not in names]


def defaults_in(scope: Scope | None, kind: str) -> dict[str, Any]:
    """Return the defaults of a type, the innermost scope's over those around."""
    found: dict[str, Any] = {}
    while scope is not None:
        found = {**scope.defaults.get(kind, {}), **found}
        scope = scope.caller
    return found


def apply_overrides(compiler: Compiler) -> None:
    """Apply the overrides that came before their resources."""
    for key, changes in list(compiler.overrides.items()):
        entry = compiler.entries.get(key)
        if entry is None:
            continue
        del compiler.overrides[key]
        for change in changes:
            merge(compiler, entry, change)


def refuse_unused(compiler: Compiler) -> None:
    """Refuse overrides and realized references that no resource answers to.

    Raises:
        EvaluationError: there are such.
    """
    if compiler.overrides:
        refs = ", ".join(f"{kind}[{title}]" for kind, title in compiler.overrides)
        raise EvaluationError(f"Could not find resource(s) {refs} for overriding")
    missing = [f"{k}[{t}]" for k, t in compiler.realizing if compiler.find(k, t) is None]
    if missing:
        raise EvaluationError(f"Failed to realize virtual resources {', '.join(missing)}")


def check_parameters(entry: Entry) -> None:
    """Refuse parameters that one of Puppet's own types does not have (Resource#validate).

    Raises:
        EvaluationError: there is one.
    """
    known = PARAMETERS.get(entry.type)
    if known is None:
        return
    for name in entry.parameters:
        if name not in known and name not in METAPARAMETERS:
            message = f"no parameter named '{name}' {place_text(entry)} on {entry.ref}"
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
    while queue:
        source = queue.pop(0)
        if id(source) in seen:
            continue
        seen.add(id(source))
        values = data.get(id(source)) or metaparameters(source)
        targets = contents.get(id(source), [])
        for target in targets:
            for name, value in values.items():
                if target.parameters.get(name) is None:
                    target.parameters[name] = value
            data[id(target)] = {**values, **metaparameters(target)}
            target.tags_from(source.tags)
        queue += targets


def metaparameters(entry: Entry) -> dict[str, Any]:
    """Return the metaparameters of a resource that its contents get."""
    return {
        name: entry.parameters[name] for name in INHERITED if entry.parameters.get(name) is not None
    }
