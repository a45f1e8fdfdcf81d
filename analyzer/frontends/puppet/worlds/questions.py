"""The questions that code asks of its inputs, read from the tree: which input, which values.

An input is named `facts.os.family`, `trusted.extensions.pp_role`, `app::purge` (a parameter of a
class) or `role` (a variable of the top scope). A question stands at a construct that chooses
between arms; its values are those that the code compares with, and neighbours of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.node.legacy_facts import MOVED
from analyzer.frontends.puppet.regex.example import examples
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.worlds.tests import ORDERS, Test, Value


class Absent:
    """The value of an input that is not there."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = Absent()

# Examples that are taken of one regular expression.
FEW = 4

# Values of the types that a value may be tested for.
OF_TYPE: dict[str, Value] = {
    "array": [], "boolean": True, "float": 1.5, "hash": {}, "integer": 1, "numeric": 1,
    "string": "text", "undef": ABSENT,
}  # fmt: skip

# Calls that give (a part of) their first argument, for which its values are tried as well.
TRANSPARENT = frozenset({
    "downcase", "upcase", "capitalize", "strip", "chomp", "string", "integer", "numeric", "float",
    "boolean", "str2bool", "num2bool", "bool2str", "any2bool", "pick", "pick_default", "empty",
    "size", "length", "member", "has_key", "stdlib::has_interface_with", "defined",
    "regsubst", "split", "split_ref", "any2array", "flatten", "unique", "sort", "keys", "values",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """An input that a construct's choice depends on, with values that may lead to its arms.

    `offset` is that of the construct: `if`, `unless`, `case`, a selector, or an operator within.
    `tests` are those that the code makes of the input itself.
    """

    input: str
    values: tuple[Value, ...]
    offset: int
    tests: tuple[Test, ...] = ()


def questions_in(program: a.Program) -> Iterator[Question]:
    """Yield the questions of a program in the order of its text."""
    yield from Asker({}).asked(program.body)


class Asker:
    """Walks a definition; `names` are the inputs that its variables stand for.

    Others stand for the expressions that they are assigned.
    """

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.bound: dict[str, Any] = {}

    def asked(self, node: Any) -> Iterator[Question]:
        """Yield the questions of a node and of all below it."""
        pending = [node]
        while pending:
            one = pending.pop()
            if type(one) in DEFINITIONS:
                yield from self.inside(one)
                continue
            if type(one) is a.AssignmentExpression:
                self.assign(one)
            elif type(one) is a.LambdaExpression:
                self.names.update({parameter.name: "" for parameter in one.parameters})
            yield from self.of_construct(one)
            pending += reversed(list(children(one)))

    def inside(self, definition: Any) -> Iterator[Question]:
        """Yield the questions of a class, define, node or function."""
        name = str(getattr(definition, "name", "")).lower()
        is_class = type(definition) is a.HostClassDefinition
        own = {p.name: f"{name}::{p.name}" for p in getattr(definition, "parameters", ())}
        inner = Asker(own if is_class else dict.fromkeys(own, ""))
        for parameter in getattr(definition, "parameters", ()):
            if parameter.value is not None:
                yield from inner.asked(parameter.value)
        if definition.body is not None:
            yield from inner.asked(definition.body)

    def assign(self, node: a.AssignmentExpression) -> None:
        """Remember what a variable of this scope stands for."""
        name = variable(node.left_expr)
        if name and "::" not in name:
            found = next(self.inputs(node.right_expr), "")
            plain = type(node.right_expr) in PLAIN
            self.names[name] = found if plain else ""
            if type(bare(node.right_expr)) in CHOOSING:
                self.bound[name] = bare(node.right_expr)

    def resolved(self, node: Any) -> Any:
        """Return a node, in place of a variable the expression that it was assigned."""
        node = bare(node)
        for _ in range(DEEPEST):
            found = self.bound.get(variable(node) or "")
            if found is None:
                break
            node = found
        return node

    def of_construct(self, node: Any) -> Iterator[Question]:
        """Yield the questions of one construct that chooses."""
        kind = type(node)
        if kind in {a.IfExpression, a.UnlessExpression}:
            yield from self.truths(node.test, node.offset)
        elif kind is a.CaseExpression:
            matched = [value for option in node.options for value in option.values]
            yield from self.matches(node.test, matched, node.offset)
        elif kind is a.SelectorExpression:
            matched = [entry.matching_expr for entry in node.selectors]
            yield from self.matches(node.left_expr, matched, node.offset)
        elif kind in {a.AndExpression, a.OrExpression}:
            yield from self.truths(node.left_expr, node.offset)
            yield from self.truths(node.right_expr, node.offset)

    def truths(self, test: Any, offset: int) -> Iterator[Question]:
        """Yield the questions of a test that is true or false."""
        test = self.resolved(test)
        kind = type(test)
        if kind is a.SelectorExpression:
            matched = [entry.matching_expr for entry in test.selectors]
            yield from self.matches(test.left_expr, matched, offset)
        elif kind is a.CaseExpression:
            matched = [value for option in test.options for value in option.values]
            yield from self.matches(test.test, matched, offset)
        elif kind in {a.AndExpression, a.OrExpression}:
            yield from self.truths(test.left_expr, offset)
            yield from self.truths(test.right_expr, offset)
        elif kind is a.NotExpression:
            yield from self.truths(test.expr, offset)
        elif kind is a.ComparisonExpression:
            yield from self.compared(test, offset)
        elif kind is a.MatchExpression:
            yield from self.matches(test.left_expr, [test.right_expr], offset)
        elif kind is a.InExpression:
            right = bare(test.right_expr)
            right = self.resolved(right)
            listed = list(right.values) if type(right) is a.LiteralList else []
            words = tuple(v for one in listed if (v := literal(bare(one))) is not None)
            tests = (("is one of", words),) if words else ()
            yield from self.matches(test.left_expr, listed, offset, tests)
            left = literal(bare(test.left_expr))
            for name in self.inputs(right):
                contained = () if left is None else ([left], {left: True}, str(left))
                yield Question(name, (*contained, [], ABSENT), offset)
        else:
            for name in self.inputs(test):
                yield Question(name, (True, False, ABSENT, *self.filled(test)), offset)

    def filled(self, test: Any) -> tuple[Value, ...]:
        """Return values with something in them, for a test that asks whether there is."""
        return FILLED if called(test)[0] in COUNTING else ()

    def compared(self, test: a.ComparisonExpression, offset: int) -> Iterator[Question]:
        """Yield the questions of a comparison, whichever side the input is on."""
        sides = (test.left_expr, test.right_expr, test.operator)
        for side, other, operator in (sides, (*sides[1::-1], MIRRORED[test.operator])):
            name, arguments = called(self.resolved(side))
            if len(arguments) == 2 and name == "versioncmp":
                tests = tests_of(operator, bare(arguments[1])) if is_zero(bare(other)) else ()
                yield from self.matches(arguments[0], [arguments[1]], offset, tests)
            elif name in COUNTING:
                for one in self.inputs(arguments[0] if arguments else None):
                    yield Question(one, FILLED, offset)
            else:
                tests = tests_of(operator, bare(other)) if self.is_itself(side) else ()
                yield from self.matches(side, [other], offset, tests)

    def is_itself(self, node: Any) -> bool:
        """Return whether an expression is an input, or its number."""
        node = bare(node)
        name, arguments = called(node)
        if name in {"integer", "numeric", "float"} and len(arguments) == 1:
            return self.is_itself(arguments[0])
        return type(node) in {a.VariableExpression, a.AccessExpression}

    def matches(
        self, test: Any, options: Iterable[Any], offset: int, tests: tuple[Test, ...] = ()
    ) -> Iterator[Question]:
        """Yield the questions of a value that is matched against options."""
        test = self.resolved(test)
        template = parts_of(test)
        options = [bare(option) for option in options]
        if template is not None:
            yield from self.templated(template, options, offset)
            return
        if type(test) in {a.AndExpression, a.OrExpression, *TESTS}:
            yield from self.truths(test, offset)
            return
        tests += tuple(t for option in options for t in tests_of("", option))
        values = [value for option in options for value in candidates(option)]
        for name in self.inputs(test):
            yield Question(name, (*distinct(values), ABSENT), offset, tests)

    def templated(self, template: list[Any], options: list[Any], offset: int) -> Iterator[Question]:
        """Yield the questions of `"${os}-${major}"`: each option is solved for its parts."""
        for option in options:
            wanted = literal(option)
            if not isinstance(wanted, str):
                continue
            for part, value in solved(template, wanted):
                for name in self.inputs(part):
                    yield Question(name, (value, ABSENT), offset)

    def inputs(self, node: Any) -> Iterator[str]:
        """Yield the inputs that a value is, or is made of by calls that show what is in them."""
        node = self.resolved(node)
        kind = type(node)
        if kind in {a.VariableExpression, a.AccessExpression}:
            name = self.input_of(node)
            if name:
                yield name
        elif kind is a.CallNamedFunctionExpression or kind is a.CallMethodExpression:
            yield from self.of_call(node)
        elif kind is a.ConcatenatedString:
            for part in node.segments:
                yield from self.inputs(getattr(part, "expr", None))

    def of_call(self, node: Any) -> Iterator[str]:
        """Yield the inputs of a call: those of its first argument, or those that it looks up."""
        name, arguments = called(node)
        words = [literal(bare(argument)) for argument in arguments]
        if name in {"fact", "getvar"} and words and isinstance(words[0], str):
            yield named(words[0] if name == "getvar" else f"facts.{words[0]}")
        elif name in {"dig", "get"} and arguments:
            found = self.input_of(bare(arguments[0]))
            steps = [str(word) for word in words[1:] if word is not None]
            if found and len(steps) == len(words) - 1:
                yield ".".join([found, *steps])
        elif name in TRANSPARENT:
            for argument in arguments[:1]:
                yield from self.inputs(argument)

    def input_of(self, node: Any) -> str:
        """Return the input that a variable or a part of one is, empty if it is none."""
        name = variable(node)
        if name is not None:
            return self.names[name] if name in self.names else named(name)
        if type(node) is not a.AccessExpression or len(node.keys) != 1:
            return ""
        key = literal(bare(node.keys[0]))
        inner = self.input_of(bare(node.left_expr))
        return named(f"{inner}.{key}") if inner and key is not None else ""


def named(name: str) -> str:
    """Return the input that a variable of the top scope is; facts of the old kind have moved."""
    name = name.removeprefix("::")
    head, _, rest = name.partition(".")
    if head == "facts":
        return f"facts.{MOVED[rest]}" if rest in MOVED else name
    return f"facts.{MOVED[name]}" if name in MOVED else name


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
# Functions that count, and values for what they count.
COUNTING = frozenset({"size", "length", "empty", "count", "stdlib::length"})
FILLED: tuple[Value, ...] = (["example"], "example", [], ABSENT)
# Variables that are assigned others.
DEEPEST = 10


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


def candidates(option: Any) -> Iterator[Value]:
    """Yield values that an option matches, and one next to each that it may not."""
    kind = type(option)
    value = literal(option)
    if kind is a.LiteralUndef:
        yield ABSENT
    elif kind is a.LiteralRegularExpression:
        yield from list(examples(option.pattern))[:FEW]
    elif kind is a.LiteralList:
        yield from (one for item in option.values for one in candidates(bare(item)))
    elif kind is a.QualifiedReference:
        yield from (v for n, v in OF_TYPE.items() if n == option.cased_value.lower())
    elif isinstance(value, bool):
        yield from (value, not value)
    elif isinstance(value, int | float):
        yield from (value, value - 1, value + 1)
    elif isinstance(value, str):
        yield value
        if value.isdigit():
            yield from (str(int(value) - 1), str(int(value) + 1))


def parts_of(node: Any) -> list[Any] | None:
    """Return the parts of a text with values in it: texts, and the nodes between them."""
    if type(node) is not a.ConcatenatedString:
        return None
    return [
        part.value if type(part) is a.LiteralString else getattr(part, "expr", part)
        for part in node.segments
    ]


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
