"""Turns the options of `catgraph lint` into a request of the session."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from analyzer.cli.shared.inputs import settings_for, version_of
from analyzer.cli.shared.options import Options
from analyzer.cli.shared.output import show_progress
from analyzer.cli.shared.workers import workers_for as shared_by
from analyzer.diagnostics import Finding, Results
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.linter.baseline import Baseline, read, split
from analyzer.linter.habits import with_habits
from analyzer.linter.policies import Assumed
from analyzer.linter.puppet.subjects import Compiled
from analyzer.session.inputs import kind_of, load_catalogs
from analyzer.session.lint.catalogs import Compiling, compiles_of
from analyzer.session.lint.check import search_of
from analyzer.session.lint.coverage import summary
from analyzer.session.lint.gate import Verdict, judge, line_in
from analyzer.session.lint.inputs import LintPart
from analyzer.session.lint.parts import Answer
from analyzer.session.lint.read import read as read_sources
from analyzer.session.lint.request import Request, choice_of, in_order, rules_by_path, worlds_of
from analyzer.session.lint.results import Linted
from analyzer.session.settings import config_for, identity_of
from analyzer.session.workers import Workers
from analyzer.session.worlds.turns import Turn
from analyzer.worlds.conditional import has_condition


def request_of(options: Options, baseline: Baseline | None = None) -> Request:
    """Return the request of the command line; findings of the baseline get no fixes.

    Raises:
        InputError: a configuration or a git revision is not valid.
    """
    paths = in_order(options.inputs)
    config = config_for(paths[0], options.config)
    keeps = not (options.profile or options.no_cache)
    select, ignore = split_codes(options.select), split_codes(options.ignore)
    return Request(
        paths,
        choice_of(config, select, ignore, shuffle=options.shuffle, plugins=not options.no_plugins),
        settings_by_path(options),
        rules_by_path(options.config),
        load_catalogs,
        finding_filter(options, paths),
        fixes=not options.write_baseline,
        to_fix=lambda findings: split(findings, baseline)[0] if baseline else findings,
        include_vendored=options.include_vendored,
        comments=not options.no_comments,
        worlds=options.worlds or worlds_of(config),
        shuffle=options.shuffle,
        assumed=Assumed.from_options(options.define, options.outcome),
        allow_read=(
            *(options.allow_read or ()),
            *(config.program("allow_read") if config else ()),
        ),
        identity=partial(identity_of, named=options.config)
        if keeps and user_cache().folder
        else None,
        workers=workers_for(options) if keeps else None,
        progress=show_progress if sys.stderr.isatty() else None,
    )


def split_codes(text: str | None) -> tuple[str, ...]:
    """Split a list of codes."""
    return tuple((text or "").upper().replace(",", " ").split())


def settings_by_path(options: Options) -> Callable[[str], Settings]:
    """Return a function that returns the settings for compiling an input."""

    def find(path: str) -> Settings:
        config = config_for(path, options.config)
        found = settings_for(kind_of(path), options, config)
        return found or Settings(puppet_version=version_of(options, config))

    return find


def finding_filter(options: Options, paths: Sequence[str]) -> Callable[[Finding], bool]:
    """Return a filter for findings on lines that the user changed."""
    if options.changed_since is None:
        return lambda finding: True
    from analyzer.linter.changed import Changes, touched

    changes = Changes(options.changed_since, (path for path in paths if path != "-"))
    return lambda finding: touched(finding, changes)


def workers_for(options: Options) -> Workers[LintPart, Answer] | None:
    """Return the processes that share the work, None if there is only this one."""
    workers = shared_by(options, answering)
    return None if workers.jobs == 1 else workers


def answering(options: Options) -> Callable[[Any], Any]:
    """Return the function that answers parts of the work, in a separate process."""
    alone = Options(vars(options) | {"changed_since": None}, options.inputs)
    request = replace(request_of(alone), identity=None, workers=None, progress=None)

    def quiet(path: str) -> Settings:
        return replace(request.settings_for(path), progress=None)

    sources = read_sources(replace(request, settings_for=quiet))
    compiling = Compiling(sources, compiles_of(sources))
    worlds = search_of(sources, compiling.compiles)
    return lambda part: (worlds if isinstance(part, Turn) else compiling).answer(part)


def baseline_path(options: Options) -> str | None:
    """Return the path of the baseline: of the option, else of the configuration."""
    config = config_for(in_order(options.inputs)[0], options.config)
    return options.baseline or (config and config.paths("baseline")) or None


def baseline_for(options: Options) -> Baseline | None:
    """Return the baseline of the option or of the configuration.

    Raises:
        InputError: it cannot be read.
    """
    path = baseline_path(options)
    return None if path is None else read(path)


def judged(
    linted: Linted, baseline: Baseline | None, changed_only: bool
) -> tuple[Results, Verdict]:
    """Return the results outside of the baseline, and the comparison with it."""
    results = linted.results
    if baseline is None:
        verdict = Verdict(results.findings, results.gaps, linted.seen.has_unseen)
        shown = with_habits(results.findings)
        if len(shown) < len(results.findings):
            results = replace(results, findings=shown, summary=summary(shown, linted.seen))
        return results, verdict
    return without_accepted(linted, baseline, changed_only)


def without_accepted(
    linted: Linted, baseline: Baseline, changed_only: bool = False, *, assume: bool = True
) -> tuple[Results, Verdict]:
    """Return the results outside of a baseline, and the comparison with it.

    `changed_only`: findings outside of changed lines were not searched, and may still exist.
    `assume` is as for `judge`.
    """
    done, results, seen = linted.done, linted.results, linted.seen
    sources, whole = done.sources, done.compiled.is_whole
    verdict = judge(results, seen, baseline, line_in(sources.texts), assume=assume)
    shown = with_habits(verdict.findings)
    text = summary(shown, seen)
    text += f"; {verdict.accepted:,} in the baseline" if verdict.accepted else ""
    gaps = results.gaps
    if baseline.gaps is not None:
        new = set(verdict.gaps)
        gaps = tuple(gap for gap in gaps if not gap.hides or gap in new)
    outside = replace(results, findings=shown, summary=text, gaps=gaps)
    if changed_only:
        return outside, replace(verdict, stale_findings=(), stale_gaps=())
    searched = sources.request.worlds > 1 and not done.worlds.gaps
    looked_for = {rule.code for rule in sources.rules if whole or rule.on is not Compiled}
    stale = tuple(
        row
        for row in verdict.stale_findings
        if row["code"] in looked_for
        and (searched or not has_condition(row["message"]))
        and sources.names.names(os.path.join(baseline.folder, row["file"]))
    )
    return outside, replace(verdict, stale_findings=stale)
