"""The lint from paths to findings: read, apply the rules, leave out what is accepted, try fixes."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from analyzer.diagnostics import Finding, InputError, Results
from analyzer.frontends.puppet.environment import Settings
from analyzer.graph.autorelations import Rules
from analyzer.linter.choice import Choice
from analyzer.linter.inputs import manifests_below, modules_in
from analyzer.linter.programs import Program, compiled_of
from analyzer.linter.rule import Rule, all_rules
from analyzer.linter.run import Found, Subject, run
from analyzer.linter.subjects import Compiled, Manifest, Refusal, manifest_of
from analyzer.linter.suppress import accepts
from analyzer.linter.texts import Texts
from analyzer.linter.verify import verify
from analyzer.model.catalog import Catalog
from analyzer.source import Span

# Findings whose proposals are tried: each takes a compile of everything.
TRIED = 100


@dataclass(frozen=True)
class Request:
    """What to lint, and how: settings and rules of the graph by input.

    `keep` tells of a finding whether it is wanted at all, before fixes are tried. `fixes` says
    whether to try them, `shuffle` how many random orders to walk.
    """

    paths: tuple[str, ...]
    choice: Choice = field(default_factory=Choice)
    settings_for: Callable[[str], Settings] = lambda path: Settings()
    rules_for: Callable[[Catalog], Rules | None] = lambda catalog: None
    load: Callable[[str], list[Catalog]] = lambda path: []
    keep: Callable[[Finding], bool] = lambda finding: True
    fixes: bool = True
    shuffle: int = 0


class Lint:
    """One look at the inputs; `overlay` are texts that count instead of those on disk.

    `only` are the names of what to compile, None for everything.
    """

    def __init__(
        self,
        request: Request,
        overlay: Mapping[str, str] | None = None,
        only: Container[str] | None = None,
    ) -> None:
        self.request = request
        self.only = only
        self.overlay = dict(overlay or {})
        self.texts = Texts(self.overlay)
        self.unreadable: list[tuple[str, str]] = []
        self.errors: list[InputError] = []

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules to apply.

        Raises:
            InputError: a code means none.
        """
        return self.request.choice.rules(all_rules())

    @cached_property
    def files(self) -> list[str]:
        """The manifests that are looked at one by one."""
        below = (f for path in self.request.paths for f in manifests_below(path))
        return list(dict.fromkeys(below))

    @property
    def subjects(self) -> list[Subject]:
        """Everything that rules look at."""
        return [*self.manifests, *self.runs]

    @cached_property
    def manifests(self) -> list[Manifest]:
        """The manifests one by one; those that are no Puppet programs end their compiles."""
        texts = ((file, self.texts.get(file)) for file in self.files)
        found = (manifest_of(file, text) for file, text in texts if text is not None)
        return [manifest for manifest in found if manifest is not None]

    @cached_property
    def runs(self) -> list[Compiled | Refusal]:
        """What the inputs were compiled to; what cannot be read is remembered."""
        found: list[Compiled | Refusal] = []
        for path in self.request.paths:
            try:
                found += self._read(path)
            except InputError as error:
                self.unreadable.append((path, str(error)))
                self.errors.append(error)
        return found

    def _read(self, path: str) -> list[Compiled | Refusal]:
        if is_document(path):
            request = self.request
            version = request.settings_for(path).puppet_version
            return [
                compiled_of(
                    path,
                    catalog,
                    request.rules_for(catalog),
                    version,
                    self.texts,
                    shuffle=request.shuffle,
                )
                for catalog in request.load(path)
            ]
        return [
            one
            for program in self._programs(path)
            for one in program.compiled(self.overlay, self.only)
        ]

    def _programs(self, path: str) -> list[Program]:
        request = self.request
        settings = request.settings_for(path)
        modules = modules_in(path)
        if modules:
            return [
                Program(m.folder, settings, request.rules_for, m, request.shuffle) for m in modules
            ]
        if not os.path.isdir(path) and not os.path.exists(path):
            raise InputError("cannot be read: No such file or directory", Span(path))
        return [Program(path, settings, request.rules_for, None, request.shuffle)]

    @property
    def compiled(self) -> list[Compiled]:
        """The catalogs among the subjects."""
        return [run for run in self.runs if isinstance(run, Compiled)]

    @cached_property
    def found(self) -> list[Found]:
        """What the rules find and nobody has accepted, by file and line."""
        request = self.request
        found = run(self.rules, self.subjects)
        told = (replace(f, finding=one) for f in found for one in request.choice.told([f.finding]))
        return [f for f in told if self.is_told(f.finding)]

    def is_told(self, finding: Finding) -> bool:
        """Tell whether a finding is of interest and nobody has accepted it."""
        wanted = self.concerns(finding) and self.request.keep(finding)
        return wanted and not accepts(finding, self.texts.get)

    def concerns(self, finding: Finding) -> bool:
        """Tell whether a finding is about what the user named.

        What others' modules do is theirs, unless a site cannot be applied for it.
        """
        error = finding.severity == "error"
        if finding.span is None or is_document(finding.path):
            return True
        if error and finding.path not in self.modules:
            return True
        steps = [step.span.file for step in finding.steps if step.span] if error else []
        return any(map(self.is_named, [finding.span.file, *steps]))

    @cached_property
    def modules(self) -> set[str]:
        """The folders of modules that are compiled by themselves."""
        return {module.folder for path in self.request.paths for module in modules_in(path)}

    def is_named(self, file: str) -> bool:
        """Tell whether a file is one of the inputs, or below one."""
        places = (os.path.abspath(path) for path in self.request.paths)
        return any(os.path.abspath(file).startswith((f"{p}{os.sep}", p)) for p in places)

    def results(self) -> Results:
        """Return the findings, with the fixes that were tried and work."""
        left = TRIED if self.request.fixes else 0
        findings = []
        for found in self.found:
            if found.proposals and left > 0:
                left -= 1
                findings.append(self.fixed(found))
            else:
                findings.append(found.finding)
        return Results(
            tuple(findings),
            tuple(rule.issue for rule in self.rules),
            self.inputs,
            tuple(self.unreadable),
            summary(findings, self),
        )

    @property
    def inputs(self) -> tuple[str, ...]:
        """The files that were read, as far as the user named them."""
        failed = {path for path, _ in self.unreadable}
        return tuple(path for path in self.request.paths if path not in failed)

    def fixed(self, found: Found) -> Finding:
        """Return a finding with its fixes."""
        files = {edit.file for proposal in found.proposals for edit in proposal.edits}
        texts = {file: text for file in files if (text := self.texts.get(file)) is not None}
        if len(texts) < len(files):
            return found.finding
        before = [one for one in self.compiled if files & one.files]
        # A module's classes are many, and have nothing to do with each other.
        before = [one for one in before if not one.partial or one.name == found.finding.input]
        names = {compiled.name for compiled in before}

        def recompile(changed: Mapping[str, str]) -> list[Compiled]:
            return Lint(self.request, {**self.overlay, **changed}, names).compiled

        return replace(found.finding, fixes=verify(found, texts, before, recompile))


def is_document(path: str) -> bool:
    """Tell whether an input is a catalog that was compiled elsewhere."""
    return not (path.endswith(".pp") or os.path.isdir(path))


def summary(findings: Sequence[Finding], lint: Lint) -> str:
    """Return what was found in what, in a line."""
    counts = {s: sum(f.severity == s for f in findings) for s in ("error", "warning", "note")}
    parts = [counted(count, word) for word, count in counts.items() if count]
    refused = sum(isinstance(one, Refusal) and one.partial for one in lint.runs)
    where = [counted(len(lint.manifests), "manifest")] if lint.manifests else []
    where += [counted(len(lint.compiled), "catalog")] if lint.compiled else []
    text = f"{', '.join(parts) or 'nothing found'} in {' and '.join(where) or 'no input'}"
    if refused:
        text += f"; {counted(refused, 'class', 'classes')} not compiled without parameters or facts"
    return text + (f"; {len(lint.unreadable)} unreadable" if lint.unreadable else "")


def counted(count: int, noun: str, many: str = "") -> str:
    """Return `1 error`, `1,000 errors`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
