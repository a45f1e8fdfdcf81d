"""The lint of what is open, in steps that can be told of, and the fix of one finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import Finding, InputError
from analyzer.linter.run import Found
from analyzer.linter.verify import edited

if TYPE_CHECKING:
    from analyzer.diagnostics import Fix
    from analyzer.session.lint import Lint
    from tui.project.project import Project

# Told what is being done.
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Linted:
    """What the lint found; `errors` say what could not be read, `lint` tries fixes."""

    found: tuple[Found, ...]
    errors: tuple[str, ...]
    lint: Lint

    @property
    def findings(self) -> list[Finding]:
        """The findings, in the order of the files."""
        return [one.finding for one in self.found]


class LintError(Exception):
    """There is nothing to lint; the message says why."""


def lint_project(project: Project, options: Mapping[str, Any], progress: Progress) -> Linted:
    """Look at what is open with all rules; fixes are not tried yet.

    Raises:
        LintError: it is nothing that rules are about, or a configuration means nothing.
    """
    from analyzer.session.lint import Lint

    try:
        lint = Lint(request_of(project, options))
        progress(f"reading {len(lint.files):,} manifests")
        _ = lint.manifests
        progress("compiling and relating")
        _ = lint.runs
        progress("applying the rules")
        return Linted(tuple(lint.found), tuple(map(str, lint.errors)), lint)
    except InputError as error:
        raise LintError(str(error)) from None


def request_of(project: Project, options: Mapping[str, Any]) -> Any:
    """Return what to lint.

    Raises:
        InputError: a configuration means nothing.
        LintError: there are no rules for what is open.
    """
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.linter.policies import Assumed
    from analyzer.session import load_catalogs
    from analyzer.session.lint import Request
    from analyzer.session.lint_request import choice_of, rules_by_path
    from tui.project import opening

    if project.kind not in ("catalog", "manifests", "policy"):
        raise LintError(f"there are no rules for a {project.kind}: open its catalog or manifests")
    version = project.settings.puppet_version
    asked = opening.Request(project.path, options)
    settings = opening.compile_settings(asked, project.config, version)
    settings = settings or Settings(puppet_version=version)
    return Request(
        (project.path,),
        choice_of(project.config),
        lambda _: settings,
        rules_by_path(options.get("config")),
        lambda path: load_catalogs(path, settings),
        assumed=Assumed.told(options.get("define"), options.get("outcome")),
    )


def fix_of(linted: Linted, found: Found) -> tuple[Fix, dict[str, str]] | None:
    """Try the fix of a finding; return it with the files' texts after it, None if none works."""
    fixes = linted.lint.fixed(found).fixes
    if not fixes:
        return None
    texts = {edit.file: linted.lint.texts.get(edit.file) or "" for edit in fixes[0].edits}
    return fixes[0], edited(fixes[0].edits, texts)
