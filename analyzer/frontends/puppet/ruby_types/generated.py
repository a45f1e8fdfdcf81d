"""Types of resources as `puppet generate types` writes them: Puppet code in place of the Ruby.

Where an environment has such a file Puppet asks no module for the type, and knows no attribute but
those of the file (Puppet::Pops::Loader::Runtime3TypeLoader, Puppet::Pops::Resource).
"""

from __future__ import annotations

import os
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.ruby_types.reader import names_in
from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType, TitlePattern
from analyzer.frontends.puppet.syntax import ast as a

FOLDER = ".resource_types"
TYPE, ATTRIBUTE = "Puppet::Resource::ResourceType3", "Puppet::Resource::Param"


# The name of an attribute, and whether it is one of the keys.
Attribute = tuple[str, bool]


class Computed(Exception):
    """An argument would have to be evaluated."""


def generated_files(environment: str | None) -> dict[str, str]:
    """Return the files of an environment's folder by the types that they are about."""
    folder = os.path.join(environment, FOLDER) if environment else ""
    names = names_in(folder) if folder else []
    return {n.removesuffix(".pp"): os.path.join(folder, n) for n in names if n.endswith(".pp")}


def read_generated(name: str, path: str, program: a.Program) -> RubyType:
    """Return the type that such a file declares.

    Raises:
        EvaluationError: it declares none, or another one.
    """
    source = f"The code loaded from {path}"
    call = program.body
    if not (isinstance(call, a.CallMethodExpression) and is_constructor(call.functor_expr)):
        problem = f"does not create the resource type '{name}' - no call to {TYPE}.new found."
        raise EvaluationError(f"{source} {problem}")
    try:
        made, *rest = [value_of(one) for one in call.arguments]
        found = declared(str(made), *rest[:4])
    except (Computed, TypeError, ValueError):
        reason = "its file is not as `puppet generate types` writes it"
        return RubyType(name, titles=None, open=reason, unsure=reason)
    if made != name:
        problem = f"produced resource type with the wrong name, expected '{name}', actual '{made}'"
        raise EvaluationError(f"{source} {problem}")
    return found


def declared(
    name: str,
    properties: list[Attribute],
    parameters: list[Attribute],
    titles: dict[str, list[str]],
    isomorphic: bool = True,
) -> RubyType:
    """Return the type that the arguments of the constructor declare."""
    return RubyType(
        name,
        frozenset(attribute for attribute, _ in parameters),
        frozenset(attribute for attribute, _ in properties),
        tuple(attribute for attribute, is_key in (*properties, *parameters) if is_key),
        tuple(TitlePattern(pattern, tuple(names)) for pattern, names in titles.items()),
        isomorphic,
    )


def is_constructor(functor: object) -> bool:
    """Return whether the function of a call makes a type."""
    return (
        isinstance(functor, a.NamedAccessExpression)
        and getattr(functor.left_expr, "cased_value", None) == TYPE
        and getattr(functor.right_expr, "value", None) == "new"
    )


def value_of(node: object) -> Any:
    """Return the value of an argument; an attribute is an Attribute.

    Raises:
        Computed: it would have to be evaluated.
    """
    match node:
        case a.LiteralString() | a.LiteralBoolean() | a.QualifiedName():
            return node.value
        case a.LiteralUndef():
            return None
        case a.LiteralRegularExpression():
            return node.pattern
        case a.LiteralList():
            return [value_of(one) for one in node.values]
        case a.LiteralHash():
            return {value_of(one.key): value_of(one.value) for one in node.entries}
        case a.CallNamedFunctionExpression() if (
            getattr(node.functor_expr, "cased_value", None) == ATTRIBUTE and len(node.arguments) > 1
        ):
            _, name, *is_key = node.arguments
            return value_of(name), bool(is_key) and value_of(is_key[0]) is True
    raise Computed
