"""Tries the fixes of findings: what a change of files may affect is compiled again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from analyzer.compiles.overlay import Overlay
from analyzer.diagnostics import Finding
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.policies import PolicyRun
from analyzer.linter.puppet.compiles import are_of_moment
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.run import Found
from analyzer.reading import note_clock
from analyzer.session.lint.catalogs import CompiledInputs, compile_inputs, with_graphs
from analyzer.session.lint.kept_fixes import FixTrial, KeptFixes
from analyzer.session.lint.read import Sources, changed
from analyzer.session.lint.scope import affected_by


class FixTrials:
    """The trials of fixes in one check of the inputs.

    `last` is the last compile with a change, `resources` the number of resources compiled again,
    `kept` the trials of earlier checks.
    """

    def __init__(self, sources: Sources, compiled: CompiledInputs) -> None:
        self.sources = sources
        self.compiled = compiled
        self.last: CompiledInputs | None = None
        self.resources = 0
        kept = sources.kept
        self.kept = None if kept is None else KeptFixes(kept, sources.request.paths)
        # The findings in policies, by what was looked at.
        self.policy_findings: dict[str, set[tuple[str, str]]] = {}

    def fixed(self, found: Found) -> Finding:
        """Return a finding with the fixes that work."""
        if found.rule.on is PolicyRun:
            return self._fixed_policy(found)
        files = {edit.file for proposal in found.proposals for edit in proposal.edits}
        texts = self.texts_of(files)
        if len(texts) < len(files):
            return found.finding
        catalogs = self.affected(found, files)
        make = partial(self.trial, found, texts, catalogs)
        names = {one.name for one in catalogs}
        trial = make() if self.kept is None else self.kept.trial(found, names, make)
        self.resources += trial.resources
        return replace(found.finding, fixes=trial.fixes)

    def trial(
        self,
        found: Found,
        texts: Mapping[str, str],
        catalogs: Sequence[Compiled | CheckedCatalog],
    ) -> FixTrial:
        """Try the proposals of a finding on the catalogs that a change of texts may change."""
        from analyzer.linter.verify import verify

        before = with_graphs(self.compiled, catalogs)
        resources = sum(len(c.graph.resources) for c in before) * len(found.proposals)
        again = self.compiling_again({one.name for one in before})
        return FixTrial(verify(found, texts, before, again), resources)

    def _fixed_policy(self, found: Found) -> Finding:
        from analyzer.linter.verify_policy import verify

        policies = self.sources.policies
        files = {edit.file for proposal in found.proposals for edit in proposal.edits}
        texts = self.texts_of(files)
        before = policies.using(files) if len(texts) == len(files) and policies.may_try() else []
        reload = self.loading_again({run.name for run in before})
        rules = list(self.sources.rules)
        fixes = verify(found, texts, before, reload, rules, self.policy_findings)
        return replace(found.finding, fixes=fixes)

    def texts_of(self, files: set[str]) -> dict[str, str]:
        """Return the texts of files that can be read."""
        found = {file: self.sources.texts.get(file) for file in files}
        return {file: text for file, text in found.items() if text is not None}

    def affected(self, found: Found, files: set[str]) -> list[Compiled | CheckedCatalog]:
        """Return the catalogs that a change of files may change; of a module only some."""
        return affected_by(found, files, self.compiled.catalogs, self.sources.names.of)

    def with_change(self, texts: Mapping[str, str]) -> Sources:
        """Return the sources with changed texts of some files."""
        return changed(self.sources, {**self.sources.texts.overlay, **Overlay(texts)})

    def compiling_again(self, names: set[str]) -> Callable[[Mapping[str, str]], list[Compiled]]:
        """Return a function that compiles some of the inputs with changed texts."""

        def compile_again(texts: Mapping[str, str]) -> list[Compiled]:
            self.last = compile_inputs(self.with_change(texts), self.compiled, names)
            if any(are_of_moment(program.manifests) for program in self.last.compiles.every):
                note_clock()
            return with_graphs(self.last, self.last.catalogs)

        return compile_again

    def loading_again(self, names: set[str]) -> Callable[[Mapping[str, str]], list[PolicyRun]]:
        """Return a function that loads some of the policies with changed texts."""

        def load_again(texts: Mapping[str, str]) -> list[PolicyRun]:
            return [run for run in self.with_change(texts).policies.runs if run.name in names]

        return load_again
