"""Compiles the catalogs that a file belongs to, and lints them, in a separate process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from analyzer.compiles.overlay import Overlay
from analyzer.compiles.parts import CodePart
from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import Module
from analyzer.frontends.puppet.node.sites import name_of
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.site_texts import UNSAVED, look_again
from analyzer.linter.puppet.subjects import Compiled, Manifest, manifest_of
from analyzer.linter.run import Found, Subject, run
from analyzer.linter.suppress import Ledger
from analyzer.linter.texts import Texts
from analyzer.lsp.checks.fixing import with_fixes
from analyzer.lsp.checks.manifests import rules_for
from analyzer.lsp.checks.nodes import concerns, site_of
from analyzer.lsp.checks.reach import CompiledPart, Job
from analyzer.lsp.checks.site_nodes import of_manifest, part_of
from analyzer.lsp.checks.unknown_parts import unknown_parts
from analyzer.lsp.state.pictures import CatalogPicture, picture_of
from analyzer.lsp.state.snapshot import never
from analyzer.session.lint.missing_modules import replace_missing
from analyzer.session.lint.request import rules_by_path
from analyzer.session.settings import config_for, settings_of

# The beginning of a node's name where an editor shows a catalog.
NODE = "node "


class Interrupted(Exception):
    """Raised if another job has to be done first."""


class JobResult(NamedTuple):
    """The findings and catalogs of a job, and the compiled nodes if a manifest has many."""

    findings: list[Finding]
    pictures: list[CatalogPicture]
    part: CompiledPart = CompiledPart()


def compile_job(job: Job, is_stale: Callable[[], bool] = never) -> JobResult:
    """Compile the classes and the site of a job.

    Findings in the file itself are included if they have a fix to test.

    Raises:
        InputError: an input cannot be read, or a configuration is wrong.
        Interrupted: the job is idle, and `is_stale` reported another job between two catalogs.
    """
    if job.path.endswith(".cf"):
        from analyzer.lsp.checks.policy_runs import run_policies

        return JobResult(*run_policies(job))
    look_again()
    UNSAVED.set(job.overlay)
    overlay = Overlay(job.overlay)
    choice, rules = rules_for(job.path)
    subjects: list[Subject] = []
    programs = [*programs_of(job)]
    for program in programs:
        runs = []
        for one in program.compiled(overlay):
            if job.is_idle and is_stale():
                raise Interrupted
            if is_wanted(job, program, one):
                runs.append(one)
        subjects += replace_missing(program.path, program.settings, runs)
    compiled = [one for one in subjects if isinstance(one, Compiled)]
    ledger = Ledger(Texts(job.overlay).get)
    manifest = manifest_of(job.path, job.overlay[job.path]) if job.path in job.overlay else None
    nodes = {name: node for program in programs for name, node in nodes_by_name(job, program)}
    named = partial(by_node, nodes)
    found = run([rule for rule in rules if rule.on is not Manifest], subjects, named)
    if manifest is not None:
        textual = run([rule for rule in rules if rule.on is Manifest], [manifest])
        found += [one for one in textual if one.proposals]
    findings = with_fixes(job.path, found, choice, programs, compiled, job.overlay)
    kept = [in_node(finding) for finding in findings if not ledger.accepts(finding)]
    text = job.overlay.get(job.path, "")
    pictures = [picture_of(one, job.path, text) for one in compiled]
    shown = [replace(one, name=nodes.get(one.name, one.name)) for one in pictures]
    return JobResult([*kept, *unknown_parts(job.path, compiled)], shown, part_of(programs))


def programs_of(job: Job) -> Iterator[Program]:
    """Yield the programs to compile."""
    settings = settings_for(job)
    rules = rules_by_path(None)
    for folder, classes in job.classes:
        module = Module(folder, name_of(folder), classes)
        yield Program(CodePart(folder, settings, module), rules)
    if job.site:
        yield of_manifest(job, settings)
    yield from site_of(job, settings)


def settings_for(job: Job) -> Settings:
    """Return the settings to compile a job.

    Raises:
        InputError: the configuration is wrong.
    """
    return replace(settings_of(config_for(job.path), {"facts": job.facts}), keep_variables=True)


def nodes_by_name(job: Job, program: Program) -> Iterator[tuple[str, str]]:
    """Yield the catalog names of nodes that have a file, with the names that an editor shows."""
    nodes = program.settings.nodes if is_of_nodes(job, program) else ()
    for name in program.names:
        yield from (
            (name, f"{NODE}{node}")
            for node in nodes
            if len(nodes) == 1 or f"({node})" in name or f"({node}, " in name
        )


def by_node(nodes: Mapping[str, str], found: Found) -> Found:
    """Return a finding with the node as its input, if it is in the catalog of a node."""
    finding = found.finding
    name = nodes.get(finding.input, finding.input)
    return replace(found, finding=replace(finding, input=name))


def in_node(finding: Finding) -> Finding:
    """Return a finding whose message names the node, if it is in the catalog of only one."""
    if len(finding.inputs) > 1 or not finding.input.startswith(NODE):
        return finding
    note = f"in the catalog of {finding.input.removeprefix(NODE)}"
    return replace(finding, notes=(*finding.notes, note))


def is_of_nodes(job: Job, program: Program) -> bool:
    """Return whether a program compiles nodes of the site that a file belongs to."""
    return program.path == job.folder and program.part.module is None


def is_wanted(job: Job, program: Program, run: Subject) -> bool:
    """Return whether a compile concerns the file of a job: most nodes have other classes too."""
    return not (isinstance(run, Compiled) and is_of_nodes(job, program)) or concerns(job, run)
