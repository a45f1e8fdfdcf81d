"""Findings that hold only with some facts or parameters: in the worlds that `explore` tries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from analyzer.compiles.plan import NO_FACTS
from analyzer.compiles.programs import programs_in
from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.compile import CatalogResult
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.program import Compile
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.linter.suppress import Ledger
from analyzer.linter.texts import Texts
from analyzer.lsp.checks.compiling import Interrupted, settings_for
from analyzer.lsp.checks.manifests import rules_for
from analyzer.lsp.checks.plans import plans_of
from analyzer.lsp.checks.reach import Job
from analyzer.model.catalog import Catalog
from analyzer.session.inputs import graph_of
from analyzer.session.lint.request import rules_by_path
from analyzer.session.worlds.searching import WorldSearch
from analyzer.worlds.conditional import finding_of

# Limits: worlds and seconds for each class or node, seconds of one compile and of all.
BUDGET, MOST_COMPILE, MOST_SECONDS = Budget(24, 3.0), 2, 10.0


def explore_job(job: Job, is_stale: Callable[[], bool]) -> list[Finding]:
    """Return the findings in other worlds of the catalogs of a job, with their conditions.

    Raises:
        InputError: an input cannot be read, or a configuration is wrong.
        Interrupted: `is_stale` reported another job between two compiles.
    """
    choice, rules = rules_for(job.path)
    codes = {rule.code for rule in rules}
    ledger = Ledger(Texts(job.overlay).get)
    settings = replace(settings_for(job), time_limit=MOST_COMPILE)
    watcher, end = Watcher(), monotonic() + MOST_SECONDS
    found: list[Finding] = []
    programs = (
        one
        for plan in plans_of(job, settings, watcher, NO_FACTS)
        for one in programs_in(plan, watcher)
    )
    for program in programs:
        if monotonic() > end:
            break
        program.compile_with = unless(is_stale, program.compile_with)
        search = WorldSearch(program, graph, Explorer(watcher.arms, program.run, program, BUDGET))
        node = search.node()
        # An error in every world is one of the compile itself, or of data outside the checkout.
        own = (one for one in node.findings if one.condition or one.finding.cycle is not None)
        found += [finding_of(node, one) for one in own]
    wanted = [
        one for finding in found if finding.code in codes for one in choice.reported([finding])
    ]
    return [one for one in wanted if not ledger.accepts(one)]


def unless(is_stale: Callable[[], bool], compile_with: Compile) -> Compile:
    """Return a compile that does not start once its result is stale."""

    def compile_unless(facts: Facts | None, settings: Settings) -> CatalogResult:
        if is_stale():
            raise Interrupted
        return compile_with(facts, settings)

    return compile_unless


def graph(catalog: Catalog) -> RelationshipGraph:
    """Return the graph of a catalog by the rules of its configuration."""
    return graph_of(catalog, rules_by_path(None)(catalog))
