"""Calls: functions that work on the catalog, those of the library, and those of modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.ast import Node
from analyzer.frontends.puppet.compiler import classes
from analyzer.frontends.puppet.compiler.relations import shown
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.frontends.puppet.types.catalog import ClassType, ResourceType
from analyzer.model.names import capitalize_type, split_ref

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler
    from analyzer.frontends.puppet.evaluate.calls import Lambda


class Site:
    """Where a call stands: what a function of the catalog works with."""

    __slots__ = ("block", "compiler", "node", "scope", "unit")

    def __init__(
        self, compiler: Compiler, block: Lambda | None, scope: Scope, node: Node, unit: Unit
    ) -> None:
        self.compiler = compiler
        self.block = block
        self.scope = scope
        self.node = node
        self.unit = unit


def flat(values: list[Any]) -> list[Any]:
    """Return nested arrays laid flat."""
    found: list[Any] = []
    for value in values:
        found += flat(value) if isinstance(value, list) else [value]
    return found


def class_names(values: list[Any]) -> list[str]:
    """Return the names of classes given by name or reference."""
    names = []
    for value in flat(values):
        if isinstance(value, ClassType):
            names.append(value.class_name or "")
        elif isinstance(value, ResourceType):
            names.append(str(value.title))
        else:
            names.append(str(value))
    return [name.lower().removeprefix("::") for name in names]


def include(site: Site, *values: Any) -> Any:
    """`include`: brings classes in; the value is references to them."""
    names = class_names(list(values))
    classes.include(site.compiler, names, site.scope, site.node, site.unit)
    return [ClassType(name) for name in names]


def contain(site: Site, *values: Any) -> Any:
    """`contain`: brings classes in, as part of the class around."""
    found = include(site, *values)
    around = site.scope.resource
    for ref in found:
        entry = site.compiler.find_ref(ref)
        if around is not None and (around, entry) not in site.compiler.edges:
            site.compiler.edges.append((around, entry))
    return found


def require(site: Site, *values: Any) -> Any:
    """`require`: brings classes in, before the class around."""
    found = include(site, *values)
    around = site.scope.resource
    for ref in found:
        value = around.parameters.get("require")
        before = value if isinstance(value, list) else [] if value is None else [value]
        around.parameters["require"] = [*before, ref]
    return found


def realize(site: Site, *values: Any) -> Any:
    """`realize`: what is virtual becomes real, once it is declared."""
    for ref in flat(list(values)):
        name = shown(ref) if isinstance(ref, (ResourceType, ClassType)) else str(ref)
        parts = split_ref(name)
        if parts is not None:
            site.compiler.realizing.append((capitalize_type(parts[0]), parts[1]))


def create_resources(site: Site, kind: str, wanted: dict[str, Any], common: Any = None) -> Any:
    """`create_resources`: resources from a hash of titles."""
    for title, given in wanted.items():
        merged = {**(common or {}), **(given or {})}
        rows = [(name, value, False) for name, value in merged.items()]
        site.compiler.declare(kind.lstrip("@"), [title], rows, site.scope, site.node, site.unit)


def tag(site: Site, *values: Any) -> Any:
    """`tag`: adds tags to what is around."""
    site.scope.resource.tag(*flat(list(values)))


def notice(site: Site, *values: Any) -> Any:
    """`notice` and the like: a message, which is no matter of the catalog."""


def fail(site: Site, *values: Any) -> Any:
    """`fail`: ends the compile."""
    raise EvaluationError(" ".join(text_of(value) for value in values), site.unit, site.node)


def each(site: Site, values: Any, *rest: Any) -> Any:
    """`each`: calls a block for every element."""
    assert site.block is not None
    _, most = site.block.arity
    if isinstance(values, dict):
        for key, value in values.items():
            site.block(key, value) if most == 2 else site.block([key, value])
    else:
        for index, value in enumerate(values):
            site.block(index, value) if most == 2 else site.block(value)
    return values


CATALOG_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "contain": contain,
    "create_resources": create_resources,
    "debug": notice,
    "each": each,
    "err": notice,
    "fail": fail,
    "include": include,
    "info": notice,
    "notice": notice,
    "realize": realize,
    "require": require,
    "tag": tag,
    "warning": notice,
}


def call(
    compiler: Compiler,
    name: str,
    arguments: list[Any],
    block: Lambda | None,
    scope: Scope,
    node: Node,
    unit: Unit,
) -> Any:
    """Call a function by name."""
    found = CATALOG_FUNCTIONS.get(name)
    if found is None:
        raise EvaluationError(f"Unknown function: '{name}'.", unit, node)
    return found(Site(compiler, block, scope, node, unit), *arguments)
