"""Chooses nodes of a manifest that has many: those nearest to the cursor first, in parts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from analyzer.compiles.overlay import Overlay
from analyzer.compiles.parts import CodePart
from analyzer.compiles.plan import NO_FACTS, plan_of_nodes
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compile import Codebase
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.nodes import Blocks
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.puppet.compiles import Program
from analyzer.lsp.checks.reach import MOST_OF_MANIFEST, CompiledPart, Job
from analyzer.session.lint.request import rules_by_path

# The most nodes in one part.
AT_ONCE = 8


class NearNodes(Program):
    """Some of the nodes of a manifest, each compiled separately; `of` counts all of them."""

    of = 0


def of_manifest(job: Job, settings: Settings) -> Program:
    """Return all nodes of a manifest as a program to compile, or the next ones if it has many."""
    program = NearNodes(CodePart(job.path, settings), rules_by_path(None))
    try:
        known = program.code.known(Overlay(job.overlay))
        plan = plan_of_nodes(job.path, Codebase(program.environment, known), settings, NO_FACTS)
        targets = [one for one in plan.targets if one.role is None]
    except (CompileError, InputError):
        # The compile reports the error.
        return program
    if program.code.by_class or (len(targets) <= AT_ONCE and not job.done):
        return program
    nodes = tuple(one.node for one in nearest(job, targets, known))
    program.code.part = replace(program.part, settings=replace(program.settings, nodes=nodes))
    program.alone, program.of = True, len(targets)
    return program


def nearest(job: Job, targets: Iterable[Target], known: DefinitionTable) -> list[Target]:
    """Return the next nodes to compile, by the distance of their blocks from a line."""

    blocks = Blocks(known.nodes)

    def distance(target: Target) -> tuple[bool, int]:
        block, _ = blocks.block_for(target.node)
        if block is None or os.path.realpath(block.unit.file) != path:
            return True, 0
        return False, abs(block.line - job.line)

    path, done = os.path.realpath(job.path), frozenset(job.done)
    found = sorted((one for one in targets if one.node not in done), key=distance)
    return found[: min(AT_ONCE, MOST_OF_MANIFEST - len(done))]


def part_of(programs: Iterable[Program]) -> CompiledPart:
    """Return the nodes that programs compile of a manifest that has many."""
    for one in programs:
        if isinstance(one, NearNodes) and one.of:
            return CompiledPart(one.settings.nodes, one.of)
    return CompiledPart()
