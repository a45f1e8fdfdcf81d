"""From a text or a tree to a type (Puppet's TypeParser)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, TypeReferenceType
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.builtin import DEFINED, TYPES
from analyzer.frontends.puppet.types.model.catalog import ResourceType
from analyzer.frontends.puppet.types.model.objects import ObjectType
from analyzer.frontends.puppet.types.normalize import normalize
from analyzer.frontends.puppet.types.parsing.build import BUILDERS, Request
from analyzer.frontends.puppet.types.parsing.objects import object_of, parameterized
from analyzer.frontends.puppet.types.parsing.type_sets import (
    object_description,
    type_set,
    within_set,
)
from analyzer.frontends.puppet.types.problems import InvalidType
from analyzer.model.values import DEFAULT, Regexp, Value

# Finds what a module or the environment defines: an alias, an Object, a type of resource.
Resolver = Callable[[str], Type | None]


def resolve_nothing(name: str) -> Type | None:
    """Return None: a resolver without types."""
    return None


def parse_type(
    found: str | ast.Node, resolver: Resolver = resolve_nothing, source: str | None = None
) -> Type:
    """Return the type of a text or a tree; `source` is the text of the tree, for messages.

    Raises:
        InvalidType: it is no type.
        ParseError: it is no Puppet text at all.
    """
    if isinstance(found, str):
        return _parsed(found) if resolver is resolve_nothing else _read(found, resolver)
    return Interpreter(source or "", resolver).type(found)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Type:
    return _read(text, resolve_nothing)


def _read(text: str, resolver: Resolver) -> Type:
    from analyzer.frontends.puppet.syntax.parsing.parser import parse

    return Interpreter(text, resolver).type(parse(text).body)


def find_type(name: str, resolver: Resolver = resolve_nothing) -> Type | None:
    """Return the type of a name, in any case; None if it is not defined."""
    low = name.lower().removeprefix("::")
    return TYPES.get(low) or DEFINED.get(low) or resolver(name)


def alias(
    name: str,
    found: str | ast.Node,
    resolver: Resolver = resolve_nothing,
    source: str | None = None,
    made: TypeAliasType | None = None,
) -> TypeAliasType:
    """Return the alias that `type Name = found` defines; it may name itself.

    `made` is the alias to give its meaning to, where others may name it meanwhile.

    Raises:
        InvalidType: it is no type.
    """
    made = (made or TypeAliasType(name)).begin()

    def with_itself(wanted: str) -> Type | None:
        return made if wanted.lower() == name.lower() else resolver(wanted)

    try:
        if isinstance(found, str):
            return made.resolve(normalize(parse_type(found, with_itself)))
        target = Interpreter(source or "", with_itself, name, found).type(found)
        return made.resolve(normalize(target))
    except BaseException:
        made.give_up()
        raise


def _text_of(node: ast.Node, source: str) -> str:
    """Return the text of a tree: from its first character to its last."""
    nodes = list(_nodes(node))
    start = min(each.offset for each in nodes)
    return source[start : max(each.offset + each.length for each in nodes)]


def _nodes(node: Node) -> Iterator[ast.Node]:
    if hasattr(node, "offset"):
        yield node
    if isinstance(node, tuple):
        for each in node:
            yield from _nodes(each)


class Interpreter:
    """Makes types of the trees of one text."""

    def __init__(
        self,
        source: str,
        resolver: Resolver,
        name: str | None = None,
        named: ast.Node | None = None,
    ) -> None:
        self.source = source
        self.resolver = resolver
        # An Object has the name of the alias whose whole meaning it is.
        self.name = name
        self.named = named

    def type(self, node: ast.Node) -> Type:
        """Return the type of a tree.

        Raises:
            InvalidType: it is none.
        """
        found = self.any(node)
        if type(found) is dict and node is self.named:
            return object_of(found, self.name)
        if not isinstance(found, Type):
            raise self.invalid(node)
        return found

    def any(self, node: Any) -> Any:
        """Return the type or the value of a tree."""
        read = _READ.get(type(node))
        if read is None:
            raise self.invalid(node)
        return read(self, node)

    def text(self, node: ast.Node) -> str:
        """Return the text of a tree."""
        return _text_of(node, self.source)

    def invalid(self, node: ast.Node) -> InvalidType:
        """Return the error of a tree that is no type."""
        return InvalidType(f"The expression <{self.text(node)}> is not a valid type specification.")

    def reference(self, node: ast.QualifiedReference) -> Type:
        """Return the type of a name; a reference if it is not defined."""
        name = node.cased_value
        return find_type(name, self.resolver) or TypeReferenceType(name)

    def access(self, node: ast.AccessExpression) -> Type:
        """Return the type of a name with parameters."""
        left = node.left_expr
        if self.named is node and _is_type_set(left):
            return self.type_set(node)
        parameters = [self.any(key) for key in node.keys]
        if not isinstance(left, ast.QualifiedReference):
            raise self.invalid(node)
        name = left.cased_value
        build = BUILDERS.get(name.lower())
        if build is not None:
            # The text of a tree is far to find: only for an error.
            wrong = partial(self.invalid, node), partial(self.unparameterized, left)
            request = Request(parameters, *wrong)
            request.name = self.name if node is self.named else None
            return build(request)
        found = find_type(name, self.resolver)
        if found is None:
            return TypeReferenceType(self.text(node))
        if isinstance(found, ResourceType):
            if len(parameters) != 1:
                raise Request(parameters).count_problem(name, "1")
            return ResourceType(found.type_name, parameters[0])
        if isinstance(found, ObjectType):
            return parameterized(found, parameters)
        raise self.unparameterized(left)

    def type_set(self, node: ast.AccessExpression) -> Type:
        """Return the TypeSet of a name: its types may name each other without it.

        Raises:
            InvalidType: one of them is no type.
        """
        assert self.name is not None
        types: dict[str, Type] = {}
        waiting: dict[str, ast.Node] = {}

        def define(name: str) -> None:
            full, tree = f"{self.name}::{name}", object_description(waiting.pop(name))
            made = types[name] = TypeAliasType(full)
            alias(full, tree, resolver, self.source, made)
            types[name] = made.resolved if made.resolved.name == full else made

        def resolver(wanted: str) -> Type | None:
            for name in [each for each in waiting if each.lower() == wanted.lower()]:
                define(name)
            return within_set(types, wanted) or self.resolver(wanted)

        described: dict[Any, Any] = {}
        for entry in getattr(node.keys[0], "entries", ()) if node.keys else ():
            key = self.any(entry.key)
            listed = key == "types" and isinstance(entry.value, ast.LiteralHash)
            described[key] = types if listed else self.any(entry.value)
            for each in entry.value.entries if listed else ():
                waiting[_cased(each.key) or self.any(each.key)] = each.value
        while waiting:
            define(next(iter(waiting)))
        return type_set(described, self.name)

    def unparameterized(self, node: ast.Node) -> InvalidType:
        """Return the error of a name that takes no parameters."""
        return InvalidType(f"Not a parameterized type <{self.text(node)}>")

    def hash(self, node: ast.LiteralHash) -> dict[Value, Value]:
        """Return a hash of types and values."""
        return {self.any(each.key): self.any(each.value) for each in node.entries}


def _cased(node: ast.Node) -> str | None:
    return node.cased_value if isinstance(node, ast.QualifiedReference) else None


def _is_type_set(node: ast.Node) -> bool:
    return (_cased(node) or "").lower() == "typeset"


_READ: dict[type, Callable[[Interpreter, Any], Any]] = {
    ast.AccessExpression: Interpreter.access,
    ast.HeredocExpression: lambda self, node: self.any(node.text_expr),
    ast.LiteralBoolean: lambda self, node: node.value,
    ast.LiteralDefault: lambda self, node: DEFAULT,
    ast.LiteralFloat: lambda self, node: node.value,
    ast.LiteralHash: Interpreter.hash,
    ast.LiteralInteger: lambda self, node: node.value,
    ast.LiteralList: lambda self, node: [self.any(each) for each in node.values],
    ast.LiteralRegularExpression: lambda self, node: Regexp(node.pattern),
    ast.LiteralString: lambda self, node: node.value,
    ast.LiteralUndef: lambda self, node: None,
    ast.Program: lambda self, node: self.any(node.body),
    ast.QualifiedName: lambda self, node: node.value,
    ast.QualifiedReference: Interpreter.reference,
    ast.UnaryMinusExpression: lambda self, node: -self.any(node.expr),
}
