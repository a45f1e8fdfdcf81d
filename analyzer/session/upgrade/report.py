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
from analyzer.model.releases import STRICT, Release, has, release_of, title_of
from analyzer.session.lint.own_code import own_definitions
from analyzer.session.repository.survey import survey
from analyzer.session.upgrade.admission import add_modules
from analyzer.session.upgrade.causes import Upgrade
from analyzer.session.upgrade.compare import Compiled, GraphOf, compile_under
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.lacking import add_lacking
from analyzer.session.upgrade.legacy import add_legacy, users_of
from analyzer.session.upgrade.new_modules import NewModules
from analyzer.session.upgrade.other_worlds import WORLDS, OtherWorlds
from analyzer.session.upgrade.strict import add_unset
from analyzer.session.upgrade.trial import LEGACY, Trial

# The most typical systems that are compiled for.
MOST_SYSTEMS = 3
USUAL = (f"{MARK}debian-12", f"{MARK}rocky-9")


@dataclass(frozen=True, slots=True)
class Wanted:
    """An upgrade: a path, its settings under the release before, and the target.

    `new` are the modules of the target's Puppetfile, if another one is given. `worlds` is the
    number of worlds to try for each node.
    """

    path: str
    settings: Settings
    after: Release
    modulepath: tuple[str, ...]
    graph_of: GraphOf
    new: NewModules | None = None
    worlds: int = WORLDS


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
    settings, target = settings_of_both(wanted)
    before = release_of(settings.puppet_version)
    own = cache(partial(own_definitions, path, settings))
    trial = Trial(lambda one: compile_under(path, one, own), wanted.graph_of)
    trial.run(settings, target)
    causes, users = trial.causes, users_of(own(), trial.old)
    others = OtherWorlds(path, settings, target, wanted.graph_of)
    others.compare(wanted.worlds, causes)
    files = OwnFiles(path, settings)
    if not has(after, LEGACY):
        add_legacy(causes, files, users)
    if has(after, STRICT) and not has(before, STRICT):
        add_unset(causes, files, users)
    new = wanted.new
    add_lacking(causes, files, target, users, new.names if new else ())
    add_modules(causes, path, target)
    return Upgrade(
        title_of(before),
        title_of(after),
        settings.facts,
        tuple(dict.fromkeys(trial.new.names.values())),
        frozenset(trial.broken),
        frozenset(trial.changed - trial.broken),
        causes.ordered(),
        (*(new.gaps() if new else ()), *gaps_of(trial.old, trial.new, trial.broken), *others.gaps),
        frozenset(others.names) - trial.broken - trial.changed,
    )


def settings_of_both(wanted: Wanted) -> tuple[Settings, Settings]:
    """Return the settings before and after an upgrade."""
    settings = replace(wanted.settings, facts=facts_of(wanted.path, wanted.settings), lenient=True)
    modulepath = (*wanted.modulepath, *settings.modulepath)
    target = replace(
        settings, puppet_version=wanted.after, version_assumed=False, modulepath=modulepath
    )
    return settings, target


def gaps_of(old: Compiled, new: Compiled, broken: Collection[str]) -> tuple[Gap, ...]:
    """Return the gaps before, and after it those of nodes that do not break."""
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
