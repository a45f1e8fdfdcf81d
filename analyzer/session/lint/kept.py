"""Stores the results of rules on manifests and catalogs, by the content of all dependencies.

The key of an entry has the names of all files and links that code may look for, the settings, the
rules and the code of catgraph; the entry has the state of each file that was read, or of the keys
that were looked up in it. An entry is valid as long as all of these are the same. Text of an
attacker is only read and hashed. Nothing is stored if a result depends on more than files (Ruby, a
classifier, a store of exports, a plugin, the clock), or if a repetition might have another result
(time, memory).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyzer.codec import Codec
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.syntax.cache import key_of, user_cache
from analyzer.linter.checked import CheckedCatalog, CheckedManifest
from analyzer.linter.packing import (
    OF_RESULTS,
    Run,
    may_keep,
    pack,
    pack_results,
    unpack,
    unpack_results,
)
from analyzer.linter.puppet.compiles import EXPORTS, Program, are_of_moment
from analyzer.linter.rule import Rule
from analyzer.linter.suppress import comments
from analyzer.reach import note_code, within
from analyzer.reading import CLOCK, noting
from analyzer.session.file_index import IndexedStates
from analyzer.session.keeping import code, depends_on_more, digest_of
from analyzer.session.outlines import KeptOutlines, key_of_outlines

# Increased when the format of entries changes.
FORM = "lint 9"

# The digest of a manifest's text, whether it has errors, the packed results of the rules (None if
# it is not a program), the states of other files that rules read, and whether it has comments for
# the lint.
Row = tuple[str, bool, Any, Mapping[str, str], bool]


@dataclass(frozen=True, slots=True)
class ProgramEntry:
    """The packed results of a program, and the states of the files that were read for them.

    `manifests` are those that the results of each compile depend on, besides files that all depend
    on, with keys of data, `EXPORTS` and, where there are no results to store, `CLOCK`. None: all
    compiles depend on all files.
    """

    read: Mapping[str, str]
    runs: list[Any]
    manifests: Mapping[str, frozenset[str]] | None


CODEC = Codec(ProgramEntry, *OF_RESULTS)


class KeptEntries(IndexedStates):
    """The entries of one check of paths; `identity` identifies the functions of a request."""

    def __init__(
        self, identity: Callable[[str], str], rules: Sequence[Rule], paths: Sequence[str]
    ) -> None:
        note_code(paths)
        self.store = user_cache()
        super().__init__(self.store, paths)
        self.identity = identity
        self.rules = {rule.code: rule for rule in rules}
        # The keys of programs, and their entries.
        self.keys: dict[Program, str | None] = {}
        self.entries: dict[Program, ProgramEntry | None] = {}
        # The outlines for other commands, by the programs of nodes, with the files read for them.
        self.outlines: dict[Program, tuple[KeptOutlines, dict[str, str]]] = {}

    def entry(self, program: Program) -> ProgramEntry | None:
        """Return the stored results of a program, None if there are none.

        Raises:
            InputError: its environment cannot be read.
        """
        if program not in self.entries:
            key = self.key_of_program(program)
            entry = None if key is None else self.store.get(key, CODEC)
            self.entries[program] = entry if isinstance(entry, ProgramEntry) else None
        return self.entries[program]

    def stale(self, program: Program) -> Collection[str] | None:
        """Return the names of compiles without valid stored results, None for all.

        Raises:
            InputError: its environment cannot be read.
        """
        entry = self.entry(program)
        return None if entry is None else self.stale_in(entry)

    def stale_in(self, entry: ProgramEntry) -> Collection[str] | None:
        """Return the names of compiles whose results are not valid, None for all."""
        changes = self.changes(entry.read)
        manifests = entry.manifests
        if manifests is None:
            return None if changes.concern(entry.read) else ()
        if not changes.files <= frozenset().union(*manifests.values()):
            return None
        stale = {
            name for name, files in manifests.items() if CLOCK in files or changes.concern(files)
        }
        return None if any(EXPORTS in manifests[name] for name in stale) else stale

    def runs(
        self, program: Program, make: Callable[[Collection[str] | None], list[Run]]
    ) -> list[Run]:
        """Return the results of a program; store new ones.

        `make` makes the results of the compiles with some names, None for all.

        Raises:
            InputError: facts or other inputs cannot be read.
        """
        key = self.key_of_program(program)
        if key is None:
            return make(None)
        entry = self.entry(program)
        stale = None if entry is None else self.stale_in(entry)
        if entry is None or stale is None:
            entry, stale = ProgramEntry({}, [], {}), None
        program.names |= {one.name for one in entry.runs}.union(entry.manifests or ())
        kept = [unpack(one, self.rules) for one in entry.runs if one.name not in (stale or ())]
        if stale is not None and not stale:
            return kept
        with noting() as read:
            fresh = make(stale)
            if stale and exports(program.manifests) and exports(entry.manifests or {}):
                # Others collect what a node exports only now, or the other way round.
                entry, kept = ProgramEntry({}, [], {}), []
                fresh = make(None)
        self.add_outlines(program, fresh, read)
        order = {name: number for number, name in enumerate(entry.manifests or ())}
        found = sorted([*kept, *fresh], key=lambda one: order.get(one.name, len(order)))
        if CLOCK not in read:
            now = {name: self.state(name, state) for name, state in entry.read.items()} | read
            manifests = {**(entry.manifests or {}), **program.manifests}
            entry = entry_of(found, now, manifests, apart=program.apart)
            if entry is not None:
                self.store.put(key, entry, CODEC)
            self.entries[program] = entry
        return found

    def add_outlines(self, program: Program, runs: Sequence[Run], read: Mapping[str, str]) -> None:
        """Add the outlines of new results to those of the site that they are of."""
        found = [one.outlined for one in runs if isinstance(one, CheckedCatalog) and one.outlined]
        site = program.parent or program
        if not found:
            return
        if site not in self.outlines:
            key = key_of_outlines(site.path, site.settings, self.of_site(site))
            with within(site.environment.roots):
                self.outlines[site] = KeptOutlines(site.path, self.store, self, key), {}
        outlines, files = self.outlines[site]
        files.update(read)
        for one in found:
            outlines.add(one)

    def of_site(self, program: Program) -> str:
        """Return a text that changes with the environment and the configuration of a program."""
        return f"{self.identity(program.path)}\0{self.environment(program.environment)}"

    def save(self) -> None:
        """Write what is stored for the check as a whole."""
        self.index.save()
        for outlines, read in self.outlines.values():
            outlines.save(read)

    def states_of(self, names: Collection[str]) -> str | None:
        """Return a text that changes with the results of compiles with some names.

        None: results of one of them are not stored.
        """
        files: dict[str, str] = {}
        left = set(names)
        for entry in filter(None, self.entries.values()):
            of_some = entry.manifests or {}
            mine = [one.name for one in entry.runs if one.name in left]
            if not mine:
                continue
            left.difference_update(mine)
            apart = frozenset().union(*of_some.values())
            used = frozenset().union(*(of_some.get(name, ()) for name in mine))
            files |= {f: at for f, at in entry.read.items() if f in used or f not in apart}
        rows = (f"{file}\0{self.state(file, at)}" for file, at in sorted(files.items()))
        return None if left else digest_of("\n".join(rows))

    def key_of_program(self, program: Program) -> str | None:
        """Return the key of the results of a program, None if they must not be stored.

        Raises:
            InputError: its environment cannot be read.
        """
        if program not in self.keys:
            self.keys[program] = self._key_of_program(program)
        return self.keys[program]

    def _key_of_program(self, program: Program) -> str | None:
        settings = program.settings
        try:
            environment = program.environment
        except CompileError:
            return None
        if depends_on_more(settings):
            return None
        known = self.environment(environment)
        plain, module = repr(replace(settings, progress=None)), repr(program.part.module)
        parts = (plain, module, str(program.shuffle))
        return None if known is None else self.key(program.path, "program", known, *parts)

    def key(self, path: str, *parts: str) -> str:
        """Return a key for results that depend on the settings of a path and on other values."""
        codes = " ".join(self.rules)
        return key_of(FORM, code(), os.getcwd(), self.identity(path), path, codes, *parts)


def entry_of(
    found: Sequence[Run],
    read: Mapping[str, str],
    manifests: Mapping[str, frozenset[str]],
    *,
    apart: bool,
) -> ProgramEntry | None:
    """Return the entry with the results that another run would have too, None to store nothing.

    Only compiles that are `apart` can be repeated one by one.
    """
    again = {one.name for one in found if not may_keep(one)}
    if not apart:
        are_whole = not again and not are_of_moment(manifests)
        return ProgramEntry(read, [pack_stored(one) for one in found], None) if are_whole else None
    if not again <= manifests.keys():
        return None
    marked = {
        name: files | {CLOCK} if name in again else files for name, files in manifests.items()
    }
    stored = [pack_stored(one) for one in found if CLOCK not in marked.get(one.name, ())]
    return ProgramEntry(read, stored, marked)


def pack_stored(run: Run) -> object:
    """Return a result as plain values; outlines are stored for other commands."""
    return pack(replace(run, outlined=None) if isinstance(run, CheckedCatalog) else run)


def exports(manifests: Mapping[str, frozenset[str]]) -> bool:
    """Return whether a compile exports or collects resources."""
    return any(EXPORTS in files for files in manifests.values())


class KeptManifests:
    """The results of the rules on the manifests of a check, stored together."""

    def __init__(self, kept: KeptEntries, paths: Sequence[str], folders: Iterable[str]) -> None:
        self.kept = kept
        self.key = kept.key("\n".join(paths), "manifests", kept.shape(folders))
        found = kept.store.get(self.key, CODEC)
        self.before: dict[str, Row] = found if isinstance(found, dict) else {}
        self.now: dict[str, Row] = {}

    def known(self, file: str) -> bool:
        """Return whether the results of a manifest are stored; mark them as used."""
        if file in self.now:
            return True
        row = self.before.get(file)
        if row is None or row[0] != self.kept.state(file) or not self.kept.holds(row[3]):
            return False
        self.now[file] = row
        return True

    def has_comments(self, file: str) -> bool:
        """Return whether a manifest with stored results has comments for the lint."""
        return self.now[file][4]

    def has_errors(self, file: str) -> bool:
        """Return whether a manifest with stored results has errors."""
        return self.now[file][1]

    def checked(self, file: str) -> CheckedManifest | None:
        """Return the stored results of a manifest, None if it is not a program."""
        packed = self.now[file][2]
        if packed is None:
            return None
        return CheckedManifest(file, unpack_results(packed, self.kept.rules))

    def save(self) -> None:
        """Write the results if any are new."""
        if self.now != self.before:
            self.kept.store.put(self.key, self.now, CODEC)


def row_of(
    text: str, errors: bool, checked: CheckedManifest | None, read: Mapping[str, str]
) -> Row | None:
    """Return the results of a manifest in the stored form, None if a rule failed."""
    commented = bool(comments(text))
    if checked is None:
        return digest_of(text), errors, None, read, commented
    failed = any(failures for _, failures in checked.found.values())
    packed = pack_results(checked.found)
    return None if failed else (digest_of(text), errors, packed, read, commented)
