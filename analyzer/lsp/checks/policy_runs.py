"""The findings in the policy that a file belongs to, and the order of its run."""

from __future__ import annotations

import os

from analyzer.diagnostics import Finding
from analyzer.linter.policies import Assumed, PolicyRun
from analyzer.linter.run import Subject, run
from analyzer.linter.suppress import Ledger
from analyzer.linter.texts import Names, Texts
from analyzer.lsp.checks.manifests import rules_for
from analyzer.lsp.checks.reach import Job
from analyzer.lsp.state.pictures import MOST_EDGES, CatalogPicture
from analyzer.reach import may_read, roots_of
from analyzer.session.lint.policies import Policies

# The entry file of cf-agent, and how many folders above a file are searched for it.
ENTRY, MOST_ABOVE = "promises.cf", 6


def run_policies(job: Job) -> tuple[list[Finding], list[CatalogPicture]]:
    """Return the findings in the policy of a file, and a picture of each simulated run."""
    choice, rules = rules_for(job.path)
    texts = Texts(job.overlay)
    policies = Policies((place_of(job.path),), Assumed(), texts, Names(()))
    subjects: list[Subject] = [*policies.runs]
    found = choice.reported([one.finding for one in run(rules, subjects)])
    ledger = Ledger(texts.get)
    kept = [one for one in found if not ledger.accepts(one)]
    return kept, [picture_of(one) for one in policies.runs if one.events]


def place_of(path: str) -> str:
    """Return the highest folder of the checkout with a policy's entry file, else the file."""
    roots = roots_of([os.path.dirname(path)])
    found, folder = path, os.path.dirname(path)
    for _ in range(MOST_ABOVE):
        entry = os.path.join(folder, ENTRY)
        if may_read(entry, roots) and os.path.isfile(entry):
            found = folder
        folder = os.path.dirname(folder)
    return found


def picture_of(run: PolicyRun) -> CatalogPicture:
    """Return the picture of a simulated run, in the order in which promises are evaluated."""
    graph = run.graph
    many = graph.relationship_count > MOST_EDGES
    return CatalogPicture(
        run.name,
        run.whole,
        len(graph.cycles()),
        {str(one.ref): one.span for one in graph.catalog.resources},
        {str(edge.target): str(edge.source) for edge in graph.containment()},
        tuple(str(one.ref) for one in graph.catalog.resources),
        () if many else tuple(graph.relationships()),
    )
