"""Node blocks, and the classes that a classifier gives (Compiler#evaluate_ast_node)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.frontends.puppet.compiler import classes
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.compiler.definitions.table import Definition
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.scope import Groups
from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.model.names import capitalize_type

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler


def node_block(compiler: Compiler) -> None:
    """The node block of this node, if there are any.

    Raises:
        EvaluationError: there are blocks, and none is for this node.
    """
    if not compiler.known.nodes:
        return
    definition, groups = matching_node(compiler)
    if definition is None:
        message = f"Could not find node statement with name 'default' or '{compiler.node}'"
        raise EvaluationError(message)
    entry = Entry("Node", definition.name, compiler.top)
    entry.kind = "unknown"
    entry.definition = definition
    compiler.entries[("Node", definition.name)] = entry
    compiler.tags.update(entry.tags)
    compiler.edges[compiler.entries[("Class", "main")], entry] = None
    classes.evaluate(compiler, entry, groups)


def matching_node(compiler: Compiler) -> tuple[Definition | None, Groups]:
    """Return the block for the node: by name, then by regular expression, then the default.

    With it come the groups of the regular expression.
    """
    name = compiler.node.lower()
    named = {definition.name: definition for definition in reversed(compiler.known.nodes)}
    if name in named:
        return named[name], ()
    for definition in compiler.known.nodes:
        pattern = getattr(definition.match, "pattern", None)
        match = compiled(pattern).search(name) if pattern is not None else None
        if match is not None:
            return definition, (match[0], *match.groups())
    return named.get("default"), ()


def node_classes(compiler: Compiler) -> None:
    """The classes that an external node classifier gives, evaluated with the definitions."""
    if compiler.classes is None:
        return
    block = next((entry for entry in compiler.entries.values() if entry.type == "Node"), None)
    scope = block.own_scope if block is not None and block.own_scope else compiler.top
    plain = [name for name, given in compiler.classes.items() if not given]
    # Those with parameters come first.
    for names in ([name for name in compiler.classes if name not in plain], plain):
        found = [class_of_node(compiler, name) for name in names]
        for definition in found:
            key = ("Class", capitalize_type(definition.name))
            if names is not plain or key not in compiler.entries:
                given = compiler.classes.get(definition.name) or {}
                rows = [(parameter, value, False) for parameter, value in given.items()]
                classes.add_class(
                    compiler, definition, rows, scope, None, None, resource_like=False
                )


def class_of_node(compiler: Compiler, name: str) -> Definition:
    """Return the definition of a class that a classifier gives.

    Raises:
        EvaluationError: there is none.
    """
    found = compiler.known.find("class", name)
    if found is None:
        raise EvaluationError(f"Could not find class {name} for {compiler.node}")
    return found
