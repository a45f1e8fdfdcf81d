"""Values that the type of a parameter allows, as its tree says: an example for each way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.frontends.puppet.worlds.expressions import bare, examples_of, literal, with_word
from analyzer.frontends.puppet.worlds.tests import ABSENT, Value

# Values of types without brackets.
PLAIN: dict[str, tuple[Value, ...]] = {
    "boolean": (True, False),
    "undef": (ABSENT,),
    "integer": (1,),
    "numeric": (1,),
    "float": (1.5,),
    "stdlib::port": (80, 443),
    "stdlib::absolutepath": ("/srv/example",),
    "stdlib::unixpath": ("/srv/example",),
    "stdlib::ensure::service": ("running", "stopped"),
    "stdlib::ensure::package": ("present", "absent", "latest"),
    "stdlib::ensure::file": ("present", "absent"),
}

# Values that are tried of a number's range, and of a pattern.
FEW = 2
# Types that are made of each other.
DEEPEST = 8
OF_OTHERS = frozenset({"optional", "variant", "notundef"})


def values_of(node: Any, word: str = "") -> Iterator[Value]:
    """Yield values of a type, with a word in examples of patterns; none for a type of any text."""
    node = bare(node)
    if type(node) is a.QualifiedReference:
        yield from PLAIN.get(node.cased_value.lower().removeprefix("::"), ())
    elif type(node) is a.AccessExpression and type(node.left_expr) is a.QualifiedReference:
        name = node.left_expr.cased_value.lower()
        keys = [bare(key) for key in node.keys]
        if name == "optional":
            yield ABSENT
        if name in {"optional", "variant", "notundef"}:
            yield from (value for key in keys for value in values_of(key, word))
            if name == "optional" and keys and isinstance(literal(keys[0]), str):
                yield literal(keys[0])
        elif name in {"enum", "boolean"} or name in {"integer", "numeric", "float"}:
            yield from (v for key in keys if (v := literal(key)) is not None)
        elif name == "pattern":
            for key in keys:
                if type(key) is a.LiteralRegularExpression:
                    found = examples_of(key.pattern)[:FEW]
                    yield from (with_word(one, word, key.pattern) for one in found)


def listed_values(node: Any, known: DefinitionTable, depth: int = DEEPEST) -> list[Value] | None:
    """Return all values of a type that lists them, or arrays of one of them; None for others."""
    node = bare(node)
    name = str(getattr(getattr(node, "left_expr", node), "cased_value", "")).lower()
    keys = [bare(key) for key in getattr(node, "keys", ())]
    if depth == 0:
        return None
    if type(node) is a.QualifiedReference:
        alias = alias_in(known, name)
        of_alias = None if alias is None else listed_values(alias.type_expr, known, depth - 1)
        return list(PLAIN[name]) if name in {"boolean", "undef"} else of_alias
    if name in {"enum", "boolean"}:
        return [value for key in keys if (value := literal(key)) is not None]
    inner = [listed_values(key, known, depth - 1) for key in keys]
    if name == "optional" and keys and isinstance(literal(keys[0]), str):
        return [literal(keys[0])]
    if name == "array" and inner and inner[0] is not None:
        return [[value] for value in inner[0]]
    if name not in OF_OTHERS or None in inner:
        return None
    return [value for values in inner for value in values or ()]


def alias_in(known: DefinitionTable, name: str) -> a.TypeAlias | None:
    """Return the alias of a name, None if there is none that can be read."""
    try:
        found = known.find("type", name.removeprefix("::"))
    except ParseError:
        return None
    return found.node if found is not None and isinstance(found.node, a.TypeAlias) else None


def allowed_by(node: Any, values: list[Value]) -> list[Value]:
    """Return the values that a type may have: not none, unless it allows that."""
    values = [value for value in values if may_be(node, value)]
    typed = list(values_of(node))
    if ABSENT not in typed:
        values = [value for value in values if value is not ABSENT]
    typed = [one for one in typed if one is not ABSENT]
    if typed and all(isinstance(one, bool) for one in typed):
        return [v for v in values if isinstance(v, bool) or v is ABSENT]
    if "boolean" not in repr(node).lower():
        values = [value for value in values if not isinstance(value, bool)]
    return values


def may_be(node: Any, value: Value) -> bool:
    """Return whether a value may be of a type; of types of modules any value may be."""
    try:
        return is_instance(parse_type(node), None if value is ABSENT else value)
    except (ParseError, TypeProblem):
        return True


def definition_in(known: DefinitionTable, name: str) -> Definition | None:
    """Return the definition of a class or a defined type, None if its file is no program."""
    try:
        return known.find_class_or_define(name)
    except ParseError:
        return None


def is_nowhere(known: DefinitionTable, ref: str, modules: frozenset[str]) -> bool:
    """Return whether a reference is one to a class of these modules that they do not define.

    Puppet looks for a class in the module that its name begins with.
    """
    name = ref.lower().removeprefix("class[").removesuffix("]").removeprefix("::")
    module = name.partition("::")[0]
    # A class that is compiled from a file may be in no module that Puppet finds.
    if not ref.startswith("Class[") or module not in modules or known.module(module) is None:
        return False
    try:
        return known.find("class", name) is None
    except ParseError:
        return False
