"""Names that a file defines twice: found when Puppet registers its definitions."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.node_names import name_of_pattern
from analyzer.frontends.puppet.syntax.validate.walk import Validation
from analyzer.source import place_of

_CLASS, _DEFINE, _NODE = ast.HostClassDefinition, ast.ResourceTypeDefinition, ast.NodeDefinition

# Definitions that exclude each other: tables in the order of the checks, and the issue.
_CLASHES: dict[type, tuple[tuple[type, str], ...]] = {
    _CLASS: (
        (_CLASS, "CLASS_REDEFINED"),
        (_NODE, "NODE_REDEFINED_AS_CLASS"),
        (_DEFINE, "DEFINITION_REDEFINED_AS_CLASS"),
    ),
    _DEFINE: ((_CLASS, "CLASS_REDEFINED_AS_DEFINITION"),),
    _NODE: ((_NODE, "NODE_REDEFINED"), (_CLASS, "CLASS_REDEFINED_AS_NODE")),
}
# Names by loader: a define and an alias may have the same name.
_ENTITIES: dict[type, str] = {
    ast.ResourceTypeDefinition: "type",
    ast.TypeAlias: "type",
    ast.FunctionDefinition: "function",
    ast.PlanDefinition: "plan",
}


def check_registry(validation: Validation, program: ast.Program) -> None:
    """Report definitions of names that are taken."""
    entities: dict[tuple[type, str], object] = {}
    names: dict[tuple[type, str], object] = {}
    for node in program.definitions:
        if type(node) in _ENTITIES:
            _add_entity(validation, entities, node)
    for node in program.definitions:
        for name in names_of(node, marked=validation.strict == "error"):
            _add(validation, names, node, name)


def _add_entity(validation: Validation, entities: dict[tuple[type, str], Any], node: Any) -> None:
    name = node.name.lower()
    first = entities.setdefault((type(node), name), node)
    if first is not node:
        from urllib.parse import quote

        line, column = place_of(validation.text, first[0])
        file = validation.file
        where = f"file://{quote(file)}" if file else "string:"
        validation.report(
            "ENTITY_REDEFINED",
            node,
            kind=_ENTITIES[type(node)],
            name=name,
            place=f"{where}?line={line}&pos={column}",
        )


def names_of(node: Any, *, marked: bool = True) -> list[str]:
    """Return the names by which definitions clash: of a class, a type, or each of a node block.

    `marked`: those of regular expressions are as Puppet 8 has them.
    """
    if type(node) is not _NODE:
        return [node.name] if type(node) in _CLASHES else []
    names = []
    for host in node.host_matches:
        if isinstance(host, ast.LiteralDefault):
            names.append("default")
        elif isinstance(host, ast.LiteralRegularExpression):
            names.append(name_of_pattern(host.pattern, marked=marked))
        elif isinstance(host, ast.LiteralString):
            names.append(host.value.lower())
    return names


def _add(validation: Validation, names: dict[tuple[type, str], Any], node: Node, name: str) -> None:
    for kind, code in _CLASHES[type(node)]:
        taken = names.get((kind, name))
        if taken is not None:
            line, _ = place_of(validation.text, taken[0])
            file = f"file: {validation.file}, " if validation.file else ""
            validation.report(code, node, name=name, place=f" ({file}line: {line})")
            return
    if type(node) is _NODE and not name:
        # The class without a name holds what stands outside of all classes.
        validation.report("CLASS_REDEFINED_AS_NODE", node, name="", place="")
    names[type(node), name] = node
