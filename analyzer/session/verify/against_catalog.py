"""Compares our catalog of one node with a real one in a file, from a server or an agent."""

from __future__ import annotations

from dataclasses import replace

from analyzer.compiles.compile import CompileRun, ruby_for
from analyzer.compiles.plan import plan_of
from analyzer.diagnostics import InputError
from analyzer.session.inputs import load_catalogs
from analyzer.session.verify.compare import CATALOG_ONLY, Sides, compare, document_of
from analyzer.session.verify.report import (
    CauseOfDifferences,
    Verification,
    VerifyRequest,
    compile_one,
)
from analyzer.source import Span


def verify_against(wanted: VerifyRequest, file: str) -> Verification:
    """Return the verification of the node whose catalog is in a file.

    Nothing is made smaller: there is no tool to ask.

    Raises:
        InputError: the file has no catalog, the node is unknown, or an input cannot be read.
        CompileError: a manifest cannot be read.
    """
    settings = wanted.settings
    theirs = load_catalogs(file, kind="data")[0]
    if not (settings.facts or settings.facts_dir):
        raise InputError("the facts of its node are needed too (--facts FILE)", Span(file))
    node = settings.node or theirs.name
    if not node:
        raise InputError("the catalog does not name its node (--node NAME)", Span(file))
    plan = plan_of(wanted.path, replace(settings, node=node, nodes=(node,), strict=True))
    with ruby_for(settings) as helper:
        run = CompileRun(plan, typical=False)
        run.helper = helper
        one = compile_one(run, plan.targets[0])
    # A server has its code elsewhere.
    answer = {"stage": CATALOG_ONLY, "catalog": document_of(theirs, places=False)}
    sides = Sides(one.result, answer, wanted.graph_of, places=False, ordered=theirs.ordered)
    comparison = compare(sides)
    found = Verification(f"the catalog {file}", plan.sets, {node: comparison})
    found.causes = [
        CauseOfDifferences(kind, first, [node]) for kind, first in comparison.causes.items()
    ]
    return found
