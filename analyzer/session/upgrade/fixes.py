"""Replaces legacy facts in manifests, as far as both releases compile to the same catalogs."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from analyzer.compiles.own_code import Definition
from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.diff.compare import diff
from analyzer.linter.puppet.legacy_names import reads_of
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.texts import Overlay
from analyzer.linter.verify import edited
from analyzer.session.lint.own_code import own_definitions
from analyzer.session.upgrade.compare import Compiled, GraphOf, compile_under
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.legacy import users_of
from analyzer.session.upgrade.report import Wanted, settings_of_both
from analyzer.source import Span

# The most trials of edits; each compiles everything under both releases.
MOST_TRIALS = 40

Own = Callable[[], Sequence[Definition]]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new texts by file, the number of edits in them, and the places that are left."""

    texts: dict[str, str]
    count: int
    left: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Base:
    """The settings of a release with legacy facts, and what the code compiles to under them."""

    settings: Settings
    compiled: Compiled


class Replacing:
    """Tries edits of legacy facts at a path: with them, nothing may differ under any release."""

    def __init__(self, path: str, own: Own, bases: Sequence[Base], graph_of: GraphOf) -> None:
        self.path = path
        self.own = own
        self.bases = bases
        self.graph_of = graph_of
        self.texts: dict[str, str] = {}
        self.trials = 0

    def run(self, files: OwnFiles, used: Collection[str]) -> Replaced:
        """Return the edits that work; a file that no catalog is made from proves nothing."""
        found: list[tuple[Manifest, Edit]] = []
        left: list[Span] = []
        for manifest in files.manifests():
            reads = [*reads_of(manifest)]
            self.texts[manifest.file] = manifest.text
            found += ((manifest, read.edit) for read in reads if read.edit is not None)
            left += (manifest.span_at(read.start) for read in reads if read.edit is None)
        tried = [edit for one, edit in found if os.path.realpath(one.file) in used]
        good = self.largest(tried)
        left += (one.span_at(edit.start) for one, edit in found if edit not in good)
        texts = edited(good, self.texts)
        return Replaced({file: texts[file] for file in sorted(texts)}, len(good), tuple(left))

    def largest(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return edits that work together: all, or those of the halves that do."""
        good: list[Edit] = []
        pending = [list(edits)] if edits else []
        while pending and self.trials < MOST_TRIALS:
            part = pending.pop()
            if self.works([*good, *part]):
                good += part
            elif len(part) > 1:
                half = len(part) // 2
                pending += [part[half:], part[:half]]
        return good

    def works(self, edits: Sequence[Edit]) -> bool:
        """Return whether nothing differs with some edits."""
        self.trials += 1
        overlay = Overlay(edited(edits, self.texts))
        return all(
            self.is_same(
                base.compiled,
                compile_under(self.path, replace(base.settings, overlay=overlay), self.own),
            )
            for base in self.bases
        )

    def is_same(self, before: Compiled, after: Compiled) -> bool:
        """Return whether two compiles have the same catalogs and errors, as far as is known."""
        if before.catalogs.keys() != after.catalogs.keys() or len(after.gaps) > len(before.gaps):
            return False
        if {*errors_of(after)} - {*errors_of(before)}:
            return False
        graphs = (
            (self.graph_of(catalog), self.graph_of(after.catalogs[label]))
            for label, catalog in before.catalogs.items()
        )
        return not any(diff(old, new) for old, new in graphs)


def errors_of(compiled: Compiled) -> Iterator[tuple[str, str, int, str]]:
    """Yield the errors of nodes; edits move columns."""
    for label, errors in compiled.errors.items():
        for one in errors:
            yield label, one.span.file, one.span.line, one.message


def replace_facts(wanted: Wanted) -> Replaced:
    """Return the manifests of a path with structured facts in place of legacy ones.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be parsed.
    """
    settings, target = settings_of_both(wanted)
    own = cache(partial(own_definitions, wanted.path, settings))
    bases = []
    for one in (settings, target):
        sent = replace(one, legacy_facts=True)
        bases.append(Base(sent, compile_under(wanted.path, sent, own)))
    replacing = Replacing(wanted.path, own, bases, wanted.graph_of)
    return replacing.run(OwnFiles(wanted.path, settings), users_of(own(), bases[0].compiled))
