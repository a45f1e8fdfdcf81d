"""The options of `catgraph lint` and its configuration, as the request that the session takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from analyzer.cli.inputs import settings_for, version_of
from analyzer.cli.options import Options
from analyzer.cli.policies import is_policy
from analyzer.config import Config
from analyzer.diagnostics import Finding, InputError, Results, Severity
from analyzer.frontends.puppet.environment import Settings
from analyzer.graph.autorelations import Rules
from analyzer.linter.choice import Choice
from analyzer.model.catalog import Catalog
from analyzer.session import config_for, load_catalogs, rules_for
from analyzer.session.lint import Request
from analyzer.source import Span


def request_of(options: Options) -> Request:
    """Return what the user asks for.

    Raises:
        InputError: a configuration or a git revision means nothing.
    """
    config = config_for(options.inputs[0], options.config)
    return Request(
        tuple(options.inputs),
        choice_of(options, config),
        settings_by_path(options),
        rules_by_path(options),
        load,
        wanted(options),
        shuffle=options.shuffle,
    )


def load(path: str, settings: Settings | None = None) -> list[Catalog]:
    """Return the catalogs of an input.

    Raises:
        InputError: it cannot be read, or is a policy, for which there are no rules.
    """
    if is_policy(path):
        raise InputError("there are no rules for CFEngine policies yet", Span(path), "no-rules")
    return load_catalogs(path, settings)


def choice_of(options: Options, config: Config | None) -> Choice:
    """Return which rules to apply: options beat the file."""
    file = config or Config("")
    select, ignore = codes(options.select) or file.select, codes(options.ignore) or file.ignore
    if options.shuffle:
        select = (*select, "CG401")
    severity = cast("dict[str, Severity]", file.severity)
    return Choice(select, ignore, severity, file.per_path)


def codes(text: str | None) -> tuple[str, ...]:
    """Split a list of codes."""
    return tuple((text or "").replace(",", " ").split())


def settings_by_path(options: Options) -> Callable[[str], Settings]:
    """Return what gives the settings of a compile for an input."""

    def find(path: str) -> Settings:
        config = config_for(path, options.config)
        found = settings_for(path, options, config)
        return found or Settings(puppet_version=version_of(options, config))

    return find


def rules_by_path(options: Options) -> Callable[[Catalog], Rules | None]:
    """Return what gives the rules of the graph for a catalog."""
    return lambda catalog: rules_for(catalog, config_for(catalog.path, options.config))


def wanted(options: Options) -> Callable[[Finding], bool]:
    """Return what tells whether a finding is about lines that the user changed."""
    if options.changed_since is None:
        return lambda finding: True
    from analyzer.linter.changed import changed_lines, touched

    lines = changed_lines(options.changed_since)
    return lambda finding: touched(finding, lines)


def baseline_of(options: Options, results: Results) -> tuple[Results, Sequence[dict[str, str]]]:
    """Return what is not in the baseline, and what is there in vain.

    Raises:
        InputError: the baseline cannot be read.
    """
    config = config_for(options.inputs[0], options.config)
    path = options.baseline or (config and config.baseline)
    if not path:
        return results, ()
    from analyzer.linter.baseline import read, split

    new, stale = split(results.findings, read(path))
    known = len(results.findings) - len(new)
    text = f"{results.summary}; {known:,} of them known" if known else results.summary
    return replace(results, findings=tuple(new), summary=text), stale
