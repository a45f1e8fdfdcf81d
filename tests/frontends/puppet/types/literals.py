"""Reads the values of cases: literals, types, `Type.new(...)` and `with(...) |...| {}`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.types.construct.new import new_instance
from analyzer.frontends.puppet.types.mismatches.calls import describe_call
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, TypeReferenceType
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.normalize import normalize
from analyzer.frontends.puppet.types.parsing.parse import Interpreter, find_type
from analyzer.frontends.puppet.types.problems import AccessProblem, MismatchProblem
from analyzer.frontends.puppet.types.signatures import Signature, SignatureParameter, signature_of
from analyzer.frontends.puppet.types.specialize.access import specialize
from analyzer.model.values import DEFAULT, Regexp

ALIASES = Path(__file__).with_name("aliases.txt")


@cache
def aliases() -> dict[str, TypeAliasType]:
    """The aliases of the file, which may use each other."""
    lines = [line for line in ALIASES.read_text().splitlines() if line.startswith("type ")]
    pairs = [line.removeprefix("type ").split(" = ", 1) for line in lines]
    made = {name.lower(): TypeAliasType(name) for name, _ in pairs}
    for name, text in pairs:
        node = parse(text).body
        target = Interpreter(text, lambda x: made.get(x.lower())).type(node)
        made[name.lower()].resolve(normalize(target))
    return made


def known(name: str) -> Type | None:
    """An alias of the file."""
    return aliases().get(name.lower())


def value_of(text: str) -> Any:
    """The value of an expression."""
    return _value(parse(text).body, text)


def _named(name: str) -> Type:
    found = find_type(name, known)
    if found is None or isinstance(found, TypeReferenceType):
        shown = found.type_string if isinstance(found, TypeReferenceType) else name
        raise AccessProblem("UNKNOWN_RESOURCE_TYPE", f"Resource type not found: {shown}")
    return found


def _value(node: Any, text: str) -> Any:
    if isinstance(node, ast.LiteralList):
        return [_value(each, text) for each in node.values]
    if isinstance(node, ast.LiteralHash):
        return {_hashable(_value(x.key, text)): _value(x.value, text) for x in node.entries}
    if isinstance(node, ast.UnaryMinusExpression):
        return -_value(node.expr, text)
    if isinstance(node, ast.LiteralUndef | ast.LiteralDefault | ast.LiteralRegularExpression):
        return _plain(node)
    if isinstance(node, ast.QualifiedReference):
        return _named(node.cased_value)
    if isinstance(node, ast.AccessExpression):
        keys = [_value(key, text) for key in node.keys]
        return specialize(_value(node.left_expr, text), keys)
    if isinstance(node, ast.CallMethodExpression | ast.CallNamedFunctionExpression):
        return _call(node, text)
    return node.value


def _plain(node: Any) -> Any:
    if isinstance(node, ast.LiteralRegularExpression):
        return Regexp(node.pattern)
    return None if isinstance(node, ast.LiteralUndef) else DEFAULT


def _hashable(key: Any) -> Any:
    return tuple(map(_hashable, key)) if isinstance(key, list) else key


def _call(node: Any, text: str) -> Any:
    arguments = [_value(each, text) for each in node.arguments]
    functor = node.functor_expr
    if isinstance(functor, ast.NamedAccessExpression):
        return new_instance(_value(functor.left_expr, text), arguments)
    if isinstance(functor, ast.QualifiedName) and functor.value == "strftime":
        return arguments[0].format(*arguments[1:])
    if isinstance(functor, ast.QualifiedReference):
        return new_instance(_value(functor, text), arguments)
    signature = lambda_signature(node.lambda_, text)
    if not any(each.captures_rest for each in node.lambda_.parameters):
        # A lambda does not look at more arguments than it has parameters.
        arguments = arguments[: len(signature.names)]
    if not signature.accepts(arguments):
        raise MismatchProblem(describe_call("lambda", [signature], arguments))
    return None


def lambda_signature(node: ast.LambdaExpression, text: str) -> Signature:
    """The signature of a lambda."""
    made = []
    for each in node.parameters:
        found = SignatureParameter(each.name).type
        if each.type_expr is not None:
            found = _value(each.type_expr, text)
        made.append(
            SignatureParameter(each.name, found, each.value is not None, each.captures_rest)
        )
    return signature_of(made)
