"""The questions that code asks of its inputs, read from the tree: which input, which values.

An input is named `facts.os.family`, `trusted.extensions.pp_role`, `app::purge` (a parameter of a
class) or `role` (a variable of the top scope). A question stands at a construct that chooses
between arms; its values are those that the code compares with, and neighbours of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.arms import offset_of
from analyzer.frontends.puppet.evaluate.looping import loop_of
from analyzer.frontends.puppet.evaluate.naming import names_of_call, names_of_resource
from analyzer.frontends.puppet.node.legacy_facts import MOVED
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.frontends.puppet.worlds.expressions import (
    CALLS,
    CHOOSING,
    COUNTING,
    DEEPEST,
    DEFINITIONS,
    EMPTY,
    FILLED,
    LITERALS,
    LONGEST,
    LOOKUPS,
    MIRRORED,
    MOST_PARTS,
    PLAIN,
    TESTS,
    TRANSPARENT,
    TRUTHS,
    bare,
    called,
    candidates,
    children,
    distinct,
    is_zero,
    listed,
    literal,
    parts_of,
    pattern_of,
    solved,
    tests_of,
    variable,
)
from analyzer.frontends.puppet.worlds.extents import extents_in
from analyzer.frontends.puppet.worlds.naming import ClassNames
from analyzer.frontends.puppet.worlds.outcomes import EVERYWHERE, Place
from analyzer.frontends.puppet.worlds.question import Question, is_of_loop
from analyzer.frontends.puppet.worlds.tests import ABSENT, Test, Value

# The input of a question about a value whose input is not read from the text.
COMPUTED = "?"


def questions_in(program: a.Program) -> Iterator[Question]:
    """Yield the questions of a program in the order of its text."""
    found = list(Asker({}).asked(program.body))
    looped = {one.input for one in found if is_of_loop(one)}
    for one in found:
        lists = one.input in looped and not is_of_loop(one)
        yield replace(one, values=tuple(listed(one.values))) if lists else one


class Asker:
    """Walks a definition; `names` are the inputs that its variables stand for.

    Others stand for the expressions that they are assigned.
    """

    def __init__(self, names: dict[str, str], first: dict[str, str] | None = None) -> None:
        self.names = names
        self.bound: dict[str, Any] = {}
        # The first input that is matched against each pattern.
        self.first: dict[str, str] = {} if first is None else first

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
        has_inputs = type(definition) in {a.HostClassDefinition, a.ResourceTypeDefinition}
        own = {p.name: f"{name}::{p.name}" for p in getattr(definition, "parameters", ())}
        inner = type(self)(own if has_inputs else dict.fromkeys(own, ""), self.first)
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
            self.bound.pop(name, None)
            right = bare(node.right_expr)
            if type(right) in CHOOSING and self.is_small(name, right):
                self.bound[name] = right

    def is_small(self, name: str, node: Any) -> bool:
        """Return whether an expression with those of its variables is not long, nor its own."""
        pending, count = [node], 0
        while pending and count < LONGEST:
            one = pending.pop()
            count += 1
            other = variable(one)
            if other == name:
                return False
            pending += [self.bound[other]] if other in self.bound else children(one)
        return not pending

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
            yield from self.truths(node.left_expr, offset_of(node))
            yield from self.truths(node.right_expr, offset_of(node))
        elif kind in CALLS:
            loop = loop_of(node)
            for name in () if loop is None else self.inputs(loop[1]):
                yield Question(name, (), 0 if loop is None else loop[0], EMPTY)
            yield from self.of_names(node.offset, names_of_call(node))
        elif kind is a.ResourceExpression:
            for offset, names in names_of_resource(node):
                yield from self.of_names(offset, names)

    def of_names(self, offset: int, names: Iterable[Any]) -> Iterator[Question]:
        """Yield the questions of computed names of classes."""
        for node in names:
            parts = [*islice(self.segments(node), LONGEST)]
            for part in [one for one in parts if not isinstance(one, str)][: MOST_PARTS + 1]:
                naming = pattern_of(parts, part)
                for name in self.inputs(part):
                    yield Question(name, (), offset, (), naming)

    def segments(self, node: Any) -> Iterator[Any]:
        """Yield the texts and the nodes that a text is made of."""
        node = self.resolved(node)
        parts = parts_of(node)
        if parts is None:
            yield node
        for part in parts or ():
            yield from [part] if isinstance(part, str) else self.segments(part)

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
            right = self.resolved(test.right_expr)
            listed = list(right.values) if type(right) is a.LiteralList else []
            words = tuple(v for one in listed if (v := literal(bare(one))) is not None)
            one_of: tuple[Test, ...] = (("is one of", words),) if words else ()
            yield from self.matches(test.left_expr, listed, offset, one_of)
            left = literal(bare(test.left_expr))
            for name in self.inputs(right):
                contained = () if left is None else ([left], {left: True}, str(left))
                yield Question(name, (*contained, [], ABSENT), offset)
        else:
            for name in self.inputs(test):
                own: tuple[Test, ...] = TRUTHS if self.is_itself(test) else ()
                tests: tuple[Test, ...] = EMPTY if self.filled(test) else own
                values = self.filled(test) or (True, False, ABSENT, "example")
                yield Question(name, values, offset, tests)

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
                    yield Question(one, FILLED, offset, EMPTY)
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
        tests = tests or tuple(t for option in options for t in tests_of("", option))
        for name in self.inputs(test):
            values = [v for option in options for v in candidates(option, self.word(option, name))]
            yield Question(name, (*distinct(values), ABSENT), offset, tests)

    def word(self, option: Any, name: str) -> str:
        """Return a word for the examples of a pattern that another input is matched against."""
        pattern = getattr(option, "pattern", "")
        return "" if self.first.setdefault(pattern, name) == name else last_part(name)

    def templated(self, template: list[Any], options: list[Any], offset: int) -> Iterator[Question]:
        """Yield the questions of `"${os}-${major}"`: each option is solved for its parts."""
        for option in options:
            wanted = literal(option)
            if not isinstance(wanted, str):
                continue
            for part, value in solved(template, wanted):
                for name in self.inputs(part):
                    # A parameter may be a number.
                    values = (value, int(value)) if "::" in name and value.isdecimal() else (value,)
                    yield Question(name, (*values, ABSENT), offset)

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
        elif name in LOOKUPS and words and isinstance(words[0], str):
            yield f"lookup::{words[0]}"
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


class WideAsker(Asker):
    """Yields the questions of values that are computed, too: their input is `COMPUTED`."""

    def inputs(self, node: Any) -> Iterator[str]:
        """Yield the inputs that a value is, or `COMPUTED`."""
        found = list(super().inputs(node))
        yield from found
        if not found and type(self.resolved(node)) not in LITERALS:
            yield COMPUTED


def last_part(name: str) -> str:
    """Return the last part of the name of an input, `port` of `app::port`."""
    return name.replace(".", ":").rpartition(":")[2]


def named(name: str) -> str:
    """Return the input that a variable of the top scope is; facts of the old kind have moved."""
    name = name.removeprefix("::")
    head, _, rest = name.partition(".")
    if head == "facts":
        return f"facts.{MOVED[rest]}" if rest in MOVED else name
    return f"facts.{MOVED[name]}" if name in MOVED else name


class Questions(dict[Place, list[Question]]):
    """The questions of each construct, read from a file when one of it is asked for.

    `everywhere` are those of the paths of Hiera, `lacking` the files whose code cannot do without
    facts of the site.
    """

    def __init__(self, known: DefinitionTable, everywhere: Sequence[Question] = ()) -> None:
        super().__init__({EVERYWHERE: list(everywhere)})
        self.known = known
        self.ends: dict[str, dict[int, int]] = {}
        self.computed: dict[str, dict[int, list[Question]]] = {}
        self.lacking: set[str] = set()
        self.names = ClassNames(known)

    def get(self, place: Place, default: Any = ()) -> Any:
        """Return the questions of a construct."""
        if place[0]:
            self.ends_in(place[0])
        return super().get(place, default)

    def wide(self, place: Place) -> list[Question]:
        """Return the questions of a construct, those about computed values too."""
        file, offset = place
        if file not in self.computed:
            tree = self.tree(file)
            found: dict[int, list[Question]] = {}
            for question in () if tree is None else WideAsker({}).asked(tree.body):
                found.setdefault(question.offset, []).append(question)
            self.computed[file] = found
        return self.computed[file].get(offset, [])

    def tree(self, file: str) -> a.Program | None:
        """Return the tree of a file, None if it cannot be read."""
        try:
            return check_cached(self.known.read(file), file, cache=user_cache()).tree
        except (OSError, UnicodeDecodeError):
            return None

    def ends_in(self, file: str) -> Mapping[int, int]:
        """Return where the constructs of a file end, by their offsets."""
        if file not in self.ends:
            tree = self.tree(file)
            self.ends[file] = {} if tree is None else dict(extents_in(tree))
            for question in () if tree is None else questions_in(tree):
                self.setdefault((file, question.offset), []).append(question)
        return self.ends[file]
