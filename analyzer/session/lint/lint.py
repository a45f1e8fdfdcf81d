"""Runs the lint: reads the inputs, applies the rules, drops accepted findings, tests fixes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from analyzer.diagnostics import Finding, Results
from analyzer.frontends.puppet.node.modules import manifests_below
from analyzer.linter.checked import CheckedCatalog, CheckedSubject, compared_with_graphs
from analyzer.linter.failures import Failure, tried
from analyzer.linter.gathered import gathered
from analyzer.linter.policies import PolicyRun, PolicyText
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled, Manifest, Refusal
from analyzer.linter.puppet.together import Together
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.linter.run import Found, Subject, check_catalog, place_in_report, renamed, run
from analyzer.linter.suppress import Comments, Ledger, comments
from analyzer.linter.texts import Names, Overlay, Texts
from analyzer.linter.vendored import Vendored
from analyzer.model.completeness import Gap
from analyzer.reach import RealPaths
from analyzer.session.lint.compiles import Compiles, Run
from analyzer.session.lint.coverage import Coverage, summary
from analyzer.session.lint.inputs import Part
from analyzer.session.lint.kept import Kept, KeptManifests
from analyzer.session.lint.manifests import Manifests
from analyzer.session.lint.missing_modules import installed_for
from analyzer.session.lint.own_code import Definition, definitions_in
from analyzer.session.lint.parts import Answer, Shared, answer_of
from analyzer.session.lint.policies import Policies
from analyzer.session.lint.request import Request, readable
from analyzer.session.lint.scope import Scope, affected_by
from analyzer.session.lint.worlds import OtherWorlds

__all__ = ("Lint", "Request")

# The most findings whose fixes are tried: each compiles everything that the change affects.
TRIED = 100
# The most resources compiled for that: fewer fixes are tried in large catalogs, but at least one.
COMPILED = 20_000


class Lint:
    """One check of the inputs; `overlay` are texts that replace those on disk.

    `only` are the names to compile, None for all; `before` is an earlier check to reuse.
    """

    def __init__(
        self,
        request: Request,
        overlay: Mapping[str, str] | None = None,
        only: Container[str] | None = None,
        before: Lint | None = None,
    ) -> None:
        self.request = request
        self.only = only
        self.real = RealPaths()
        self.texts = Texts(overlay, lambda file: self.real.is_below(file, self.roots))
        self.names = Names(request.paths)
        self.compiles: Compiles = Compiles(
            request,
            self.texts,
            self.vendored,
            lambda: self.definitions,
            before.compiles if before else None,
        )
        self.unreadable, self.errors = self.compiles.unreadable, self.compiles.errors
        self.empty = self.compiles.empty
        self.closed: list[Gap] = []
        # The catalogs with their graphs, by name and input, for subjects that are stored results.
        self.graphs: dict[tuple[str, str], Compiled] = {}
        # The findings in policies, for the fixes that are tried.
        self.policy_findings: dict[str, set[tuple[str, str]]] = {}
        # The cost of the fixes that were tried, the findings whose fixes were not, and the last
        # try.
        self.compiled_again = self.untried = 0
        self.tried: Lint | None = None
        self.others = Vendored(request.paths, self.real)
        self.left_to_others: set[str] = set()

    @cached_property
    def roots(self) -> frozenset[str]:
        """Return the real paths below which files may be read and shown."""
        return readable(self.request)

    @cached_property
    def rules(self) -> list[Rule]:
        """Return the rules to apply; raise an InputError for a code without a rule."""
        return self.request.choice.rules(self.known)

    @cached_property
    def known(self) -> dict[str, Rule]:
        """Return the rules of catgraph, of plugins and of the project, by code."""
        return {**all_rules(), **self.request.choice.own}

    @cached_property
    def files(self) -> list[str]:
        """Return the manifests that are checked one by one, each once."""
        below = (f for path in self.request.paths for f in manifests_below(path, self.closed))
        files = {self.real.of(file): self.names.of(file) for file in below}
        return sorted(file for file in files.values() if not self.vendored(file))

    @cached_property
    def definitions(self) -> list[Definition]:
        """Return the classes and defined types of these manifests."""
        return definitions_in(self.files, self.texts.get, self.request.paths)

    def vendored(self, file: str) -> bool:
        """Return whether a file is in a module of others, whose findings are not reported."""
        folder = "" if self.request.include_vendored else self.others.module_of(file)
        if folder:
            self.left_to_others.add(folder)
        return bool(folder)

    @property
    def subjects(self) -> list[Subject | CheckedSubject]:
        """Return all subjects of rules except the comments."""
        return [
            *self.manifests.subjects,
            *self.broken,
            *self.runs,
            *self.policies.refused,
            *self.policies.runs,
            *self.manifests.failures.values(),
            *self._together(),
        ]

    def _together(self) -> list[Together]:
        """Return the catalogs that rules compare, if some are stored results."""
        wanted = compared_with_graphs(self.catalogs)
        return [Together(tuple(self.with_graphs(wanted)))] if wanted else []

    @cached_property
    def kept(self) -> Kept | None:
        """Return the results of earlier checks, None if the inputs differ from those on disk."""
        identity, changed = self.request.identity, self.texts.overlay or self.only is not None
        if identity is None or changed or any(rule.kind == "plugin" for rule in self.rules):
            return None
        return Kept(identity, self.rules, self.request.paths)

    @cached_property
    def shared(self) -> Shared:
        """Return the results of other processes."""
        return Shared(self.rules)

    @cached_property
    def manifests(self) -> Manifests:
        """Return the manifests one by one."""
        kept = self.kept
        known = KeptManifests(kept, self.request.paths, self.roots) if kept else None
        return Manifests(self.files, self.texts, self.rules, known, self.request.workers)

    @cached_property
    def policies(self) -> Policies:
        """Return the policies of CFEngine."""
        asked = self.request
        return Policies(asked.paths, asked.assumed, self.texts, self.names, asked.allow_read)

    @property
    def broken(self) -> list[Refusal]:
        """Return the errors of manifests that are not Puppet programs, compiled or not."""
        return self.manifests.broken

    @cached_property
    def runs(self) -> list[Run]:
        """Return the results of compiling the inputs; record those that cannot be read."""
        if self.kept is not None and (workers := self.request.workers) is not None:
            self.shared.make(self.compiles, self.kept.stale, workers, self.answer)
        found = self.compiles.runs(self._runs_of)
        if self.only is None:  # A check of a few compiles skips policies.
            self.unreadable += [(one.span.file, str(one)) for one in self.policies.unreadable]
            self.errors += self.policies.unreadable
        return found

    def _runs_of(self, program: Program) -> list[Run]:
        """Return the results of a program, with those of the rules if these are stored."""
        if self.kept is None:
            return [*program.compiled(self.texts.overlay, self.only)]

        def made(names: Container[str] | None) -> list[CheckedCatalog | Refusal | Failure]:
            found = self.shared.take(program)
            return [*self._results(program, names)] if found is None else found

        return [*self.kept.runs(program, made)]

    def _results(
        self, program: Program, names: Container[str] | None = None
    ) -> Iterator[CheckedCatalog | Refusal | Failure]:
        """Compile a program, and apply the rules to its catalogs."""
        for one in program.compiled(self.texts.overlay, names):
            if isinstance(one, Compiled):
                self.graphs[one.name, one.path] = one
                yield check_catalog(self.rules, one)
            else:
                yield one

    def answer(self, part: Part) -> Answer:
        """Return the results of a part of the work."""
        if part.number < 0:
            return self.manifests.rows(part.names), {}, None
        program = self.compiles.of(part.path)[part.number]
        return answer_of(program, self._results(program, part.names))

    @property
    def catalogs(self) -> list[Compiled | CheckedCatalog]:
        """Return the catalogs among the subjects."""
        return [run for run in self.runs if isinstance(run, Compiled | CheckedCatalog)]

    @property
    def compiled(self) -> list[Compiled]:
        """Return the catalogs among the subjects, with their graphs."""
        return self.with_graphs(self.catalogs)

    def with_graphs(self, catalogs: Sequence[Compiled | CheckedCatalog]) -> list[Compiled]:
        """Return catalogs with their graphs; compile those of which only results are stored."""
        checked = [one for one in catalogs if isinstance(one, CheckedCatalog)]
        missing = {one.name for one in checked if (one.name, one.path) not in self.graphs}
        if missing:
            made = Lint(self.request, self.texts.overlay, missing, self).compiled
            self.graphs |= {(one.name, one.path): one for one in made}
        known = self.graphs
        found = (c if isinstance(c, Compiled) else known.get((c.name, c.path)) for c in catalogs)
        return [one for one in found if one is not None]

    @cached_property
    def worlds(self) -> OtherWorlds:
        """Return the findings with other facts and parameters."""
        return OtherWorlds(self.request, self.compiles, [one.code for one in self.rules], self.kept)

    @cached_property
    def found(self) -> list[Found]:
        """Return the findings that no comment accepts, by file and line."""
        try:
            found = self._found()
            if self.kept is not None:
                self.kept.index.save()
            return found
        finally:
            if self.request.workers is not None:
                self.request.workers.close()

    def _found(self) -> list[Found]:
        ledger = Ledger(self.texts.get)
        found = self._unaccepted(self.rules, self.subjects, ledger)
        found += self.worlds.found(self.rules, found, self.names, ledger)
        if any(rule.on is Comments for rule in self.rules):
            texts: list[Manifest | PolicyText] = [*self.manifests.commented]
            texts += self.policies.readable
            used = [self._comments(one, ledger) for one in texts if comments(one.text)]
            found += self._unaccepted(self.rules, used, ledger)
        wanted = (f for f in found if self.concerns(f.finding) and self.request.keep(f.finding))
        known, paths = installed_for(self.compiles.every), self.request.paths
        return gathered(sorted(wanted, key=place_in_report), self.texts.get, known, paths)

    def _unaccepted(
        self, rules: list[Rule], subjects: Iterable[Subject | CheckedSubject], ledger: Ledger
    ) -> list[Found]:
        found = run(rules, subjects, partial(renamed, self.names))
        choice = self.request.choice
        reported = [replace(f, finding=one) for f in found for one in choice.reported([f.finding])]
        return [f for f in reported if not ledger.accepts(f.finding)]

    def _comments(self, manifest: Manifest | PolicyText, ledger: Ledger) -> Comments:
        """Return the comments of a manifest, as the rules that were applied use them."""
        known, choice = self.known, self.request.choice
        compiled = isinstance(manifest, PolicyText) or (manifest.file in self.used and self.whole)
        ran = {
            rule.code
            for rule in self.rules
            if (compiled or rule.on not in (Compiled, PolicyRun))
            and not choice.is_left_out(rule.code, manifest.file)
        }
        expected = ran | {rule.code for rule in known.values() if rule.default}
        return ledger.comments_of(manifest, list(known), expected, ran)

    @cached_property
    def whole(self) -> bool:
        """Return whether all inputs were compiled completely: then no finding can be missing."""
        return len(self.catalogs) == len(self.runs) and all(one.complete for one in self.catalogs)

    @cached_property
    def used(self) -> set[str]:
        """Return the manifests that catalogs were compiled from."""
        return {self.names.of(file) for one in self.catalogs for file in one.files}

    def concerns(self, finding: Finding) -> bool:
        """Return whether a finding is about an input that the user named."""
        scope = Scope(self.modules, self.vendored, self.names.names)
        return scope.has(finding, self.known[finding.code].kind)

    @cached_property
    def modules(self) -> set[str]:
        """Return the folders of modules that are compiled by themselves."""
        return {one.module.folder for one in self.compiles.every if one.module is not None}

    def results(self) -> Results:
        """Return the findings, with the fixes that passed their tests."""
        left = TRIED if self.request.fixes else 0
        findings = []
        for found in self.found:
            wanted = self.may_fix(found)
            if wanted and left > 0 and self.compiled_again < COMPILED:
                left -= 1
                findings += self._tried(found)
            else:
                self.untried += wanted and self.request.fixes
                findings.append(found.finding)
        return Results(
            tuple(findings),
            tuple(rule.issue for rule in self.rules),
            self.inputs,
            tuple(self.unreadable),
            summary(findings, self.seen),
            self.seen.gaps,
        )

    @cached_property
    def to_fix(self) -> set[int]:
        """Return the identities of the findings that get fixes."""
        return set(map(id, self.request.to_fix([one.finding for one in self.found])))

    def may_fix(self, found: Found) -> bool:
        """Return whether a finding gets fixes: the user has not accepted it."""
        return bool(found.proposals) and id(found.finding) in self.to_fix

    @cached_property
    def seen(self) -> Coverage:
        """Return the coverage of the inputs, with gaps."""
        return Coverage(
            len(self.manifests.subjects), self.policies.count, self.runs, len(self.unreadable),
            tuple(self.empty), self.untried, tuple(r.code for r in self.rules if r.acyclic),
            len(self.left_to_others), self.broken, any(r.code == "CG200" for r in self.rules),
            (*self.closed, *self.worlds.gaps), self.names,
        )  # fmt: skip

    def _tried(self, found: Found) -> list[Finding]:
        """Return a finding with its fixes; an internal error becomes another finding."""
        finding = found.finding
        what = f"the fix of {finding.code} in {finding.input}"
        fixed = tried(partial(self.fixed, found), what, finding.input, finding.path)
        if not isinstance(fixed, Failure):
            return [fixed]
        failures = self._unaccepted(self.rules, [fixed], Ledger(self.texts.get))
        return [finding, *(one.finding for one in failures)]

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the files that were read and that the user named."""
        return tuple(path for path in self.request.paths if path not in dict(self.unreadable))

    def fixed(self, found: Found) -> Finding:
        """Return a finding with its fixes."""
        if found.rule.on is PolicyRun:
            return self._fixed_policy(found)
        from analyzer.linter.verify import verify

        files = {edit.file for proposal in found.proposals for edit in proposal.edits}
        texts = {file: text for file in files if (text := self.texts.get(file)) is not None}
        if len(texts) < len(files):
            return found.finding
        before = self.affected(found, files)
        names = {compiled.name for compiled in before}
        self.compiled_again += sum(len(c.graph.resources) for c in before) * len(found.proposals)

        def recompile(changed: Mapping[str, str]) -> list[Compiled]:
            changed = {**self.texts.overlay, **Overlay(changed)}
            self.tried = Lint(self.request, changed, names, self)
            return self.tried.compiled

        return replace(found.finding, fixes=verify(found, texts, before, recompile))

    def _fixed_policy(self, found: Found) -> Finding:
        """Return a finding about a policy with its fixes."""
        from analyzer.linter.verify_policy import verify

        files = {edit.file for proposal in found.proposals for edit in proposal.edits}
        texts = {file: text for file in files if (text := self.texts.get(file)) is not None}
        whole = len(texts) == len(files) and self.policies.may_try()
        before = self.policies.using(files) if whole else []
        names = {run.name for run in before}

        def reload(changed: Mapping[str, str]) -> list[PolicyRun]:
            changed = {**self.texts.overlay, **Overlay(changed)}
            runs = Lint(self.request, changed).policies.runs
            return [run for run in runs if run.name in names]

        fixes = verify(found, texts, before, reload, self.rules, self.policy_findings)
        return replace(found.finding, fixes=fixes)

    def affected(self, found: Found, files: set[str]) -> list[Compiled]:
        """Return the catalogs that a change of files may change; of a module only some."""
        return self.with_graphs(affected_by(found, files, self.catalogs, self.names.of))
