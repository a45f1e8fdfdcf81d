"""The types of resources that a part of a manifest may declare, whichever way its code goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS
from analyzer.frontends.puppet.compiler.definitions import origins
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.validate.walk import nodes

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.declared.compilation import Compilation

# What stands for all types: nobody can tell which one it will be.
ANY = "any type"

# What declares, relates or collects resources.
DECLARATIONS = frozenset(
    (
        a.CollectExpression,
        a.RelationshipExpression,
        a.ResourceDefaultsExpression,
        a.ResourceExpression,
        a.ResourceOverrideExpression,
    )
)

# Functions that declare classes; that declare resources of the type that they are given first.
CLASSES = frozenset({"contain", "include", "require"})
OF_TYPE = frozenset({"create_resources", "ensure_resource", "ensure_resources"})

# Functions that declare, relate or make real; `tag` decides what collectors find, and after those
# that leave a body nothing that follows is certain, least of all a function's value.
DECLARING = (
    CLASSES
    | OF_TYPE
    | {
        "break",
        "ensure_packages",
        "hiera_include",
        "next",
        "realize",
        "return",
        "stdlib::ensure_packages",
        "tag",
    }
)

# Attributes that change what is related to what, and by which name.
RELATING = frozenset({*RELATIONSHIPS, "alias"})


def called_by(node: Any) -> str | None:
    """Return the name of the function that a node calls."""
    kind = type(node)
    if kind is a.CallNamedFunctionExpression and type(node.functor_expr) is a.QualifiedName:
        return str(node.functor_expr.value).removeprefix("::")
    return str(node.functor_expr.right_expr.value) if kind is a.CallMethodExpression else None


def is_statement_call(node: Any) -> bool:
    """Return whether a call may stand for what it does; the tree does not tell of `a.b` forms."""
    return type(node) is not a.CallNamedFunctionExpression or not node.rval_required


def may_declare(node: Node | None, compilation: Compilation) -> bool:
    """Return whether a part of a manifest may declare or relate resources when it is evaluated."""
    return any(declares(one, compilation, frozenset()) for one in nodes(node))


def declares(node: Node, compilation: Compilation, within: frozenset[str]) -> bool:
    """Return whether one node does; `within` are the functions whose bodies it is part of."""
    if type(node) in DECLARATIONS:
        return True
    name = called_by(node)
    if name is None or name in compilation.inputs.stubs.functions:
        return False
    if name in DECLARING:
        return True
    if origins.owner_of({}, name) is not None or name in within:
        return False
    defined = compilation.definitions.find("function", name)
    if defined is not None:
        inner = within | {name}
        return any(declares(one, compilation, inner) for one in nodes(defined.node.body))
    return (
        is_statement_call(node)
        and compilation.definitions.ruby_functions.folder_of(name) is not None
    )


def may_declare_type(nodes: Iterable[Node], compilation: Compilation, type_name: str) -> bool:
    """Return whether parts of a manifest may declare a resource of a type.

    What they declare in turn counts, and so does what changes relationships by an override.
    """
    wanted = {ANY, type_name.lower()}
    types = Types(compilation)
    try:
        return any(one in wanted for node in nodes for one in types.of(node))
    except (CompileError, EvaluationError, ParseError):
        # A file of what they declare cannot be read.
        return True


def may_declare_class(nodes_: Iterable[Node], name: str) -> bool:
    """Return whether parts of a manifest, or titles, may themselves declare a class of a name."""
    return any(may_be_named(title, name) for part in nodes_ for title in titles_of_classes(part))


def titles_of_classes(part: Node) -> Iterator[object]:
    """Yield the titles of classes that a part of a manifest declares; a title is one."""
    yield part
    for node in nodes(part):
        if isinstance(node, a.ResourceExpression) and named(node.type_name) == "class":
            yield from (body.title for body in node.bodies)
        elif isinstance(node, a.CallNamedFunctionExpression) and called_by(node) in CLASSES:
            yield from node.arguments


def may_be_named(title: object, name: str) -> bool:
    """Return whether a title is a name, or a text that begins as it does."""
    if isinstance(title, a.ConcatenatedString):
        start = named(title.segments[0])
        return start not in (ANY, "") and name.startswith(start)
    return named(title) == name


class Types:
    """Finds the types of what parts of a manifest may declare; each definition is entered once."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.definitions = compilation.definitions
        self.entered: set[tuple[str, str]] = set()

    def of(self, part: Node | None) -> Iterator[str]:
        """Yield the types that a part may declare, in small letters."""
        for node in nodes(part):
            if isinstance(node, a.ResourceExpression):
                yield from self.of_resource(node)
            elif isinstance(node, a.CollectExpression):
                yield from self.of_type(named(node.type_expr))
                yield from self.of_change(named(node.type_expr), node.operations)
            elif isinstance(node, a.ResourceOverrideExpression):
                of = getattr(node.resources, "left_expr", None)
                yield from self.of_change(named(of), node.operations)
            elif isinstance(node, a.ResourceDefaultsExpression):
                yield from self.of_change(named(node.type_ref), node.operations)
            elif type(node) not in DECLARATIONS and declares(node, self.compilation, frozenset()):
                yield from self.of_call(node)

    def of_resource(self, node: a.ResourceExpression) -> Iterator[str]:
        """Yield the types of a resource expression."""
        name = named(node.type_name)
        if name != "class":
            yield from self.of_type(name)
            return
        for body in node.bodies:
            yield from self.of_class(named(body.title))

    def of_type(self, name: str) -> Iterator[str]:
        """Yield a type; of a define, those of its body too."""
        yield name
        if not self.definitions.has_ruby_type(name, certainly=True):
            yield from self.of_definition("define", name)

    def of_class(self, name: str) -> Iterator[str]:
        """Yield the types of a class and of the one that it inherits."""
        yield "class"
        yield from self.of_definition("class", name)

    def of_definition(self, kind: str, name: str) -> Iterator[str]:
        """Yield the types of the body of a class or define."""
        if (kind, name) in self.entered:
            return
        self.entered.add((kind, name))
        found = self.definitions.find(kind, name) if name != ANY else None
        if found is None or found.missing:
            yield ANY
            return
        yield from self.of(found.node.body)
        parent = getattr(found.node, "parent_class", None)
        if parent is not None:
            yield from self.of_class(parent.lower().removeprefix("::"))

    def of_change(self, name: str, operations: Iterable[Any]) -> Iterator[str]:
        """Yield the types that attributes for resources of a type may lead to."""
        names = [getattr(one, "attribute_name", "alias") for one in operations]
        if not names:
            return
        if name == "class" or not RELATING.isdisjoint(names):
            yield ANY
        elif not self.definitions.has_ruby_type(name, certainly=True):
            yield from self.of_definition("define", name)

    def of_call(self, node: Any) -> Iterator[str]:
        """Yield the types that a call of a function that declares leads to."""
        name = called_by(node) or ""
        defined = None if name in DECLARING else self.definitions.find("function", name)
        arguments = [named(one) for one in getattr(node, "arguments", ())]
        if type(node) is a.CallMethodExpression:
            arguments = []
        if defined is not None:
            if ("function", name) not in self.entered:
                self.entered.add(("function", name))
                yield from self.of(defined.node.body)
        elif name in CLASSES and arguments:
            for one in arguments:
                yield from self.of_class(one)
        elif name in OF_TYPE and arguments and arguments[0] != "class":
            yield from self.of_type(arguments[0])
        elif name.endswith("ensure_packages"):
            yield "package"
        else:
            yield ANY


def named(node: object) -> str:
    """Return the type or class that a node names, in small letters; `ANY` if it is not literal."""
    if isinstance(node, a.LiteralString | a.QualifiedName):
        return node.value.lower().removeprefix("::")
    if isinstance(node, a.QualifiedReference):
        return node.cased_value.lower().removeprefix("::")
    return ANY
