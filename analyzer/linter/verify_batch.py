"""Tests fixes together: one compilation shows that all findings disappear without a new cycle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from analyzer.diagnostics import Finding, Fix
from analyzer.linter.policies import PolicyRun
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Proposal, Rule
from analyzer.linter.run import Found, apply
from analyzer.linter.verify import (
    OrderingEffect,
    Recompile,
    count,
    edited,
    effect_of,
    is_program,
    is_same,
    is_worse,
)
from analyzer.linter.verify_policy import Reload, comparable, findings


class ChosenFix(NamedTuple):
    """A finding with one of its proposals; `doubt` is a reason why the proposal may be wrong."""

    found: Found
    proposal: Proposal
    doubt: str = ""

    @property
    def unsafe(self) -> bool:
        """Return whether it is unsafe whatever the result of a compilation."""
        return self.proposal.unsafe or bool(self.doubt)

    @property
    def finding(self) -> Finding:
        """Return the finding with its fix, without the effect on the order."""
        what, edits = self.proposal.what, self.proposal.edits
        fix = Fix(what, edits, unsafe=self.unsafe, doubt=self.doubt)
        return replace(self.found.finding, fixes=(fix,))


class Batch(NamedTuple):
    """Fixes that work together, and their effect on the order."""

    chosen: tuple[ChosenFix, ...]
    effect: OrderingEffect

    @property
    def fix(self) -> Fix:
        """Return all of them as one fix."""
        if len(self.chosen) == 1:
            return self.effect.fix(self.chosen[0].proposal, self.chosen[0].doubt)
        unsafe = any(one.unsafe for one in self.chosen)
        return self.effect.fix(Proposal("", edits_of(self.chosen).edits, unsafe))

    @property
    def implied(self) -> list[ChosenFix]:
        """Return the fixes that order two resources which other fixes also order."""
        gained = self.effect.gained
        return [
            one
            for one in self.chosen
            if one.proposal.needs
            and one.proposal.needs not in gained
            and one.proposal.needs[::-1] not in gained
        ]


def edits_of(chosen: Sequence[ChosenFix]) -> Proposal:
    """Return the edits of several fixes as one proposal."""
    return Proposal("", tuple(edit for one in chosen for edit in one.proposal.edits))


def apart(chosen: Iterable[ChosenFix], texts: Mapping[str, str]) -> list[ChosenFix]:
    """Return the fixes that change no line of an earlier one."""
    lines: dict[str, set[int]] = {}
    found = []
    starts = {file: line_starts(text) for file, text in texts.items()}
    for one in chosen:
        own = {
            (edit.file, line)
            for edit in one.proposal.edits
            for line in lines_between(starts[edit.file], edit.start, edit.end)
        }
        if not any(line in lines.get(file, ()) for file, line in own):
            found.append(one)
            for file, line in own:
                lines.setdefault(file, set()).add(line)
    return found


def line_starts(text: str) -> list[int]:
    """Return the offsets at which the lines of a text begin."""
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def lines_between(starts: list[int], start: int, end: int) -> range:
    """Return the numbers of the lines in a range of characters."""
    from bisect import bisect_right

    return range(bisect_right(starts, start), bisect_right(starts, end) + 1)


def verify_batch(
    chosen: Sequence[ChosenFix],
    texts: Mapping[str, str],
    before: Sequence[Compiled],
    recompile: Recompile,
) -> Batch | None:
    """Return fixes of manifests as a batch, or None unless all of them work together."""
    changed = edited(edits_of(chosen).edits, texts)
    if not before or not all(is_program(file, text) for file, text in changed.items()):
        return None
    after = recompile(changed)
    pairs = list(zip(before, after, strict=False))
    if len(after) != len(before) or any(is_worse(old, new) for old, new in pairs):
        return None
    if not all_gone(chosen, texts, changed, after):
        return None
    return Batch(tuple(chosen), effect_of([(old.graph, new.graph) for old, new in pairs]))


def all_gone(
    chosen: Sequence[ChosenFix],
    texts: Mapping[str, str],
    changed: Mapping[str, str],
    after: Sequence[Compiled],
) -> bool:
    """Return whether no finding remains."""
    of_catalogs = [one.found for one in chosen if one.found.rule.on is Compiled]
    for rule in {found.rule.code: found.rule for found in of_catalogs}.values():
        left = FindingsLeft(one.finding for compiled in after for one in apply(rule, compiled))
        if any(left.has(found.finding) for found in of_catalogs if found.rule is rule):
            return False
    of_texts = [one.found for one in chosen if one.found.rule.on is not Compiled]
    first = {(found.rule.code, found.finding.path): found for found in of_texts}
    wanted = Counter((found.rule.code, found.finding.path) for found in of_texts)
    return all(
        count(found, file, changed.get(file, texts[file])) + wanted[code, file]
        <= count(found, file, texts[file])
        for (code, file), found in first.items()
    )


class FindingsLeft:
    """The findings of a rule after a change, by their keys."""

    def __init__(self, found: Iterable[Finding]) -> None:
        self.by_ref: dict[str, list[Finding]] = {}
        self.bare: list[Finding] = []
        for one in found:
            for ref in one.refs:
                self.by_ref.setdefault(ref, []).append(one)
            if not one.refs:
                self.bare.append(one)

    def has(self, finding: Finding) -> bool:
        """Return whether a finding from before is among them."""
        if not finding.refs:
            return bool(self.by_ref) or any(is_same(finding, one) for one in self.bare)
        near = (one for ref in finding.refs for one in self.by_ref.get(ref, ()))
        return bool(self.bare) or any(is_same(finding, one) for one in near)


def verify_policies(
    chosen: Sequence[ChosenFix],
    texts: Mapping[str, str],
    before: Sequence[PolicyRun],
    reload: Reload,
    rules: Sequence[Rule],
) -> Batch | None:
    """Return fixes of policies as a batch, or None unless all of them work together."""
    after = reload(edited(edits_of(chosen).edits, texts)) if before else ()
    if not before or len(after) != len(before) or any(run.loaded.refused for run in after):
        return None
    own = [rule for rule in rules if rule.on is PolicyRun]
    known, now = findings(own, before), findings(own, after)
    keys = {(one.found.rule.code, one.found.finding.message) for one in chosen}
    if keys & now or not now <= known:
        return None
    return Batch(tuple(chosen), effect_of(comparable(before, after)))
