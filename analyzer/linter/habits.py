"""Merges findings of a report that tell one thing: a habit of a repository, or of a class.

Before that each of them is compared with the baseline, and its fix is tried: accepting a habit
accepts no new place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from analyzer.diagnostics import Finding
from analyzer.linter.run import listed

# What the findings of a habit have in common, by rule, and how many of them are reported as such.
HABITS: dict[str, tuple[Callable[[Finding], object], int]] = {
    # Many arrows to the left are a choice for the whole repository.
    "CG101": (lambda finding: finding.severity, 6),
    # The class whose parts float.
    "CG108": (lambda finding: (finding.severity, finding.refs[1]), 2),
    # Variables that the site, a classifier or nobody sets.
    "CG111": (lambda finding: id(finding) if "did you mean" in finding.message else "", 6),
    # `Class[packages] ~> Class[config] ~> Class[service]` in each module.
    "CG308": (lambda finding: finding.severity, 3),
    # The commands that need one service.
    "CG312": (lambda finding: (finding.severity, service_of(finding) or id(finding)), 3),
}


def service_of(finding: Finding) -> str:
    """Return the service that a finding names first, empty if that is another resource."""
    first = finding.refs[0] if finding.refs else ""
    return first if first.startswith("Service[") else ""


def with_habits(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings, with those of a habit merged into the first one."""
    findings = tuple(findings)
    groups: dict[object, list[Finding]] = {}
    for one in findings:
        groups.setdefault(habit_of(one), []).append(one)
    kept: list[Finding] = []
    for one in findings:
        group = groups[habit_of(one)]
        if len(group) < HABITS.get(one.code, (None, len(findings) + 1))[1]:
            kept.append(one)
        elif one is group[0]:
            kept.append(merged(group))
    return tuple(kept)


def habit_of(finding: Finding) -> object:
    """Return the habit that a finding tells of, None if its rule is about none."""
    common, _ = HABITS.get(finding.code, (None, 0))
    return None if common is None else (finding.code, common(finding))


def merged(group: Sequence[Finding]) -> Finding:
    """Return the findings of a habit as one."""
    first, *rest = group
    also = tuple(replace(other, also=()) for one in rest for other in (one, *one.also))
    places = list(dict.fromkeys(str(one.span) for one in also if one.span != first.span))
    count = "1 more place" if len(places) == 1 else f"{len(places):,} more places"
    notes = (f"at {count}: {listed(places)}",) if places else ()
    return replace(first, also=(*first.also, *also), notes=(*first.notes, *notes))
