"""Selects the rules to run, their severities, and the findings to report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase

from analyzer.diagnostics import Finding, InputError, Severity
from analyzer.linter.failures import Failure
from analyzer.linter.rule import OURS, Rule
from analyzer.source import Span

# The beginning of generated codes of contracts.
CONTRACT = "CONTRACT"

# A complete code of catgraph.
OURS_WHOLE = re.compile(rf"{OURS}\d{{3}}")


@dataclass(frozen=True, slots=True)
class Choice:
    """The rules that the user chose.

    `select` has codes or prefixes of codes; if it is empty, the default rules run. `ignore`
    excludes rules, and `per_path` excludes rules for files that match a pattern. `severity`
    overrides the severities of rules. `own` are rules other than those of catgraph, by code.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    per_path: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own: Mapping[str, Rule] = field(default_factory=dict)

    def rules(self, known: Mapping[str, Rule]) -> list[Rule]:
        """Return the rules to run. A rule that is off by default runs if its whole code is named.

        Raises:
            InputError: a code matches no rule.
        """
        asked = [*self.select, *self.ignore, *self.severity]
        for code in [*asked, *(c for codes in self.per_path.values() for c in codes)]:
            if not is_known(code, known):
                raise InputError(unknown_rule(code, known), Span("catgraph lint"), "no-rule")
        chosen = [rule for rule in known.values() if self.is_selected(rule)]
        return [rule for rule in chosen if not starts(rule.code, self.ignore)]

    def is_selected(self, rule: Rule) -> bool:
        """Return whether a rule is selected, before `ignore`; internal errors always are."""
        if rule.code in self.select or rule.on is Failure:
            return True
        return rule.default and (not self.select or starts(rule.code, self.select))

    def reported(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return findings with the user's severities, without those excluded for their files."""
        return [
            replace(f, severity=self.severity.get(f.code, f.severity))
            for f in findings
            if not self.left_out(f)
        ]

    def left_out(self, finding: Finding) -> bool:
        """Return whether a finding is excluded for its file."""
        return self.is_left_out(finding.code, finding.span.file if finding.span else finding.path)

    def is_left_out(self, code: str, file: str) -> bool:
        """Return whether a rule is excluded for a file."""
        return any(
            starts(code, codes) and is_like(file, pattern)
            for pattern, codes in self.per_path.items()
        )


def is_known(code: str, known: Iterable[str]) -> bool:
    """Return whether a code is, or begins, that of a rule; generated codes are always accepted."""
    return code == CONTRACT or any(name.startswith(code) for name in known)


def unknown_rule(code: str, known: Iterable[str]) -> str:
    """Return the message about an unknown code; similar numbers are not suggested."""
    whole = code.upper()
    near = [] if OURS_WHOLE.fullmatch(whole) else get_close_matches(whole, list(known), 1)
    hint = f"did you mean '{near[0]}'?" if near else "'catgraph rule' lists the rules"
    return f"unknown rule '{code}'; {hint}"


def is_like(file: str, pattern: str) -> bool:
    """Return whether a file matches a pattern, or lies below a folder that does."""
    wanted = pattern.rstrip("/")
    forms = (wanted, f"*/{wanted}", f"{wanted}/*", f"*/{wanted}/*")
    return any(fnmatchcase(file, form) for form in forms)


def starts(code: str, beginnings: Sequence[str]) -> bool:
    """Return whether a code is, or begins with, one of several."""
    return code.startswith(tuple(beginnings))
