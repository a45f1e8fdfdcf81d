"""Compiles a path under two releases, and compares each node and class."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from analyzer.compiles.compile import CompileRun, ruby_for
from analyzer.compiles.outcomes import followed_by, plan_with
from analyzer.compiles.own_code import OwnCode, OwnDefinition, has_choice
from analyzer.compiles.unreached import Reached, compile_unreached
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.legacy_facts import is_legacy
from analyzer.graph.diff.compare import diff
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.session.upgrade.causes import BREAKS, WARNS, Causes
from analyzer.session.upgrade.differences import add_changes
from analyzer.source import Span

UNKNOWN = re.compile(r"(?:Unknown variable:|Undefined variable) '(?:::)?(\w+)'")
INTERPOLATION = re.compile(r"Interpolation failed with '(?:::|facts\.)?(\w+)'")
# Places at the end of a warning.
PLACE = re.compile(r"\s*\((?:file: (?P<file>[^,)]+))?,?\s*line: (?P<line>\d+)[^)]*\)$")

GraphOf = Callable[[Catalog], RelationshipGraph]


@dataclass(slots=True)
class Compiled:
    """The catalogs and errors of a path under one release, by the labels of nodes and classes.

    `names` are the nodes and classes of labels, which also name the facts. `files` are those that
    were read for each.
    """

    catalogs: dict[str, Catalog] = field(default_factory=dict)
    errors: dict[str, list[CompileError]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    files: dict[str, frozenset[str]] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)

    def add(
        self, label: str, name: str, catalog: Catalog | None, error: CompileError | None
    ) -> None:
        """Add a result."""
        self.names[label] = name
        if catalog is not None:
            self.catalogs[label] = catalog
            self.gaps += catalog.gaps
        if error is not None:
            others, error.others = error.others, ()
            self.errors.setdefault(label, []).extend((error, *others))


def compile_under(
    path: str, settings: Settings, own: Callable[[], Sequence[OwnDefinition]]
) -> Compiled:
    """Compile every node of a path, and the classes that no node has.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    run = CompileRun(plan_with(path, settings))
    found, plan, reached = Compiled(), run.plan, Reached()
    with ruby_for(settings) as run.helper:
        for result in followed_by(reached, run.results(save=False)):
            label = plan.label(result.target)
            found.add(label, result.target.name, result.catalog, result.error)
            found.files[label] = frozenset(result.reads.used)
        if not has_choice(settings):
            for one in compile_unreached(run, OwnCode(own()), reached):
                for catalog in one.catalogs:
                    found.add(catalog.name, catalog.name, catalog, None)
                for label, error in one.errors:
                    found.add(label, label, None, error)
    found.gaps += plan.gaps
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """Two compiles to compare; `why` says what differs between them, if it is not the release.

    `only` are the names to compare, None: all.
    """

    before: Compiled
    after: Compiled
    graph_of: GraphOf
    why: str = ""
    only: Collection[str] | None = None


def compare(step: Step, causes: Causes) -> tuple[set[str], set[str]]:
    """Add the causes of what differs; return the names that break, and those that change."""
    broken: set[str] = set()
    changed: set[str] = set()
    known = {place_of(one) for errors in step.before.errors.values() for one in errors}
    for label, name in step.after.names.items():
        if step.only is not None and name not in step.only:
            continue
        errors = new_errors(step, label, known)
        # What follows in a node that a legacy fact stops shows where only $facts lacks them.
        if not (step.why and any(map(is_of_legacy_fact, errors))):
            for error in errors:
                add_error(causes, error, name, step.why)
        if errors:
            broken.add(name)
            continue
        old, new = step.before.catalogs.get(label), step.after.catalogs.get(label)
        if old is None or new is None:
            continue
        for text in dict.fromkeys(new.warnings):
            if text not in old.warnings:
                add_warning(causes, text, name)
        graphs = step.graph_of(old), step.graph_of(new)
        found = diff(*graphs)
        if found:
            changed.add(name)
            add_changes(causes, found, graphs, name, step.why)
    return broken, changed


def new_errors(step: Step, label: str, known: set[object]) -> list[CompileError]:
    """Return the errors that a node did not have before; a class compiled only now: nobody had."""
    if label in step.before.names:
        known = {place_of(one) for one in step.before.errors.get(label, ())}
    return [one for one in step.after.errors.get(label, ()) if place_of(one) not in known]


def place_of(error: CompileError) -> object:
    """Return the identity of an error: releases may word it differently."""
    return error.span if error.span.line else (error.span, error.message)


def is_of_legacy_fact(error: CompileError) -> bool:
    """Return whether an error is about a legacy fact, which is told with its places."""
    match = UNKNOWN.search(error.message)
    return match is not None and is_legacy(match[1])


def add_error(causes: Causes, error: CompileError, name: str, why: str) -> None:
    """Add an error that a node did not have before; equal words in several places are one."""
    words = error.message.removesuffix(f" for {name}")
    # A class that is declared by no line of its own has the input's path for a place.
    span = None if os.path.isdir(error.span.file) else error.span
    causes.add(BREAKS, (why, words), words, hint=why, nodes=[name], span=span)


def add_warning(causes: Causes, text: str, name: str) -> None:
    """Add a warning that was not given before; that of a legacy fact is told with its places."""
    failed = INTERPOLATION.search(text)
    if failed and is_legacy(failed[1]):
        return
    match = PLACE.search(text)
    span = Span(match["file"] or "", int(match["line"])) if match else None
    causes.add(WARNS, text, text[: match.start()] if match else text, nodes=[name], span=span)
