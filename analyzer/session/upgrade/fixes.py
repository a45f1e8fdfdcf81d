"""Replaces what the target lacks, as far as both releases compile to the same catalogs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from analyzer.compiles.overlay import Overlay
from analyzer.compiles.own_code import OwnDefinition
from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.diff.compare import diff
from analyzer.linter.verify import edited
from analyzer.model.releases import FORK
from analyzer.reading import noting
from analyzer.session.lint.own_code import own_definitions
from analyzer.session.upgrade.calls import Change, changes_of_calls
from analyzer.session.upgrade.compare import Compiled, GraphOf, compile_under
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.legacy import reads_in, users_of
from analyzer.session.upgrade.report import Wanted, settings_of_both
from analyzer.source import Span, place_of

# The most trials of edits; each compiles everything under both releases.
MOST_TRIALS = 40
ERB = ".erb"
# What separates the files in the name of a thing that was read.
NUL = "\0"

Own = Callable[[], Sequence[OwnDefinition]]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new texts by file, the number of facts and calls in them, and the places left."""

    texts: dict[str, str]
    facts: int
    calls: int
    left: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Base:
    """The settings of a release with legacy facts, and what the code compiles to under them."""

    settings: Settings
    compiled: Compiled
    is_after: bool


class Replacing:
    """Tries changes of the code at a path: with them, nothing may differ under any release.

    `texts` are those of the files that they change.
    """

    def __init__(
        self, path: str, own: Own, bases: Sequence[Base], graph_of: GraphOf, texts: dict[str, str]
    ) -> None:
        self.path = path
        self.own = own
        self.bases = bases
        self.graph_of = graph_of
        self.texts = texts
        self.trials = 0

    def largest(self, changes: Sequence[Change]) -> list[Change]:
        """Return changes that work together: all, or those of the halves that do."""
        good: list[Change] = []
        pending = [list(changes)] if changes else []
        while pending and self.trials < MOST_TRIALS:
            part = pending.pop()
            if self.works([*good, *part]):
                good += part
            elif len(part) > 1:
                half = len(part) // 2
                pending += [part[half:], part[:half]]
        return good

    def works(self, changes: Sequence[Change]) -> bool:
        """Return whether nothing differs with some changes."""
        self.trials += 1
        return all(self._is_kept(base, changes) for base in self.bases)

    def _is_kept(self, base: Base, changes: Sequence[Change]) -> bool:
        """Return whether a release makes the same with those of the changes that are for it."""
        own = [one for one in changes if base.is_after or not one.only_after]
        if not own:
            return True
        settings = replace(base.settings, overlay=Overlay(self.edited(own)))
        return self.is_same(base.compiled, compile_under(self.path, settings, self.own))

    def edited(self, changes: Sequence[Change]) -> dict[str, str]:
        """Return the texts with changes."""
        return edited([edit for one in changes for edit in one.edits], self.texts)

    def is_same(self, before: Compiled, after: Compiled) -> bool:
        """Return whether two compiles have the same catalogs and errors, as far as is known."""
        if before.catalogs.keys() - after.catalogs.keys() or len(after.gaps) > len(before.gaps):
            return False
        if Counter(errors_of(after)) - Counter(errors_of(before)):
            return False
        graphs = (
            (self.graph_of(catalog), self.graph_of(after.catalogs[label]))
            for label, catalog in before.catalogs.items()
        )
        return not any(diff(old, new) for old, new in graphs)


def errors_of(compiled: Compiled) -> Iterator[tuple[str, str, str]]:
    """Yield the errors of nodes; edits move lines and columns."""
    for label, errors in compiled.errors.items():
        for one in errors:
            yield label, one.span.file, one.message


def replace_all(wanted: Wanted) -> Replaced:
    """Return the code at a path with what the target has in place of what it lacks.

    What is in a file that no catalog is made from proves nothing, and stays.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be parsed.
    """
    settings, target = settings_of_both(wanted)
    own = cache(partial(own_definitions, wanted.path, settings))
    bases = []
    with noting() as read:
        for one in (settings, target):
            sent = replace(one, legacy_facts=True)
            compiled = compile_under(wanted.path, sent, own)
            bases.append(Base(sent, compiled, one is target))
    used = {*users_of(own(), bases[0].compiled), *files_of(read)}
    files = OwnFiles(wanted.path, settings)
    proposed = propose(files, calls=wanted.after >= FORK)
    replacing = Replacing(wanted.path, own, bases, wanted.graph_of, proposed.texts)
    good = replacing.largest([one for one in proposed.changes if is_tried(one, used, settings)])
    left = [one for one in proposed.changes if one not in good and not one.only_after]
    texts = replacing.edited(good)
    return Replaced(
        {file: texts[file] for file in sorted(texts)},
        sum(one in proposed.facts for one in good),
        sum(one not in proposed.facts for one in good),
        tuple(proposed.span(one.file, one.start) for one in left) + tuple(proposed.left),
    )


@dataclass(frozen=True, slots=True)
class Proposed:
    """Changes to try, the texts of their files, and places that nothing here can change.

    `facts` are the changes of legacy facts.
    """

    changes: list[Change]
    facts: frozenset[Change]
    texts: dict[str, str]
    left: list[Span]

    def span(self, file: str, start: int) -> Span:
        """Return a place."""
        return Span(file, *place_of(self.texts[file], start))


def propose(files: OwnFiles, *, calls: bool) -> Proposed:
    """Return the changes of legacy facts, and of calls if asked for; none overlap."""
    texts: dict[str, str] = {}
    changes: list[Change] = []
    left: list[Span] = []
    for file, text, read in reads_in(files):
        texts[file] = text
        if read.edit is None:
            left.append(Span(file, *place_of(text, read.start)))
        else:
            changes.append(Change(file, read.start, (read.edit,)))
    facts = frozenset(changes)
    for manifest in files.manifests() if calls else ():
        texts[manifest.file] = manifest.text
        taken = [edit for one in changes if one.file == manifest.file for edit in one.edits]
        for found in changes_of_calls(manifest):
            if any(overlaps(edit, other) for edit in found.edits for other in taken):
                # The next run finds it again.
                left.append(manifest.span_at(found.start))
            else:
                changes.append(found)
                taken += found.edits
    return Proposed(changes, facts, texts, left)


def overlaps(one: Edit, other: Edit) -> bool:
    """Return whether two edits change the same characters."""
    return one.start < other.end and other.start < one.end


def files_of(read: Iterable[str]) -> Iterator[str]:
    """Yield the templates and files of data among what was read.

    A manifest is also read to find names in it.
    """
    for name in read:
        yield from (os.path.realpath(file) for file in name.split(NUL) if file[-3:] != ".pp")


def is_tried(change: Change, used: Collection[str], settings: Settings) -> bool:
    """Return whether a catalog shows what a change does; without Ruby, ERB has no known text."""
    is_known = settings.ruby is not None or not change.file.endswith(ERB)
    return is_known and os.path.realpath(change.file) in used
