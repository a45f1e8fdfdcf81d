"""The form in which results of searches of worlds are stored."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from analyzer.codec import Codec, Unencodable
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.worlds.conditions import Conjunct
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.frontends.puppet.worlds.world import World
from analyzer.graph.cycles.cuts import Cut
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.cycles.statements import MOST_COPIED, Statement
from analyzer.graph.provenance import Hop
from analyzer.model.completeness import Gap
from analyzer.model.refs import ResourceRef
from analyzer.model.relationship import Origin, Relationship
from analyzer.session.worlds.kept import KeptSearch, KeptSearches
from analyzer.session.worlds.results import SearchResult
from analyzer.session.worlds.untaken import NodeArms
from analyzer.source import Span
from analyzer.worlds.explored import ConditionalFinding, ExploredNode, ExploredWorld
from analyzer.worlds.findings import WorldFinding


def parts_of_statement(one: Statement) -> Iterable[object]:
    """Return a statement as its fields, with its relationships.

    Raises:
        Unencodable: they are too many.
    """
    if one.count > MOST_COPIED:
        raise Unencodable("a statement has too many relationships")
    return one.example, one.count, one.cost, one.relationships


def statement_of(parts: list[Any]) -> Statement:
    """Return a statement from its fields."""
    example, count, cost, relationships = parts
    return Statement(example, count, cost, partial(tuple, relationships))


def parts_of_error(one: CompileError) -> Iterable[object]:
    """Return an error without its catalog."""
    return (
        *(one.message, one.span, one.code, one.snippet),
        *(one.others, one.nodes, one.refusal, one.node),
    )


def error_of(parts: list[Any]) -> CompileError:
    """Return an error from its parts."""
    message, span, code, snippet, *others = parts
    error = CompileError(message, span, code, snippet)
    error.others, error.nodes, error.refusal, error.node = others
    return error


SEARCHES = Codec(
    *(KeptSearches, KeptSearch, SearchResult, NodeArms, ExploredNode, ExploredWorld, World),
    *(ConditionalFinding, WorldFinding, Conjunct, Gap, Span),
    *(Cycle, Cut, Hop, Relationship, Origin, ResourceRef),
    (Statement, parts_of_statement, statement_of),
    (CompileError, parts_of_error, error_of),
    constants={"ABSENT": ABSENT},
)
