"""Finds the fixes of one check of the inputs: together if possible, else one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from analyzer.diagnostics import Finding, Fix
from analyzer.linter.policies import PolicyRun
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Proposal
from analyzer.linter.run import Found, cause
from analyzer.linter.verify import doubts, with_line_ends
from analyzer.linter.verify_batch import Batch, ChosenFix, apart, verify_batch, verify_policies
from analyzer.session.lint.catalogs import with_graphs
from analyzer.session.lint.check import LintCheck
from analyzer.session.lint.trials import FixTrials


@dataclass(slots=True)
class CheckResults:
    """The results of earlier checks, by the cause of a finding.

    `failed` has the findings without a fix that is wanted, and whether there is an unsafe one.
    `alone` are fixes to try alone, because they failed together with others. `needed` are fixes
    that others seemed to imply but do not.
    """

    failed: dict[object, bool] = field(default_factory=dict)
    alone: set[object] = field(default_factory=set)
    needed: set[object] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Fixing:
    """Findings that were fixed together, with the effect of that on the order."""

    findings: tuple[Finding, ...]
    fix: Fix


class Round:
    """One check, and the fixes of its findings."""

    def __init__(
        self, check: LintCheck, trials: FixTrials, known: CheckResults, *, unsafe: bool
    ) -> None:
        self.found, self.to_fix = check.found, check.to_fix
        self.sources = check.sources
        self.trials = trials
        self.known = known
        self.unsafe = unsafe
        # The catalogs that some files may change, as `Trials.affected` finds them.
        self.concerned: dict[object, list[Compiled]] = {}

    def fixing(self) -> Fixing | None:
        """Return fixes that work, None if there are no more.

        All likely fixes are compiled together; if they fail, they are tried in halves. A finding
        whose fix fails together with others is tried alone, in a later check, with all of its
        proposals.
        """
        ready, unsafe = self._candidates()
        batch = self._largest(ready)
        if batch is not None:
            return fixing_of(self._without_implied(batch))
        held = {key_of(one.found) for one in unsafe}
        for found in self._open:
            key = key_of(found)
            finding = None if key in held or key in self.known.failed else self._alone(found)
            if finding is not None:
                return Fixing((finding,), finding.fixes[0])
        self._hold(unsafe)
        return None

    def _candidates(self) -> tuple[list[ChosenFix], list[ChosenFix]]:
        """Return fixes to try together, and fixes that are not wanted."""
        ready, unsafe = [], []
        for found in self._open:
            choices = [choice for one in found.proposals if (choice := self._chosen(found, one))]
            safe = [one for one in choices if not one.unsafe]
            if not choices:
                self.known.failed[key_of(found)] = False
            elif not safe and not self.unsafe:
                unsafe.append(choices[0])
            elif key_of(found) not in self.known.alone:
                # Only a compile shows which of several unsafe fixes is the best one.
                ready += safe[:1] or [one for one in choices if is_only(one)]
        first, second = map(self._apart, by_kind(ready))
        return first or second, unsafe

    def _apart(self, chosen: Sequence[ChosenFix]) -> list[ChosenFix]:
        return apart(chosen, self._texts)

    def _hold(self, unsafe: Sequence[ChosenFix]) -> None:
        """Record which unsafe fixes would work; test them one by one if they may conflict."""
        pending = [*map(self._apart, by_kind(unsafe))]
        while pending:
            part = pending.pop()
            if part and self._tried(part) is not None:
                self.known.failed |= {key_of(one.found): True for one in part}
            elif len(part) > 1:
                half = len(part) // 2
                pending += [part[half:], part[:half]]
        for one in unsafe:
            if key_of(one.found) not in self.known.failed:
                self._alone(one.found)

    @cached_property
    def _open(self) -> list[Found]:
        """Return the findings that may still get a fix."""
        return [
            found
            for found in self.found
            if id(found.finding) in self.to_fix and key_of(found) not in self.known.failed
        ]

    @cached_property
    def _texts(self) -> dict[str, str]:
        """Return the texts of the files that fixes change."""
        files = {e.file for found in self._open for p in found.proposals for e in p.edits}
        texts = {file: self.sources.texts.get(file) for file in sorted(files)}
        return {file: text for file, text in texts.items() if text is not None}

    def _chosen(self, found: Found, proposal: Proposal) -> ChosenFix | None:
        """Return the proposal of a finding if all its files were named by the user, else None."""
        files = {edit.file for edit in proposal.edits}
        if not files <= self._texts.keys() or not all(map(self.sources.names.names, files)):
            return None
        own = with_line_ends(proposal, self._texts)
        if is_policy(found):
            return ChosenFix(found, own)
        before = self._affected(found, files)
        return ChosenFix(found, own, doubts(own, before)) if before else None

    def _affected(self, found: Found, files: set[str]) -> list[Compiled]:
        kind = found.rule.on is Compiled
        key = frozenset(files), found.finding.input, kind
        if key not in self.concerned:
            trials = self.trials
            self.concerned[key] = with_graphs(trials.compiled, trials.affected(found, files))
        return self.concerned[key]

    def _largest(self, ready: Sequence[ChosenFix]) -> Batch | None:
        """Return those of some fixes that work together, None if none works."""
        batch: Batch | None = None
        pending = [list(ready)] if ready else []
        while pending:
            part = pending.pop()
            held = list(batch.chosen) if batch else []
            tried = self._verified([*held, *part])
            if tried is not None:
                batch = tried
            elif len(part) > 1:
                half = len(part) // 2
                pending += [part[half:], part[:half]]
            else:
                self.known.alone.add(key_of(part[0].found))
        return batch

    def _without_implied(self, batch: Batch) -> Batch:
        """Return a batch without the fixes whose findings disappear with the other fixes."""
        spare = {key_of(one.found) for one in batch.implied} - self.known.needed
        self.known.needed |= spare
        left = [one for one in batch.chosen if key_of(one.found) not in spare]
        smaller = self._verified(left) if spare and left else None
        return smaller or batch

    def _verified(self, chosen: Sequence[ChosenFix]) -> Batch | None:
        """Return fixes as a batch if they work and are wanted."""
        last = self.trials.last
        batch = self._tried(chosen)
        if batch is not None and (self.unsafe or not batch.fix.unsafe):
            return batch
        # The next check uses the catalogs of the last fixes that work.
        self.trials.last = last
        return None

    def _tried(self, chosen: Sequence[ChosenFix]) -> Batch | None:
        """Return fixes as a batch if they work."""
        files = {edit.file for one in chosen for edit in one.proposal.edits}
        texts = {file: self._texts[file] for file in files}
        if is_policy(chosen[0].found):
            return self._policies(chosen, texts)
        return self._manifests(chosen, texts)

    def _manifests(self, chosen: Sequence[ChosenFix], texts: Mapping[str, str]) -> Batch | None:
        wanted: set[int] = set()
        for one in chosen:
            files = {edit.file for edit in one.proposal.edits}
            wanted |= set(map(id, self._affected(one.found, files)))
        compiled = self.trials.compiled
        before = [one for one in with_graphs(compiled, compiled.catalogs) if id(one) in wanted]
        names = {one.name for one in before}
        return verify_batch(chosen, texts, before, self.trials.compiling_again(names))

    def _policies(self, chosen: Sequence[ChosenFix], texts: Mapping[str, str]) -> Batch | None:
        before = self.sources.policies.using(texts)
        reload = self.trials.loading_again({run.name for run in before})
        return verify_policies(chosen, texts, before, reload, list(self.sources.rules))

    def _alone(self, found: Found) -> Finding | None:
        """Return a finding with its best wanted fix; record a finding without one."""
        finding = self.trials.fixed(found)
        named = self.sources.names.names
        own = [fix for fix in finding.fixes if all(named(edit.file) for edit in fix.edits)]
        wanted = [fix for fix in own if self.unsafe or not fix.unsafe]
        if wanted:
            return replace(finding, fixes=tuple(wanted))
        self.known.failed[key_of(found)] = bool(own)
        return None


def fixing_of(batch: Batch) -> Fixing:
    """Return findings with their fixes; only a single fix has its effect on the order."""
    if len(batch.chosen) > 1:
        return Fixing(tuple(one.finding for one in batch.chosen), batch.fix)
    return Fixing((replace(batch.chosen[0].found.finding, fixes=(batch.fix,)),), batch.fix)


def is_only(one: ChosenFix) -> bool:
    """Return whether a finding has one proposal, whose effect only a compile can show."""
    return len(one.found.proposals) == 1 and one.proposal.lost is None


def key_of(found: Found) -> object:
    """Return the key of a finding, which is the same in later checks."""
    return cause(found.finding)


def by_kind(chosen: Sequence[ChosenFix]) -> list[list[ChosenFix]]:
    """Return the fixes of manifests, and those of policies."""
    return [[one for one in chosen if is_policy(one.found) == kind] for kind in (False, True)]


def is_policy(found: Found) -> bool:
    """Return whether a finding is about a policy."""
    return found.rule.on is PolicyRun
