"""Finds what an upgrade of Puppet or OpenVox breaks, changes and warns about."""

from __future__ import annotations

import gc
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.model.releases import Release, has, title_of
from analyzer.session.lint.own_code import own_definitions
from analyzer.session.repository.survey import survey
from analyzer.session.upgrade.admission import add_modules
from analyzer.session.upgrade.causes import Causes, Upgrade
from analyzer.session.upgrade.compare import GraphOf, Step, compare, compile_under
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.lacking import add_lacking
from analyzer.session.upgrade.legacy import add_legacy

LEGACY = "legacy_facts"
# The most typical systems that are compiled for.
MOST_SYSTEMS = 3
USUAL = (f"{MARK}debian-12", f"{MARK}rocky-9")
WITHOUT = "a legacy fact is missing"


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
    loses = sends and not has(after, LEGACY)
    if loses:
        middle = compile_under(path, replace(target, legacy_facts=True), own)
        new = compile_under(path, replace(target, legacy_facts=False, no_legacy_facts=True), own)
        steps = [Step(old, middle, wanted.graph_of), Step(middle, new, wanted.graph_of, WITHOUT)]
    else:
        new = compile_under(path, target, own)
        steps = [Step(old, new, wanted.graph_of)]
    broken: set[str] = set()
    changed: set[str] = set()
    for step in steps:
        breaks, changes = compare(step, causes)
        broken |= breaks
        changed |= changes
    files = OwnFiles(path, settings)
    if not has(after, LEGACY):
        add_legacy(causes, files, own(), old)
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
        tuple(dict.fromkeys(new.gaps)),
    )


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
