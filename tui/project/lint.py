"""Lints the project in stages, and tries the fix of one finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import Finding, InputError
from analyzer.linter.run import Found
from analyzer.linter.verify import edited
from analyzer.model.nouns import counted
from tui.project.child import in_child

if TYPE_CHECKING:
    from analyzer.diagnostics import Fix
    from analyzer.session.lint.read import Sources
    from tui.project.project import Project

# Called with the name of each stage.
Progress = Callable[[str], None]


@dataclass(frozen=True)
class LintResult:
    """The findings; `errors` are inputs that could not be read, `lint` tries fixes."""

    found: tuple[Found, ...]
    errors: tuple[str, ...]
    sources: Sources

    @property
    def findings(self) -> list[Finding]:
        """Return the findings, in the order of the files."""
        return [one.finding for one in self.found]


class LintError(Exception):
    """The project cannot be linted; the message has the reason."""


def lint_project(project: Project, options: Mapping[str, object], progress: Progress) -> LintResult:
    """Lint the project with all rules; fixes are not tried yet.

    Raises:
        LintError: no rules apply to the project, or a configuration is wrong.
    """
    from analyzer.session.lint.read import read

    try:
        sources = read(request_of(project, options))
        progress(f"compiling and checking {counted(len(sources.files), 'manifest')}")
        found, errors = in_child(partial(check, sources), project.path)
        return LintResult(found, errors, sources)
    except InputError as error:
        raise LintError(str(error)) from None


def check(sources: Sources) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    """Return the findings in what was read, and the inputs that could not be read."""
    from analyzer.session.lint.check import check_sources

    done = check_sources(sources)
    return tuple(done.found), tuple(map(str, done.errors))


def request_of(project: Project, options: Mapping[str, Any]) -> Any:
    """Return the request for the linter.

    Raises:
        InputError: a configuration is wrong.
        LintError: no rules apply to the project.
    """
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.linter.policies import Assumed
    from analyzer.session.inputs import load_catalogs
    from analyzer.session.lint.request import Request, choice_of, rules_by_path
    from tui.project.catalog import compile_settings
    from tui.project.project import OpenRequest

    if project.kind not in ("catalog", "manifests", "policy"):
        raise LintError(f"a {project.kind} cannot be linted: open its catalog or manifests")
    version = project.settings.puppet_version
    request = OpenRequest(project.path, options)
    settings = compile_settings(request, project.config, version)
    settings = settings or Settings(puppet_version=version)
    return Request(
        (project.path,),
        choice_of(project.config),
        lambda _: settings,
        rules_by_path(options.get("config")),
        lambda path: load_catalogs(path, settings),
        assumed=Assumed.from_options(options.get("define"), options.get("outcome")),
    )


def fixed(sources: Sources, found: Found) -> Finding:
    """Return a finding with the fixes that work."""
    from analyzer.session.lint.catalogs import compile_inputs
    from analyzer.session.lint.trials import FixTrials

    return FixTrials(sources, compile_inputs(sources)).fixed(found)


def fix_of(linted: LintResult, found: Found) -> tuple[Fix, dict[str, str]] | None:
    """Try the fix of a finding; return it with the files after it, None if it does not work."""
    fixes = in_child(partial(fixed, linted.sources, found), found.finding.path).fixes
    if not fixes:
        return None
    texts = {edit.file: linted.sources.texts.get(edit.file) or "" for edit in fixes[0].edits}
    return fixes[0], edited(fixes[0].edits, texts)
