"""Stores which fixes of findings work, by the content of all that their trials depend on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from analyzer.codec import Codec
from analyzer.diagnostics import Fix
from analyzer.frontends.puppet.syntax.cache import key_of
from analyzer.linter.packing import OF_FINDINGS
from analyzer.linter.run import Found
from analyzer.reading import CLOCK, noting
from analyzer.session.lint.kept import KeptEntries

# Increased when the format of entries changes.
FORM = "fixes 1"


@dataclass(frozen=True, slots=True)
class FixTrial:
    """The fixes of a finding that work, and the number of resources that were compiled for that."""

    fixes: tuple[Fix, ...] = ()
    resources: int = 0


# A trial, and the states of the files that only the trial read.
Row = tuple[FixTrial, Mapping[str, str]]
CODEC = Codec(FixTrial, *OF_FINDINGS)


class KeptFixes:
    """The trials of one check, stored together; `kept` has what the catalogs depend on."""

    def __init__(self, kept: KeptEntries, paths: Collection[str]) -> None:
        self.kept = kept
        self.key = kept.key("\n".join(paths), FORM)
        stored = kept.store.get(self.key, CODEC)
        self.before: dict[str, Row] = stored if isinstance(stored, dict) else {}
        self.now: dict[str, Row] = {}

    def trial(self, found: Found, names: Collection[str], make: Callable[[], FixTrial]) -> FixTrial:
        """Return the trial of a finding, which compiles the catalogs with some names again."""
        states = self.kept.states_of(names)
        if states is None:
            return make()
        key = key_of(repr((found.finding, found.proposals, found.unless_ok, found.is_ok)), states)
        row = self.before.get(key)
        if row is not None and self.kept.holds(row[1]):
            self.now[key] = row
            return row[0]
        with noting() as read:
            trial = make()
        if CLOCK not in read:
            self.now[key] = trial, read
        return trial

    def save(self) -> None:
        """Write the trials if any are new."""
        if self.now != self.before:
            self.kept.store.put(self.key, self.now, CODEC)
