"""Keeps what rules found in manifests and catalogs, by the content of all that it depends on.

The key of an entry has the names of all files and links that code may look for, the settings, the
rules and the code of catgraph; the entry has the state of each file that was read. So an entry
holds as long as all of that is the same, and whatever an attacker writes is only read and hashed.
Where a result depends on more than files (Ruby, a classifier, a store of exports, a plugin, the
clock), or another try might end otherwise (time, memory), nothing is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.syntax.cache import key_of, user_cache
from analyzer.linter.judged import JudgedManifest
from analyzer.linter.packing import Run, may_keep, pack, pack_results, unpack, unpack_results
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.rule import Rule
from analyzer.reading import CLOCK, noting
from analyzer.session.keeping import Disk, code, depends_on_more, digest_of

# Counts up when entries mean something else.
FORM = "lint 3"

# The digest of a manifest's text, whether it has errors, the packed results of the rules, None
# where it is no program, and the states of other files that rules read.
Row = tuple[str, bool, Any, Mapping[str, str]]


class Kept(Disk):
    """The entries of one look; `identity` is what the functions of a request depend on, by path."""

    def __init__(self, identity: Callable[[str], str], rules: Sequence[Rule]) -> None:
        self.identity = identity
        self.rules = {rule.code: rule for rule in rules}
        self.store = user_cache()
        super().__init__()

    def has(self, program: Program) -> bool:
        """Return whether the results of a program are kept.

        Raises:
            InputError: its environment cannot be read.
        """
        key = self.key_of_program(program)
        entry = None if key is None else self.store.get(key)
        return isinstance(entry, tuple) and self.holds(entry[0])

    def runs(self, program: Program, make: Callable[[], list[Run]]) -> list[Run]:
        """Return the results of a program; those that are made are kept for the next time.

        Raises:
            InputError: facts or other inputs cannot be read.
        """
        key = self.key_of_program(program)
        if key is None:
            return make()
        entry = self.store.get(key)
        if isinstance(entry, tuple) and self.holds(entry[0]):
            program.names |= {one.name for one in entry[1]}
            return [unpack(one, self.rules) for one in entry[1]]
        with noting() as read:
            found = make()
        if CLOCK not in read and all(map(may_keep, found)):
            self.store.put(key, (read, [pack(one) for one in found]))
        return found

    def key_of_program(self, program: Program) -> str | None:
        """Return the key of the results of a program, None where none are to be kept.

        Raises:
            InputError: its environment cannot be read.
        """
        settings = program.settings
        try:
            environment = program.environment
        except CompileError:
            return None
        if depends_on_more(settings):
            return None
        known = self.environment(environment)
        parts = (repr(replace(settings, progress=None)), repr(program.module), str(program.shuffle))
        return None if known is None else self.key(program.path, "program", known, *parts)

    def key(self, path: str, *parts: str) -> str:
        """Return a key of what depends on the settings of a path, and on other things."""
        codes = " ".join(self.rules)
        return key_of(FORM, code(), os.getcwd(), self.identity(path), path, codes, *parts)


class KeptManifests:
    """The results of the rules on the manifests of a look, kept together."""

    def __init__(self, kept: Kept, paths: Sequence[str], folders: Iterable[str]) -> None:
        self.kept = kept
        self.key = kept.key("\n".join(paths), "manifests", kept.shape(folders))
        found = kept.store.get(self.key)
        self.before: dict[str, Row] = found if isinstance(found, dict) else {}
        self.now: dict[str, Row] = {}

    def known(self, file: str, text: str) -> bool:
        """Return whether the results of a text are kept; they count as used."""
        row = self.before.get(file)
        if row is None or row[0] != digest_of(text) or not self.kept.holds(row[3]):
            return False
        self.now[file] = row
        return True

    def has_errors(self, file: str) -> bool:
        """Return whether a manifest that is known has errors."""
        return self.now[file][1]

    def judged(self, file: str) -> JudgedManifest | None:
        """Return the results of a manifest that is known, None if it is no program."""
        packed = self.now[file][2]
        if packed is None:
            return None
        return JudgedManifest(file, unpack_results(packed, self.kept.rules))

    def save(self) -> None:
        """Write the results, if any are new."""
        if self.now != self.before:
            self.kept.store.put(self.key, self.now)


def row_of(
    text: str, errors: bool, judged: JudgedManifest | None, read: Mapping[str, str]
) -> Row | None:
    """Return the results of a manifest as they are kept, None if a rule failed."""
    if judged is None:
        return digest_of(text), errors, None, read
    failed = any(failures for _, failures in judged.found.values())
    return None if failed else (digest_of(text), errors, pack_results(judged.found), read)
