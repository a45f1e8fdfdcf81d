"""A lint of inputs, stage by stage: each stage is a function from values to a value."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from analyzer.diagnostics import InputError
from analyzer.linter.checked import CheckedSubject, compared_with_graphs
from analyzer.linter.gathered import gathered
from analyzer.linter.leftovers import Leftovers
from analyzer.linter.policies import PolicyRun, PolicyText
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.linter.puppet.together import Together
from analyzer.linter.run import Found, Subject, place_in_report, renamed, run
from analyzer.linter.suppress import Comments, Ledger, comments
from analyzer.session.inputs import kind_of
from analyzer.session.lint.catalogs import CompiledInputs, compile_inputs, with_graphs
from analyzer.session.lint.compiles import Compiles
from analyzer.session.lint.coverage import Coverage
from analyzer.session.lint.hidden_modules import with_hidden_files
from analyzer.session.lint.inputs import is_document
from analyzer.session.lint.likely import likely
from analyzer.session.lint.missing_modules import installed_for
from analyzer.session.lint.read import Parsed, Sources, parse, read
from analyzer.session.lint.request import Request
from analyzer.session.lint.scope import InputScope
from analyzer.session.lint.worlds import LintWorlds


@dataclass(frozen=True)
class LintCheck:
    """The result of a lint before fixes are tried: the findings that no comment accepts.

    `ledger` has the comments that accept findings.
    """

    sources: Sources
    parsed: Parsed
    compiled: CompiledInputs
    worlds: LintWorlds
    found: Sequence[Found]
    ledger: Ledger

    @cached_property
    def to_fix(self) -> set[int]:
        """Return the identities of the findings that get fixes: the user has not accepted them."""
        wanted = self.sources.request.to_fix([one.finding for one in self.found])
        return set(map(id, wanted)) & {id(one.finding) for one in self.found if one.proposals}

    @property
    def errors(self) -> Sequence[InputError]:
        """Return the errors of inputs that could not be read."""
        return self.compiled.errors


def check_inputs(request: Request, overlay: Mapping[str, str] | None = None) -> LintCheck:
    """Check the inputs of a request; `overlay` are texts that replace those on disk.

    Raises:
        InputError: a code has no rule.
    """
    return check_sources(read(request, overlay))


def check_sources(
    sources: Sources, compiled: CompiledInputs | None = None, before: CompiledInputs | None = None
) -> LintCheck:
    """Parse, compile and check what was read.

    `compiled` are results of compiling just that, `before` those of an earlier check, whose
    programs are used again.
    """
    workers = sources.request.workers
    try:
        parsed = parse(sources)
        compiled = compiled or compile_inputs(sources, before)
        worlds = search_of(sources, compiled.compiles)
        done = check_parsed(sources, parsed, compiled, worlds)
        if sources.kept is not None:
            sources.kept.save()
        return done
    finally:
        if workers is not None:
            workers.close()


def check_parsed(
    sources: Sources, parsed: Parsed, compiled: CompiledInputs, worlds: LintWorlds
) -> LintCheck:
    """Check what was parsed and compiled; leave out what comments accept."""
    found = check(sources, parsed, compiled)
    ledger = Ledger(sources.texts.get, obeys=sources.request.comments)
    found = accept(sources, compiled, worlds, found, ledger)
    return LintCheck(sources, parsed, compiled, worlds, gather(sources, compiled, found), ledger)


def search_of(sources: Sources, compiles: Compiles) -> LintWorlds:
    """Return the search for findings with other facts and parameters."""
    codes = [rule.code for rule in sources.rules]
    return LintWorlds(sources.request, compiles, codes, sources.kept)


def check(sources: Sources, parsed: Parsed, compiled: CompiledInputs) -> list[Found]:
    """Return the findings of the rules on all subjects except the comments."""
    return reported(sources, subjects_of(sources, parsed, compiled))


def subjects_of(
    sources: Sources, parsed: Parsed, compiled: CompiledInputs
) -> list[Subject | CheckedSubject]:
    """Return all subjects of rules except the comments."""
    policies = sources.policies
    subjects: list[Subject | CheckedSubject] = [
        *parsed.subjects,
        *parsed.broken,
        *compiled.runs,
        *policies.refused,
        *policies.runs,
        *sources.manifests.failures.values(),
    ]
    if any(rule.on is Leftovers for rule in sources.rules):
        subjects += leftovers_of(sources.request)
    compared = compared_with_graphs(compiled.catalogs)
    if compared:
        # Rules compare these catalogs, and only results are stored of some.
        subjects.append(Together(tuple(with_graphs(compiled, compared))))
    return subjects


def leftovers_of(request: Request) -> Iterator[Leftovers]:
    """Yield the parts that nothing uses of each input that is code."""
    from analyzer.session.repository.unused.search import find_unused
    from analyzer.session.repository.unused.texts import read_repository

    for path in request.paths:
        if is_document(path) or kind_of(path) != "manifests":
            continue
        found = find_unused(read_repository(path, request.settings_for(path)))
        rows = (
            (f"{o.item.kind} {o.item.name}", o.reason, o.item.span) for o in found if not o.open
        )
        yield Leftovers(path, tuple(rows))


def reported(sources: Sources, subjects: Iterable[Subject | CheckedSubject]) -> list[Found]:
    """Return the findings of the rules on some subjects that the choice of rules reports."""
    found = run(sources.rules, subjects, partial(renamed, sources.names))
    choice = sources.request.choice
    return [replace(f, finding=one) for f in found for one in choice.reported([f.finding])]


def accept(
    sources: Sources,
    compiled: CompiledInputs,
    worlds: LintWorlds,
    found: Iterable[Found],
    ledger: Ledger,
) -> list[Found]:
    """Return the findings that no comment accepts, with those of other worlds and of comments."""
    left = unaccepted(found, ledger)
    left += likely(worlds.found(sources.rules, left, sources.names, ledger))
    if any(rule.on is Comments for rule in sources.rules):
        texts: list[Manifest | PolicyText] = [*sources.manifests.commented]
        texts += sources.policies.readable
        seen = compiled.files if compiled.is_whole else set()
        used = [comments_of(sources, seen, text, ledger) for text in texts if comments(text.text)]
        left += unaccepted(reported(sources, used), ledger)
    return left


def unaccepted(found: Iterable[Found], ledger: Ledger) -> list[Found]:
    """Return the findings that no comment of a ledger accepts."""
    return [one for one in found if not ledger.accepts(one.finding)]


def comments_of(
    sources: Sources, compiled: Container[str], text: Manifest | PolicyText, ledger: Ledger
) -> Comments:
    """Return the comments of a file, as the rules that were applied use them.

    `compiled` are the manifests of which no finding can be missing.
    """
    choice = sources.request.choice
    whole = isinstance(text, PolicyText) or text.file in compiled
    ran = {
        rule.code
        for rule in sources.rules
        if (whole or rule.on not in (Compiled, PolicyRun))
        and not choice.is_left_out(rule.code, text.file)
    }
    expected = ran | {rule.code for rule in sources.known.values() if rule.default}
    return ledger.comments_of(text, list(sources.known), expected, ran)


def gather(sources: Sources, compiled: CompiledInputs, found: Iterable[Found]) -> list[Found]:
    """Return the findings about inputs that the user named, in order, those of one cause as one."""
    request = sources.request
    scope = InputScope(compiled.modules, sources.others.have, sources.is_named)
    wanted = [
        one
        for one in found
        if scope.has(one.finding, sources.known[one.finding.code].kind)
        and request.keep(one.finding)
    ]
    programs = compiled.compiles.every
    wanted.sort(key=place_in_report)
    merged = gathered(wanted, sources.texts.get, installed_for(programs), request.paths)
    return [*with_hidden_files(merged, programs)]


def coverage_of(done: LintCheck, untried: int = 0) -> Coverage:
    """Return the coverage of the inputs, with gaps; `untried` counts fixes that were not tried."""
    sources, compiled = done.sources, done.compiled
    return Coverage(
        len(done.parsed.subjects),
        sources.policies.count,
        compiled.runs,
        len(compiled.unreadable),
        tuple(compiled.empty),
        untried,
        tuple(rule.code for rule in sources.rules if rule.acyclic),
        len(sources.others.folders),
        done.parsed.broken,
        any(rule.code == "CG200" for rule in sources.rules),
        (*sources.closed, *done.worlds.gaps),
        sources.names,
    )
