"""Finds what an upgrade of Puppet or OpenVox breaks, changes and warns about."""

from __future__ import annotations

import gc
import os
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.model.completeness import Gap
from analyzer.model.releases import STRICT, Release, has, title_of
from analyzer.session.lint.own_code import own_definitions
from analyzer.session.repository.survey import survey
from analyzer.session.upgrade.admission import add_modules
from analyzer.session.upgrade.causes import Causes, Upgrade
from analyzer.session.upgrade.compare import Compiled, GraphOf, Step, compare, compile_under
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.lacking import add_lacking
from analyzer.session.upgrade.legacy import add_legacy
from analyzer.session.upgrade.strict import add_unset

LEGACY = "legacy_facts"
# The most typical systems that are compiled for.
MOST_SYSTEMS = 3
USUAL = (f"{MARK}debian-12", f"{MARK}rocky-9")
WITHOUT = "because legacy facts are missing"


@dataclass(frozen=True, slots=True)
class Wanted:
    """An upgrade: a path, its settings under the release before, and the target."""

    path: str
    settings: Settings
    after: Release
    modulepath: tuple[str, ...]
    graph_of: GraphOf


def upgrade(wanted: Wanted) -> Upgrade:
    """Compile under both releases and return the differences by cause.

    The garbage collector is off, as for other compiles of whole sites.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be parsed under the release before.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        return compared(wanted)
    finally:
        if enabled:
            gc.enable()


def compared(wanted: Wanted) -> Upgrade:
    """Return the differences by cause."""
    path, after = wanted.path, wanted.after
    settings = replace(wanted.settings, facts=facts_of(path, wanted.settings), lenient=True)
    own = cache(partial(own_definitions, path, settings))
    before = settings.puppet_version
    sends = has(before, LEGACY)
    causes = Causes()
    old = compile_under(path, replace(settings, legacy_facts=sends or settings.legacy_facts), own)
    target = replace(
        settings,
        puppet_version=after,
        version_assumed=False,
        modulepath=(*wanted.modulepath, *settings.modulepath),
    )
    broken: set[str] = set()
    changed: set[str] = set()

    def compare_with(step: Step) -> None:
        breaks, changes = compare(step, causes)
        broken.update(breaks)
        changed.update(changes)

    if sends and not has(after, LEGACY):
        known = compile_under(path, replace(target, legacy_facts=True), own)
        compare_with(Step(old, known, wanted.graph_of))
        lost = replace(target, legacy_facts=False, no_legacy_facts="all")
        new = compile_under(path, lost, own)
        compare_with(Step(known, new, wanted.graph_of, WITHOUT))
        if broken:
            # What changes silently shows where no variable is unknown: only in $facts.
            silent = replace(target, legacy_facts=True, no_legacy_facts="hash")
            made = compile_under(path, silent, own)
            compare_with(Step(known, made, wanted.graph_of, WITHOUT, broken.copy()))
    else:
        new = compile_under(path, target, own)
        compare_with(Step(old, new, wanted.graph_of))
    files = OwnFiles(path, settings)
    if not has(after, LEGACY):
        add_legacy(causes, files, own(), old)
    if has(after, STRICT) and not has(before, STRICT):
        add_unset(causes, files, own(), old)
    add_lacking(causes, files, target, own(), old)
    add_modules(causes, path, target)
    return Upgrade(
        title_of(Release.parse(str(before))),
        title_of(after),
        settings.facts,
        tuple(dict.fromkeys(new.names.values())),
        frozenset(broken),
        frozenset(changed - broken),
        causes.ordered(),
        gaps_of(old, new, broken),
    )


def gaps_of(old: Compiled, new: Compiled, broken: Collection[str]) -> tuple[Gap, ...]:
    """Return what is unknown before, and after it where a node does not break anyway."""
    after = [
        gap
        for label, catalog in new.catalogs.items()
        if new.names[label] not in broken
        for gap in catalog.gaps
    ]
    return tuple(dict.fromkeys([*old.gaps, *after]))


def facts_of(path: str, settings: Settings) -> tuple[str, ...]:
    """Return the facts to compile with: those given, or of typical systems that the code names."""
    if settings.facts or settings.facts_dir or settings.fact_values is not None:
        return settings.facts
    if not os.path.isdir(path):
        return USUAL
    with suppress(InputError, CompileError):
        named = [one for one in survey(path).facts if one.startswith(MARK)]
        return tuple(named[:MOST_SYSTEMS]) or USUAL
    return USUAL
