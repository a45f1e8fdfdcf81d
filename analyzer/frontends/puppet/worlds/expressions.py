"""Parts of expressions as the explorer reads them: literals, calls, and values that match them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from analyzer.frontends.puppet.regex.example import examples
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.worlds.tests import ABSENT, ORDERS, Test, Value, is_match

# Examples that are taken of one regular expression.
FEW = 4

# The texts to which a word is added, and a digit for those that allow no word.
SHORT, DIGIT = 24, "2"

# An element of a list that is made up.
LISTED = "example"

# A text that few expressions match.
OTHER = "other"

# Values of the types that a value may be tested for.
OF_TYPE: dict[str, Value] = {
    "array": [], "boolean": True, "float": 1.5, "hash": {}, "integer": 1, "numeric": 1,
    "string": "text", "undef": ABSENT,
}  # fmt: skip

DEFINITIONS = frozenset({
    a.HostClassDefinition, a.ResourceTypeDefinition, a.NodeDefinition, a.FunctionDefinition,
})  # fmt: skip
PLAIN = frozenset({
    a.VariableExpression, a.AccessExpression, a.CallNamedFunctionExpression,
    a.CallMethodExpression, a.ParenthesizedExpression,
})  # fmt: skip


TESTS = (
    a.ComparisonExpression, a.MatchExpression, a.InExpression, a.NotExpression,
)  # fmt: skip
CALLS = frozenset({a.CallNamedFunctionExpression, a.CallMethodExpression})
CHOOSING = frozenset({
    a.AndExpression, a.OrExpression, *TESTS, a.SelectorExpression, a.CaseExpression,
    a.ConcatenatedString, a.LiteralList, *CALLS,
})  # fmt: skip
# Operators as seen from the right.
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
# Calls that give (a part of) their first argument, for which its values are tried as well.
TRANSPARENT = frozenset({
    "downcase", "upcase", "capitalize", "strip", "chomp", "string", "integer", "numeric", "float",
    "boolean", "str2bool", "num2bool", "bool2str", "any2bool", "pick", "pick_default", "empty",
    "size", "length", "member", "has_key", "stdlib::has_interface_with", "defined",
    "regsubst", "split", "split_ref", "any2array", "flatten", "unique", "sort", "keys", "values",
})  # fmt: skip
LITERALS = frozenset({
    a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean, a.LiteralUndef,
    a.QualifiedName, a.LiteralList, a.LiteralHash,
})  # fmt: skip
LOOKUPS = frozenset({"lookup", "hiera", "hiera_array", "hiera_hash"})
# Functions that count, and values for what they count.
COUNTING = frozenset({"size", "length", "empty", "count", "stdlib::length"})
FILLED: tuple[Value, ...] = (["example"], "example", [], ABSENT)
TRUTHS: tuple[Test, ...] = (("is", True), ("is set", None))
EMPTY: tuple[Test, ...] = (("is empty", None),)
# Variables that are assigned others; nodes of an expression with those of its variables.
DEEPEST, LONGEST = 10, 2_000


def called(node: Any) -> tuple[str, list[Any]]:
    """Return the function that a node calls, with its arguments; an empty name if none."""
    if type(node) not in CALLS:
        return "", []
    functor, arguments = node.functor_expr, list(node.arguments)
    if type(node) is a.CallMethodExpression:
        arguments.insert(0, functor.left_expr)
        functor = functor.right_expr
    name = getattr(functor, "cased_value", getattr(functor, "value", ""))
    return str(name).lower(), arguments


def is_zero(node: Any) -> bool:
    """Return whether a node is the number 0."""
    return type(node) is a.LiteralInteger and node.value == 0


def tests_of(operator: str, option: Any) -> tuple[Test, ...]:
    """Return the test that a comparison, or an option of a `case`, makes of an input."""
    value = literal(option)
    if type(option) is a.LiteralRegularExpression:
        return (("matches", option.pattern),)
    if type(option) is a.QualifiedReference and option.cased_value.lower() in OF_TYPE:
        return (("is a", option.cased_value.lower()),)
    if value is None:
        return ()
    return ((operator if operator in ORDERS else "is", value),)


def children(node: Any) -> Iterator[Any]:
    """Yield the nodes right below a node."""
    for part in node[2:]:
        if not isinstance(part, tuple):
            continue
        if hasattr(part, "offset"):
            yield part
        else:
            yield from (one for one in part if isinstance(one, tuple))


def bare(node: Any) -> Any:
    """Return a node without the parentheses and text marks around it."""
    while type(node) in {a.ParenthesizedExpression, a.TextExpression}:
        node = node.expr
    return node


def variable(node: Any) -> str | None:
    """Return the name of a variable, None if the node is none."""
    if type(node) is not a.VariableExpression:
        return None
    value = getattr(node.expr, "value", None)
    return value if isinstance(value, str) else None


def literal(node: Any) -> Value | None:
    """Return the value of a literal, None if the node is none."""
    if type(node) in {a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean}:
        return node.value
    return node.value if type(node) is a.QualifiedName else None


def candidates(option: Any, word: str = "") -> Iterator[Value]:
    """Yield values that an option matches, and one next to each that it may not.

    `word` is put into the examples of a pattern, so that inputs have different ones.
    """
    kind = type(option)
    value = literal(option)
    if kind is a.LiteralUndef:
        yield from (ABSENT, OTHER)
    elif kind is a.LiteralRegularExpression:
        yield from (with_word(one, word, option.pattern) for one in examples_of(option.pattern))
        if not is_match(option.pattern, OTHER):
            yield OTHER
    elif kind is a.LiteralList:
        yield from (one for item in option.values for one in candidates(bare(item), word))
    elif kind is a.QualifiedReference:
        yield from (v for n, v in OF_TYPE.items() if n == option.cased_value.lower())
    elif isinstance(value, bool):
        yield from (value, not value)
    elif isinstance(value, int | float):
        yield from (value, value - 1, value + 1)
    elif isinstance(value, str):
        yield from (value, *neighbours_of(value))


def neighbours_of(text: str) -> tuple[str, ...]:
    """Return texts next to one: a text for none, and the numbers around one."""
    if text.isdigit():
        return str(int(text) - 1), str(int(text) + 1)
    return () if text else (OTHER,)


def examples_of(pattern: str) -> list[str]:
    """Return a few texts that a regular expression matches."""
    return list(islice(examples(pattern), FEW))


def with_word(text: str, word: str, pattern: str) -> str:
    """Return a text with a word or a digit if a regular expression allows it, else the text.

    Long texts that almost match may take very long.
    """
    made = (text + word, word + text, text + DIGIT) if word and len(text) < SHORT else ()
    return next((one for one in made if is_match(pattern, one)), text)


def parts_of(node: Any) -> list[Any] | None:
    """Return the parts of a text with values in it: texts, and the nodes between them."""
    if type(node) is not a.ConcatenatedString:
        return None
    return [
        part.value if type(part) is a.LiteralString else getattr(part, "expr", part)
        for part in node.segments
    ]


# The pattern of a text that is nothing but a value.
WHOLE = "(.*?)"
# The most values in a text for which a pattern is made: matching takes time with each of them.
MOST_PARTS = 2


def pattern_of(parts: Sequence[Any], wanted: Any) -> str:
    """Return a regular expression for a text of parts, with a group for the wanted one."""
    import re

    if sum(not isinstance(part, str) for part in parts) > MOST_PARTS:
        return WHOLE
    return "".join(
        WHOLE if part is wanted else re.escape(part) if isinstance(part, str) else ".*?"
        for part in parts
    )


def solved(template: list[Any], wanted: str) -> Iterator[tuple[Any, str]]:
    """Yield a value for each part of a text with which the whole is as wanted."""
    import re

    pattern = "".join(re.escape(part) if isinstance(part, str) else "(.*?)" for part in template)
    match = re.fullmatch(pattern, wanted, re.DOTALL)
    nodes = [part for part in template if not isinstance(part, str)]
    if match is not None:
        yield from zip(nodes, match.groups(), strict=True)


def distinct(values: Iterable[Value]) -> list[Value]:
    """Return values without those that came before; `1` and `true` are two."""
    found: dict[str, Value] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return list(found.values())


def listed(values: Iterable[Value]) -> Iterator[Value]:
    """Yield values for what a loop goes through: a list in place of a text, or of true.

    Puppet goes through a text by its characters, which nobody means.
    """
    for value in values:
        yield [LISTED] if value is True else [value] if value and type(value) is str else value
