"""Counts what the lint checked and could not check, for its summary."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from analyzer.config import near
from analyzer.diagnostics import Finding
from analyzer.escape import one_line
from analyzer.frontends.puppet.refusals import gap_of
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.site_texts import (
    OF_GUESS,
    is_unproven,
    missing_fact,
    of_default_node,
    other_hiera,
)
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.texts import Names
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.completeness import FACTS, Gap, unseen
from analyzer.model.nouns import counted


@dataclass(frozen=True)
class Coverage:
    """Counts of the checked inputs.

    `runs` are the results of compiles: catalogs, refusals and errors. `empty` are lines that
    describe inputs without manifests. `untried` counts findings whose fixes were not tried.
    `acyclic` are the codes of rules that are not applied to catalogs with a cycle. `vendored`
    counts modules of others, which are not reported on. `broken` are the errors of single
    manifests. `reports_refusals` is true if a rule reports the code that was not compiled. `worlds`
    are the gaps of other worlds. `names` are the names of files in places.
    """

    manifests: int
    policies: int
    runs: Sequence[object]
    unreadable: int
    empty: tuple[str, ...] = ()
    untried: int = 0
    acyclic: tuple[str, ...] = ()
    vendored: int = 0
    broken: Sequence[Refusal] = ()
    reports_refusals: bool = True
    worlds: tuple[Gap, ...] = ()
    names: Names | None = None

    @cached_property
    def catalogs(self) -> list[Compiled | CheckedCatalog]:
        """Return the catalogs."""
        return [run for run in self.runs if isinstance(run, Compiled | CheckedCatalog)]

    @property
    def without_node(self) -> int:
        """Return the number of catalogs of classes that no node of their site has."""
        return sum(one.without_node for one in self.catalogs)

    @property
    def held(self) -> tuple[str, ...]:
        """Return the codes of the rules that a cycle excluded for some catalog."""
        return self.acyclic if any(one.cyclic for one in self.catalogs) else ()

    @cached_property
    def refused(self) -> dict[str, Refusal]:
        """Return the first error of each class, of modules without a class that compiles."""
        found: dict[str, Refusal] = {}
        compiled = {run.name for run in self.catalogs}
        for run in self.runs:
            if isinstance(run, Refusal) and run.partial and run.name not in compiled:
                found.setdefault(class_of(run.name), run)
        return found

    @property
    def refusals(self) -> list[Refusal]:
        """Return the errors that kept manifests, nodes or classes by name from being compiled."""
        found = (one for one in (*self.broken, *self.runs) if isinstance(one, Refusal))
        return [one for one in found if not one.partial]

    @property
    def has_unseen(self) -> bool:
        """Return whether an input was not checked: refused, unreadable or too large."""
        return bool(self.refusals or unseen(self.gaps))

    @property
    def lost(self) -> list[Failure]:
        """Return the classes that could not be compiled because of an internal error."""
        failures = (run for run in self.runs if isinstance(run, Failure))
        return [one for one in failures if one.what == one.name]

    @property
    def lost_classes(self) -> set[str]:
        """Return the classes among the gaps."""
        return {class_of(one.name) for one in self.lost if one.name.startswith("class ")}

    @cached_property
    def classes(self) -> set[str]:
        """Return the classes that should be compiled by themselves."""
        compiled = {class_of(run.name) for run in self.catalogs if run.partial}
        return compiled | self.refused.keys() | self.lost_classes

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """Return the gaps: the classes that were left out, and the gaps of the catalogs."""
        left_out = [
            gap_of(name, refusal.error, EXAMPLE_NODE) for name, refusal in self.refused.items()
        ]
        lacking = [one for one in self.refusals if is_unproven(one.error)]
        left_out += map(unreported, lacking if self.reports_refusals else self.refusals)
        left_out += [Gap("internal error", one.what, one.words, one.span) for one in self.lost]
        inside = [gap for one in self.catalogs for gap in one.gaps]
        return tuple(dict.fromkeys(map(self.placed, [*left_out, *inside, *self.worlds])))

    def placed(self, gap: Gap) -> Gap:
        """Return a gap with its file in the user's spelling."""
        return gap if self.names is None else replace(gap, span=self.names.span(gap.span))


def unreported(refusal: Refusal) -> Gap:
    """Return the gap for code that was not compiled because of an error that no rule reports."""
    reason = f"was not compiled: {' '.join(refusal.error.message.split())}"
    fact = missing_fact(refusal.error)
    reason += f" The fact '{fact}' is not among the facts given" if fact else ""
    hiera = other_hiera(refusal.error)
    if hiera:
        reason += f"; {near(hiera)} has version 3, which no environment reads"
        hint = f"--hiera-config {near(hiera)}"
    else:
        of_facts = fact or refusal.error.code == OF_GUESS
        hint = FACTS if of_facts else "--node NAME" if of_default_node(refusal.error) else ""
    name = "this folder" if refusal.name == os.curdir else refusal.name
    return Gap("unread", name, reason, refusal.error.span, hint)


def class_of(name: str) -> str:
    """Return the class in the name of a compile: `class a::b (facts.json)`."""
    return name.partition(" (")[0]


def summary(findings: Sequence[Finding], seen: Coverage) -> str:
    """Return a line with the numbers of findings and of checked inputs.

    Lines about inputs without manifests precede it.
    """
    listed = " and ".join([*filter(None, [", ".join(inputs(seen)[:-1])]), *inputs(seen)[-1:]])
    found = ", ".join(by_severity(findings))
    text = f"{found or 'no findings'} in {listed}"
    if not listed:
        text = f"{found}; nothing was checked" if found else "nothing was checked"
    if seen.manifests and not seen.catalogs and not seen.classes:
        text += "; nothing was compiled"
    left_out = len({*seen.refused} | seen.lost_classes)
    if left_out:
        total = counted(len(seen.classes), "class", "classes")
        text += f"; {left_out:,} of {total} {'was' if left_out == 1 else 'were'} not compiled"
    text += f"; the fixes of {seen.untried:,} more were not tested" if seen.untried else ""
    if seen.vendored:
        text += (
            f"; {counted(seen.vendored, 'vendored module')} not reported on (--include-vendored)"
        )
    text += f"; {seen.unreadable} unreadable" if seen.unreadable else ""
    if seen.held:
        text += f"; not checked because of a dependency cycle: {', '.join(ranges(seen.held))}"
    return "\n".join([*map(one_line, seen.empty), text])


def ranges(codes: Sequence[str]) -> Iterator[str]:
    """Yield codes in order; three or more successive numbers become a range."""
    runs: list[list[str]] = []
    for code in sorted(codes):
        if runs and int(code[2:]) == int(runs[-1][-1][2:]) + 1:
            runs[-1].append(code)
        else:
            runs.append([code])
    for run in runs:
        yield from [f"{run[0]}-{run[-1]}"] if len(run) > 2 else run


def by_severity(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the number of findings of each severity."""
    for word in ("error", "warning", "note"):
        count = sum(finding.severity == word for finding in findings)
        if count:
            yield counted(count, word)


def inputs(seen: Coverage) -> list[str]:
    """Return the kinds of checked inputs, with numbers."""
    alone = seen.without_node
    words = (("manifest", seen.manifests), ("catalog", len(seen.catalogs) - alone))
    found = [counted(count, word) for word, count in words if count]
    if alone:
        found.append(f"{alone:,} more of classes that no node has")
    return found + ([counted(seen.policies, "policy file")] if seen.policies else [])
