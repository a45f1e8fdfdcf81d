"""Chooses the nodes of a site that have the classes of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from analyzer.compiles.overlay import Overlay
from analyzer.compiles.parts import CodePart
from analyzer.compiles.plan import NO_FACTS, CompilePlan, plan_of_nodes
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compile import Codebase, classified
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.nodes import blocks_of
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import module_folders_at
from analyzer.frontends.puppet.uses import uses_in
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled
from analyzer.lsp.checks.reach import Job
from analyzer.session.lint.request import rules_by_path

# The most nodes that are compiled for one file, and for a site whose data assign the classes.
MOST_NODES, MOST_TRIED = 3, 8

# Functions that let data name the classes of a node.
OF_DATA = frozenset({"hiera", "hiera_array", "hiera_include", "lookup"})


def is_site(folder: str) -> bool:
    """Return whether a folder is compiled node by node, as the command `lint` does."""
    return os.path.isdir(folder) and not any(module_folders_at(folder))


def site_of(job: Job, settings: Settings) -> Iterator[Program]:
    """Yield a program of the nodes that may have a file, if there are any."""
    if not is_site(job.folder):
        return
    program = Program(CodePart(job.folder, settings), rules_by_path(None))
    try:
        code = Codebase(program.environment, program.code.known(Overlay(job.overlay)))
        nodes = nodes_of(job, job.folder, code, settings).targets
    except (CompileError, InputError):
        # The error is shown in the manifest that has it.
        return
    if nodes:
        settings = replace(program.settings, nodes=tuple(one.node for one in nodes))
        program.code.part = replace(program.part, settings=settings)
        yield program


def nodes_of(
    job: Job,
    path: str,
    code: Codebase,
    settings: Settings,
    sets: Sequence[str] | None = NO_FACTS,
) -> CompilePlan:
    """Return the plan of the nodes that may have a file.

    Raises:
        InputError: a folder of nodes cannot be read.
    """
    plan, known = plan_of_nodes(path, code, settings, sets), code.definitions
    targets = [one for one in plan.targets if not one.role]
    manifests = {os.path.realpath(one) for one in code.environment.manifests}
    declared = any(os.path.realpath(one) in manifests for one in job.declaring)
    found = [one for one in targets if declared or has(one, job, known, settings)][:MOST_NODES]
    if not found and len(targets) <= MOST_TRIED and is_of_data(known):
        found = targets
    return replace(plan, groups=(tuple(found),))


def has(target: Target, job: Job, known: DefinitionTable, settings: Settings) -> bool:
    """Return whether a node's block, or its entry in a file of a classifier, has the classes."""
    if settings.nodes_dir is not None:
        names = {*job.names, *(name for _, classes in job.classes for name in classes)}
        return not names.isdisjoint(classified(settings, target.node, target.role).classes or ())
    block, _ = blocks_of(known).block_for(target.node)
    return block is not None and (os.path.realpath(block.unit.file), block.line) in {
        (os.path.realpath(file), line) for file, line in job.blocks
    }


def is_of_data(known: DefinitionTable) -> bool:
    """Return whether data name classes of the nodes: only a compile shows which."""
    return any(
        use.kind == "function" and use.name in OF_DATA
        for program, _ in known.programs
        for use in uses_in(program)
    )


def concerns(job: Job, compiled: Compiled) -> bool:
    """Return whether a catalog has a class of a file, or a resource of one of its defines."""
    classes = {str(one.ref).lower() for one in compiled.graph.catalog.resources
               if one.type == "Class"}  # fmt: skip
    types = {one.type.lower() for one in compiled.graph.catalog.resources}
    return any(f"class[{name}]" in classes or name in types for name in job.names)
