"""Applies rules to subjects, and turns their problems into findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analyzer.diagnostics import RANK, Finding
from analyzer.linter.checked import (
    CheckedCatalog,
    CheckedManifest,
    CheckedSubject,
    Results,
    checked_catalog,
)
from analyzer.linter.failures import Failure, tried
from analyzer.linter.leftovers import Leftovers
from analyzer.linter.policies import PolicyRun, RefusedPolicy
from analyzer.linter.puppet.doubts import lacks_target
from analyzer.linter.puppet.places import body_of, manifest_at
from analyzer.linter.puppet.subjects import Compiled, Manifest, Refusal
from analyzer.linter.puppet.together import Together, together
from analyzer.linter.rule import Problem, Proposal, Rule
from analyzer.linter.suppress import Comments
from analyzer.linter.texts import Names
from analyzer.source import Span

Subject = (
    Manifest
    | Compiled
    | Together
    | Refusal
    | Comments
    | PolicyRun
    | RefusedPolicy
    | Failure
    | Leftovers
)

# The most resources and catalogs that a finding names; the others are counted.
SHOWN = 3

# Titles with at most this many characters stay in the message that two findings must share.
SHORT = 3

# The rule that simulates valid orders; other rules also report some of its pairs.
CHANCE = "CG401"

# The note of a finding that a complete catalog might not have.
UNSURE = "the catalog is incomplete: an unknown relationship may order them"


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with its rule, and with proposals that may fix it; see `Problem`."""

    finding: Finding
    rule: Rule
    proposals: tuple[Proposal, ...] = ()
    unless_ok: bool = False
    is_ok: bool = False


def renamed(names: Names, found: Found) -> Found:
    """Return a finding and its proposals with the user's names of the files."""
    finding = names.renamed(found.finding)
    if finding is found.finding and not found.proposals:
        return found
    proposals = tuple(map(names.edited, found.proposals))
    return replace(found, finding=finding, proposals=proposals)


# The kinds of rules that are about nodes.
OF_NODES = ("query", "contract")


def run(
    rules: Iterable[Rule],
    subjects: Iterable[Subject | CheckedSubject],
    named: Callable[[Found], Found] = lambda found: found,
) -> list[Found]:
    """Apply the rules, and merge the findings of one cause.

    `named` renames the files of a finding, because several paths may lead to one file.
    """
    by_kind: dict[type, list[Rule]] = {}
    for rule in rules:
        by_kind.setdefault(rule.on, []).append(rule)
    found: dict[tuple[object, ...], dict[tuple[str, str], Found]] = {}
    fine: dict[tuple[str, Span | None], set[str]] = {}
    pending: list[Subject | CheckedSubject] = [*subjects]
    pending += together(pending)
    # The failure of a rule is a subject, too.
    for subject in pending:
        if isinstance(subject, CheckedManifest) and not subject.found:
            continue
        for rule in by_kind.get(kind_of(subject), ()):
            results, failed = looked_up(rule, subject)
            pending += failed
            for one in map(named, results):
                if one.is_ok:
                    fine.setdefault((rule.code, one.finding.span), set()).add(one.finding.input)
                    continue
                there = found.setdefault(cause(one.finding), {})
                there.setdefault((one.finding.input, one.finding.message), one)
    groups = ([*alike.values()] for alike in found.values())
    counting = (alike for alike in groups if counts(alike, fine))
    return sorted(without_repeated_pairs([*map(merged, counting)]), key=place_in_report)


def check_manifest(rules: Iterable[Rule], manifest: Manifest) -> CheckedManifest:
    """Apply the rules to a manifest."""
    return CheckedManifest(manifest.file, results_of(rules, manifest))


def check_catalog(rules: Iterable[Rule], compiled: Compiled) -> CheckedCatalog:
    """Apply the rules to a catalog."""
    return checked_catalog(compiled, results_of(rules, compiled))


def results_of(rules: Iterable[Rule], subject: Manifest | Compiled) -> dict[str, Results]:
    """Return the results of each rule for this type of subject."""
    kind = type(subject)
    return {rule.code: apply_safely(rule, subject) for rule in rules if rule.on is kind}


def kind_of(subject: Subject | CheckedSubject) -> type:
    """Return the type of a subject, in terms of rules."""
    return subject.on if isinstance(subject, CheckedManifest | CheckedCatalog) else type(subject)


def looked_up(rule: Rule, subject: Subject | CheckedSubject) -> Results:
    """Return the results of a rule; apply it if there are none."""
    if isinstance(subject, CheckedManifest | CheckedCatalog):
        return subject.found.get(rule.code, ((), ()))
    return apply_safely(rule, subject)


def apply_safely(rule: Rule, subject: Subject) -> tuple[list[Found], list[Failure]]:
    """Return the findings of a rule in a subject, or the failure of the rule.

    The project's own rules are about nodes, not about a class that no node has.
    """
    if isinstance(subject, Compiled) and subject.without_node and rule.kind in OF_NODES:
        return [], []
    about = finding_of(rule, Problem(""), subject)
    plugin = f" of the plugin {rule.origin}" if rule.origin else ""
    what = f"rule {rule.code} ({rule.name}){plugin} on {about.input or 'the input'}"
    found = tried(lambda: list(applied(rule, subject)), what, about.input, about.path)
    return ([], [found]) if isinstance(found, Failure) else (found, [])


def counts(alike: Sequence[Found], fine: Mapping[tuple[str, Span | None], set[str]]) -> bool:
    """Return whether a finding counts even if its place has no problem in other catalogs."""
    first = alike[0]
    where = fine.get((first.rule.code, first.finding.span), set())
    return not first.unless_ok or where <= {found.finding.input for found in alike}


def apply(rule: Rule, subject: Subject) -> Iterator[Found]:
    """Yield the findings of one rule in one subject."""
    return (found for found in applied(rule, subject) if not found.is_ok)


def applied(rule: Rule, subject: Subject) -> Iterator[Found]:
    """Yield the findings of a rule in a subject, including places without a problem."""
    for problem in certain(rule, subject):
        yield Found(
            finding_of(rule, problem, subject),
            rule,
            problem.proposals,
            problem.unless_ok,
            problem.is_ok,
        )


def certain(rule: Rule, subject: Subject) -> Iterator[Problem]:
    """Yield the problems of one subject that an incomplete catalog does not rule out."""
    if rule.acyclic and isinstance(subject, Compiled) and subject.cyclic:
        return
    if rule.absence is None or not isinstance(subject, Compiled):
        yield from rule.check(subject)
        return
    if subject.complete:
        ordering = rule.kind == "rule" and rule.absence == "relationships"
        for problem in rule.check(subject):
            if not (ordering and lacks_target(subject.record, problem.refs)):
                yield problem
        return
    for problem in rule.check(subject):
        # A finding of a project's rule without a resource is about the rule itself.
        if problem.is_ok or (rule.kind == "query" and not problem.refs):
            yield problem
            continue
        spans = (problem.span, *(step.span for step in problem.steps))
        if rule.absence != "relationships":
            continue
        # The author of the rule must see it.
        if rule.kind != "rule" or not subject.doubts.concern(problem.refs, spans):
            notes = (*problem.notes, UNSURE)
            yield replace(problem, severity="note", notes=notes, proposals=())


def finding_of(rule: Rule, problem: Problem, subject: Subject) -> Finding:
    """Return the finding of a problem."""
    name = path = environment = ""
    span, steps = problem.span, problem.steps
    if isinstance(subject, Manifest):
        name = path = subject.file
    elif isinstance(subject, Refusal):
        name, path = subject.name, subject.error.span.file
    elif isinstance(subject, Comments):
        name = path = subject.manifest.file
    elif isinstance(subject, PolicyRun):
        name = path = subject.name
    elif isinstance(subject, RefusedPolicy):
        name = path = subject.file
    elif isinstance(subject, Failure):
        name, path = subject.name, subject.file
    elif isinstance(subject, Leftovers):
        name = path = subject.path
    elif isinstance(subject, Together):
        name, path = subject.catalogs[0].name, subject.catalogs[0].graph.catalog.path
    else:
        catalog = subject.graph.catalog
        name, path, environment = subject.name, catalog.path, catalog.environment
        span = place_in(subject, span, problem.refs)
        steps = tuple(replace(s, span=place_in(subject, s.span, s.refs)) for s in steps)
    return Finding(
        rule.code,
        problem.severity or rule.severity,
        problem.message,
        span,
        steps,
        problem.notes,
        name,
        problem.refs,
        path=path,
        environment=environment,
    )


def place_in(compiled: Compiled, span: Span | None, refs: Sequence[str]) -> Span | None:
    """Return the place of a resource's title, if only the line of its statement is known."""
    if span is None or span.column:
        return span
    named = (compiled.resource(ref) for ref in refs)
    resource = next((r for r in named if r is not None and r.span == span), None)
    manifest = manifest_at(compiled, span) if resource else None
    body = body_of(manifest, resource) if manifest and resource else None
    return manifest.span(body.title) if manifest and body else span


def cause(finding: Finding) -> tuple[object, ...]:
    """Return the key that findings of one cause share: the rule and the statements, not titles.

    A define or a loop declares many resources in one statement, and catalogs share statements.
    """
    message = finding.message
    if finding.span is not None and finding.span.line:
        for ref in sorted(finding.refs, key=len, reverse=True):
            kind, _, title = ref.partition("[")
            message = message.replace(ref, kind)
            if len(title) > SHORT:
                message = message.replace(title[:-1], "*")
    return finding.code, finding.span, message, tuple(step.span for step in finding.steps)


def merged(alike: Sequence[Found]) -> Found:
    """Return the first of the findings of one cause, with notes about the others."""
    first, *rest = sorted(alike, key=lambda found: RANK[found.finding.severity])
    if not rest:
        return first
    finding = replace(first.finding, also=tuple(found.finding for found in rest))
    notes = (*finding.notes, *notes_about(finding))
    return replace(first, finding=replace(finding, notes=notes))


def without_repeated_pairs(found: Sequence[Found]) -> list[Found]:
    """Return findings without those of CG401 whose pairs other rules report, which get a note."""
    others = {
        pair: number
        for number, one in enumerate(found)
        if is_about_pairs(one.rule)
        for pair in pairs_of(one.finding)
    }
    kept = [*found]
    repeated = set()
    for number, one in enumerate(found):
        pairs = [*pairs_of(one.finding)] if one.rule.code == CHANCE else []
        if pairs and all(pair in others for pair in pairs):
            repeated.add(number)
            for other in dict.fromkeys(others[pair] for pair in pairs):
                finding = kept[other].finding
                note = f"{one.finding.message} ({CHANCE})"
                worst = min(finding.severity, one.finding.severity, key=RANK.__getitem__)
                told = replace(finding, notes=(*finding.notes, note), severity=worst)
                kept[other] = replace(kept[other], finding=told)
    return [one for number, one in enumerate(kept) if number not in repeated]


def is_about_pairs(rule: Rule) -> bool:
    """Return whether a rule is about resources without an order."""
    return rule.kind == "rule" and rule.absence == "relationships" and rule.code != CHANCE


def pairs_of(finding: Finding) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the pairs of a finding, each with its catalog."""
    for one in (finding, *finding.also):
        if len(one.refs) == 2:
            yield one.input, frozenset(one.refs)


def notes_about(finding: Finding) -> Iterator[str]:
    """Yield the other resources that a cause concerns, and the catalogs that it is in."""
    known = {*finding.refs}
    others = [ref for one in finding.also for ref in one.refs if ref not in known]
    if others:
        yield f"also for {listed(list(dict.fromkeys(others)))}"
    # The input of a finding about a text is its file.
    files = {one.span.file for one in (finding, *finding.also) if one.span}
    catalogs = [name for name in finding.inputs if name not in files]
    if len(catalogs) > 1:
        yield f"in {len(catalogs):,} catalogs: {listed(catalogs)}"


def listed(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def place_in_report(found: Found) -> tuple[object, ...]:
    """Return the sort key of a finding: file, line, severity and code."""
    finding = found.finding
    span = finding.span or Span(finding.path)
    rank = RANK[finding.severity]
    return span.file, span.line, span.column, rank, finding.code, finding.message, finding.input
