"""Rules in the query language: each match of an expression is a problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import cast

from analyzer.config import Config
from analyzer.config.keys import texts
from analyzer.diagnostics import InputError, Severity
from analyzer.graph.query.answer import Answer
from analyzer.graph.query.ast import And, Expr, Not, Or, Property, Query, Relation, comparisons
from analyzer.graph.query.parser import parse
from analyzer.graph.relationship_graph import relate
from analyzer.linter.choice import is_like
from analyzer.linter.contracts.patterns import Pattern, ReferencePattern, pattern_of
from analyzer.linter.contracts.words import mistakes_in, words_of
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, no_problem
from analyzer.model.catalog import Catalog
from analyzer.model.relationship import Relationship
from analyzer.model.resource import Resource
from analyzer.source import Span

# The most characters of an expression and of a message.
LONGEST = 1000

# A field of a message, a doubled brace for a literal brace, or a brace that is an error.
FIELD = re.compile(r"\{(\w+)\}|(\{\{|\}\})|[{}]")

# The fields of a message about a resource, and about an edge.
RESOURCE_FIELDS: dict[str, Callable[[Compiled, str, Span | None], str]] = {
    "ref": lambda compiled, ref, span: ref,
    "type": lambda compiled, ref, span: ref.partition("[")[0],
    "title": lambda compiled, ref, span: ref.partition("[")[2][:-1],
    "container": lambda compiled, ref, span: compiled.class_around(ref) or "nothing",
    "file": lambda compiled, ref, span: span.file if span else "unknown file",
    "line": lambda compiled, ref, span: str(span.line) if span else "0",
}
EDGE_FIELDS: dict[str, Callable[[Relationship], str]] = {
    "source": lambda edge: str(edge.source),
    "target": lambda edge: str(edge.target),
    "kind": lambda edge: edge.kind,
    "origin": lambda edge: edge.origin.form,
    "file": lambda edge: edge.origin.span.file if edge.origin.span else "unknown file",
    "line": lambda edge: str(edge.origin.span.line) if edge.origin.span else "0",
}


@dataclass(frozen=True, slots=True)
class Excluded:
    """An entry of `exclude`: its text and place, and its pattern if it names resources."""

    text: str
    span: Span
    pattern: Pattern | None

    def matches(self, resource: Resource | None, span: Span | None) -> bool:
        """Return whether the entry matches a resource or its file."""
        if isinstance(self.pattern, ReferencePattern):
            return resource is not None and self.pattern.matches(resource)
        return span is not None and is_like(span.file, self.text)


class QueryTable:
    """One `[[rules]]` table of a configuration, by its number."""

    def __init__(self, config: Config, number: int) -> None:
        self.config = config
        self.number = number
        row = config.rules[number]
        for key in ("code", "find", "message"):
            if key not in row:
                raise config.wrong(f"a rule needs '{key}'", "rules", number)
        self.find: str = row["find"]
        self.message: str = row["message"]
        self.severity = cast("Severity", row.get("severity", "warning"))
        self.help: str = row.get("help", "")
        given = row.get("exclude", ())
        at = ("exclude",) if isinstance(given, str) else None
        self.exclude = [
            Excluded(text, self.place(0, *(at or ("exclude", number))), pattern_of(text))
            for number, text in enumerate(texts(given))
        ]
        self.span = config.span("rules", number, "find")
        self.query = self.checked()
        self.check_message()

    def wrong(self, message: str, key: str | int, place: int = 0) -> InputError:
        """Return an error about a character of a value."""
        return self.config.wrong_in(message, place, "rules", self.number, key)

    def place(self, place: int, *steps: str | int) -> Span:
        """Return the place of a character of a value."""
        return self.config.wrong_in("", place, "rules", self.number, *steps).span

    def checked(self) -> Query:
        """Return the expression as a tree.

        Raises:
            InputError: the expression is too long, or is not valid.
        """
        if len(self.find) > LONGEST:
            raise self.wrong(f"the expression has more than {LONGEST:,} characters", "find")
        try:
            query = parse(self.find)
            relate(Catalog([], [])).query(self.find, absent_ok=True)
        except InputError as error:
            place = place_in(self.find, error.span)
            raise self.wrong(error.message, "find", place) from None
        for value in (one for asked in comparisons(query.where) for one in asked.values):
            if value.kind == "regex" and not self.config.named:
                said = "a regular expression is ignored here, because this file may not be "
                said += (
                    f"reviewed; write a pattern with * and ?, or give --config {self.config.path}"
                )
                raise self.wrong(said, "find", value.column - 1)
        for mistake in mistakes_in(query):
            raise self.wrong(str(mistake), "find", mistake.column - 1)
        return query

    def check_message(self) -> None:
        """Check the fields of the message.

        Raises:
            InputError: a field does not exist, or the message is too long.
        """
        if len(self.message) > LONGEST:
            raise self.wrong(f"the message has more than {LONGEST:,} characters", "message")
        known = EDGE_FIELDS if self.query.over == "edges" else RESOURCE_FIELDS
        for found in FIELD.finditer(self.message):
            if len(found[0]) == 1:
                said = f"'{found[0]}' is not a field: write {{{next(iter(known))}}}"
                said += f", or {found[0] * 2} for a brace"
                raise self.wrong(said, "message", found.start())
            if found[1] and found[1] not in known:
                near = get_close_matches(found[1], known, 1)
                hint = f"did you mean '{{{near[0]}}}'?" if near else ""
                hint = hint or f"the fields are {', '.join(f'{{{name}}}' for name in known)}"
                raise self.wrong(f"unknown field '{found[0]}'; {hint}", "message", found.start())

    @property
    def absence(self) -> bool:
        """Return whether the expression relies on missing relationships."""
        return self.query.where is not None and relies_on_absence(self.query.where)

    def check(self, compiled: Compiled) -> Iterator[Problem]:
        """Yield a problem for each certain and each possible match of the expression."""
        answer = compiled.graph.query(self.find, absent_ok=True)
        used: set[Excluded] = set()
        yield from self.problems(compiled, answer, used)
        yield from self.unused(compiled, used)
        yield from self.misspelled(compiled)

    def problems(
        self, compiled: Compiled, answer: Answer, used: set[Excluded]
    ) -> Iterator[Problem]:
        """Yield the problems of an answer; add the entries of `exclude` that match to `used`."""
        for ref, span in zip(map(str, answer.resources), answer.places, strict=True):
            if not self.excludes(compiled, ref, span, used):
                fields = {n: f(compiled, ref, span) for n, f in RESOURCE_FIELDS.items()}
                yield Problem(self.filled(fields), span, (ref,))
        for edge in answer.relationships:
            refs, span = (str(edge.source), str(edge.target)), edge.origin.span
            if not any(self.excludes(compiled, ref, span, used) for ref in refs):
                fields = {name: field(edge) for name, field in EDGE_FIELDS.items()}
                yield Problem(self.filled(fields), span, refs)
        for ref, why in ((str(ref), why) for ref, why in answer.undecided):
            resource = compiled.resource(ref)
            span = resource.span if resource else None
            if not self.excludes(compiled, ref, span, used):
                message = f"it is unknown whether {ref} matches: {why}"
                yield Problem(message, span, (ref,), severity="note")

    def filled(self, fields: dict[str, str]) -> str:
        """Return the message with the values of its fields."""
        return FIELD.sub(lambda found: fields[found[1]] if found[1] else found[2][0], self.message)

    def excludes(
        self, compiled: Compiled, ref: str, span: Span | None, used: set[Excluded]
    ) -> bool:
        """Return whether an entry of `exclude` matches a resource or its file; add it to `used`."""
        resource = compiled.resource(ref)
        found = {one for one in self.exclude if one.matches(resource, span)}
        used |= found
        return bool(found)

    def unused(self, compiled: Compiled, used: set[Excluded]) -> Iterator[Problem]:
        """Yield the entries of `exclude` without a match; reported if no catalog uses them."""
        for one in self.exclude:
            if one in used:
                yield no_problem(one.span)
            elif not compiled.partial:
                said = f"'{one.text}' is excluded, but accepts nothing; remove the entry"
                severity: Severity = "warning" if compiled.complete else "note"
                yield Problem(said, one.span, severity=severity, unless_ok=True)

    def misspelled(self, compiled: Compiled) -> Iterator[Problem]:
        """Yield the words that no catalog and no code contains.

        For a catalog that was compiled elsewhere, only words that resemble one of its words are
        reported, because other names may exist.
        """
        for word in words_of(self.query):
            span = self.place(word.column - 1, "find")
            if word.is_known(compiled):
                yield no_problem(span)
                continue
            mistake = word.mistake(compiled)
            sure = compiled.files and compiled.complete
            if mistake.hint or compiled.files:
                severity: Severity = "error" if sure else "note"
                yield Problem(str(mistake), span, severity=severity, unless_ok=True)


def place_in(text: str, span: Span) -> int:
    """Return the offset of a place in a text."""
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: span.line - 1]) + span.column - 1


def relies_on_absence(expr: Expr, negated: bool = False) -> bool:
    """Return whether an unknown relationship could remove a match."""
    match expr:
        case And(parts) | Or(parts):
            return any(relies_on_absence(part, negated) for part in parts)
        case Not(part):
            return relies_on_absence(part, not negated)
        case Relation(operands=parts):
            return negated or any(relies_on_absence(part, negated) for part in parts)
        case Property(name):
            return not negated and name.text.lower() in FROM_ABSENCE
    return False


# Words that are true for a resource because it has no relationship.
FROM_ABSENCE = frozenset({"ready", "last", "isolated"})
