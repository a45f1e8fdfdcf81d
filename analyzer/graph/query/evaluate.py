"""Evaluates queries: finds the resources that match, and those that may match.

A comparison with an unknown value neither finds nor excludes a resource (Kleene's logic): `not`
leaves it undecided, `and` and `or` decide it if the other part does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, NoReturn

from analyzer.graph.automatic.core import KNOWN
from analyzer.graph.queries import did_you_mean, inside
from analyzer.graph.query import fields, relations
from analyzer.graph.query.ast import (
    And,
    Compare,
    Expr,
    Name,
    Not,
    Or,
    Relation,
    ResourceReference,
    Value,
)
from analyzer.graph.query.compare import Test, test_of
from analyzer.graph.query.refusal import ABSENT, refuse
from analyzer.graph.query.world import GraphProperties, Ids
from analyzer.model.names import capitalize_type
from analyzer.model.nouns import PUPPET


class QueryMatches(NamedTuple):
    """The resources that surely match, and those that may match; the two are disjoint."""

    sure: Ids
    perhaps: Ids


class Evaluation:
    """A query over numbered resources or edges; subclasses define the meaning of the words."""

    def __init__(self, text: str, everything: Ids, word: str = "word") -> None:
        self.text = text
        self.word = word
        self.everything = everything
        self.warnings: list[str] = []
        self.unknown: dict[int, str] = {}

    def find(self, expr: Expr) -> QueryMatches:
        """Return the resources that match an expression.

        Raises:
            InputError: a word is unknown, or a resource is not in the catalog.
        """
        match expr:
            case And(parts):
                return self.meet(parts)
            case Or(parts):
                return self.inverse(both([self.inverse(self.find(part)) for part in parts]))
            case Not(part):
                return self.inverse(self.find(part))
            case Compare():
                return self.compare(expr)
            case Relation():
                return self.relate(expr)
            case ResourceReference(ref):
                return QueryMatches(self.named(ref), set())
        return QueryMatches(self.hold(expr.name), set())

    def meet(self, parts: tuple[Expr, ...]) -> QueryMatches:
        """Return the resources that match all parts; each part checks only the results of the
        previous.

        Relations come first, since they need no values.
        """
        whole = self.everything
        found = []
        try:
            for part in sorted(parts, key=lambda part: not isinstance(part, Relation)):
                one = self.find(part)
                found.append(one)
                self.everything = self.everything & (one.sure | one.perhaps)
        finally:
            self.everything = whole
        return both(found)

    def inverse(self, found: QueryMatches) -> QueryMatches:
        """Return the resources that do not match an expression."""
        return QueryMatches(
            self.everything - found.sure - found.perhaps, found.perhaps & self.everything
        )

    def compare(self, asked: Compare) -> QueryMatches:
        """Return the resources that match a comparison."""
        raise NotImplementedError

    def relate(self, asked: Relation) -> QueryMatches:
        """Return the resources that match a relation."""
        raise NotImplementedError

    def named(self, ref: Name) -> Ids:
        """Return the resources that match a reference."""
        raise NotImplementedError

    def hold(self, name: Name) -> Ids:
        """Return the resources that a single word is true of."""
        raise NotImplementedError

    def unknown_word(self, name: Name, known: Collection[str]) -> NoReturn:
        """Refuse a word, and suggest a similar one."""
        hint = near(name.text, known) or "; 'catgraph query --help' lists the words"
        refuse(self.text, name.column, f"unknown {self.word} '{name.text}'{hint}")

    def misused(self, name: Name) -> None:
        """Refuse a word whose kind its place does not accept."""
        for table, said in USES:
            if name.text.lower() in table:
                refuse(self.text, name.column, said.format(name.text))


class OfResources(Evaluation):
    """A query over the resources of a catalog."""

    def __init__(self, text: str, world: GraphProperties, absent_ok: bool = False) -> None:
        super().__init__(text, world.everything)
        self.world = world
        self.absent_ok = absent_ok

    def compare(self, asked: Compare) -> QueryMatches:
        name = asked.name.text
        field = fields.FIELDS.get(name.lower())
        if field is None:
            return self.parameter(asked, name.removeprefix(fields.PARAMETER))
        world, texts = self.world, field.texts
        fits = test_of(self.text, asked, field.style)
        if field.name == "type" and asked.operator == "=":
            for value in asked.values:
                self.check_type(value)
        return QueryMatches({i for i in self.everything if fits(texts(world, i))}, set())

    @property
    def node(self) -> str:
        """Return the name of a node of the graph."""
        return self.world.kernel.catalog.nouns.node

    def check_type(self, value: Value) -> None:
        """Warn of a type that no resource of the catalog has; refuse one that is a typing error.

        Raises:
            InputError: the type is not known, but one with nearly the same name is.
        """
        name, typed = capitalize_type(value.text), self.world.kernel.lookup.typed
        if name in typed:
            return
        known = {*typed, *KNOWN} if self.world.kernel.catalog.nouns is PUPPET else set(typed)
        message = f"no {self.node} has the type {value.text}"
        hint = "" if name in known else near(name, known)
        if hint and not self.absent_ok:
            refuse(self.text, value.column, f"{message}{hint}", ABSENT)
        self.warnings.append(message)

    def parameter(self, asked: Compare, name: str) -> QueryMatches:
        fits = test_of(self.text, asked, "exact")
        sure, perhaps = self.by_parameter(name, fits)
        explicit = asked.name.text.startswith(fields.PARAMETER)
        first = name.partition(".")[0]
        resources = self.world.kernel.resources
        if not explicit and not any(first in one.parameters for one in resources):
            known = {*fields.FIELDS, *(key for r in resources for key in r.parameters)}
            self.warnings.append(f"no {self.node} has a parameter '{first}'{near(first, known)}")
        return QueryMatches(sure, perhaps)

    def by_parameter(self, name: str, fits: Test) -> QueryMatches:
        """Return the resources whose parameter passes a test."""
        found = QueryMatches(set(), set())
        for i in self.everything:
            texts, reason = fields.parameter(self.world, i, name)
            if (texts or not reason) and fits(texts):
                found.sure.add(i)
            elif reason:
                found.perhaps.add(i)
                self.unknown.setdefault(i, f"{name} is unknown: {reason}")
        return found

    def named(self, ref: Name) -> Ids:
        kernel = self.world.kernel
        found = kernel.lookup.find_ref(ref.text)
        if found is None:
            if self.absent_ok:
                return set()
            names = did_you_mean(kernel, ref.text)
            hint = f"; did you mean {' or '.join(names)}?" if names else ""
            refuse(
                self.text,
                ref.column,
                f"{ref.text} is not in {inside(kernel.catalog)}{hint}",
                ABSENT,
            )
        return {found}

    def hold(self, name: Name) -> Ids:
        row = fields.PROPERTIES.get(name.text.lower())
        if row is None:
            self.explain_thing(name)
            self.misused(name)
            self.unknown_word(name, WORDS)
        return row.find(self.world)

    def explain_thing(self, name: Name) -> None:
        """Refuse the name of a type or a parameter in the place of a word."""
        kernel, text = self.world.kernel, name.text
        if text[:1].isupper() and text in kernel.lookup.typed:
            refuse(self.text, name.column, f"'{text}' is a type; write type = {text}")
        if text not in WORDS and any(text in one.parameters for one in kernel.resources):
            said = f"'{text}' is a parameter; write {text} = ..., or {text} != undef"
            refuse(self.text, name.column, said)

    def relate(self, asked: Relation) -> QueryMatches:
        name = asked.name.text.lower()
        operands = [self.operand(part) for part in asked.operands]
        row = relations.RELATIONS.get(name)
        if name == relations.PATH and len(operands) == 2:
            first, second = operands
            return widened(lambda a, b: relations.path(self.world, a, b), first, second)
        if row is None or len(operands) != 1:
            self.misused(asked.name)
            self.unknown_word(asked.name, [*relations.RELATIONS, relations.PATH])
        if asked.depth is not None and not row.deep:
            refuse(self.text, asked.name.column, f"'{row.name}' takes no number of steps")
        if asked.of_it:
            row = relations.RELATIONS[row.converse]
        return widened(lambda ids: row.find(self.world, ids, asked.depth), operands[0])

    def operand(self, part: Expr) -> QueryMatches:
        """Return the operand of a relation, evaluated over all resources."""
        asked, self.everything = self.everything, self.world.everything
        try:
            return self.find(part)
        finally:
            self.everything = asked


def both(parts: list[QueryMatches]) -> QueryMatches:
    """Return the resources that match all parts."""
    sure = set.intersection(*(part.sure for part in parts))
    possible = set.intersection(*(part.sure | part.perhaps for part in parts))
    return QueryMatches(sure, possible - sure)


def widened(relate: Callable[..., Ids], *operands: QueryMatches) -> QueryMatches:
    """Return the results of a relation for certain resources, and the further ones for possible
    resources."""
    sure = relate(*(one.sure for one in operands))
    if not any(one.perhaps for one in operands):
        return QueryMatches(sure, set())
    return QueryMatches(sure, relate(*(one.sure | one.perhaps for one in operands)) - sure)


def near(word: str, known: Collection[str]) -> str:
    """Return the hint at a similar word; empty if there is none."""
    from difflib import get_close_matches

    found = get_close_matches(word, sorted(known), 1, 0.75)
    return f"; did you mean '{found[0]}'?" if found else ""


WORDS = (*fields.FIELDS, *fields.PROPERTIES, *relations.RELATIONS, relations.PATH)

# The messages about a word in the place of a word of another kind.
USES: tuple[tuple[Collection[str], str], ...] = (
    (fields.FIELDS, "'{0}' needs a comparison: {0} = ..., {0} ~ ..."),
    (relations.RELATIONS, "'{0}' needs a resource or a query: {0} Service[ntp]"),
    ((relations.PATH,), "'{0}' needs two queries: {0}(Package[ntp], Service[ntp])"),
    (fields.PROPERTIES, "'{0}' takes no value"),
)
