"""Finds the CFEngine policies among the inputs of a lint, and makes subjects for rules."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from analyzer.diagnostics import InputError
from analyzer.linter.input_files import policies_below
from analyzer.linter.policies import Assumed, PolicyRun, PolicyText, RefusedPolicy
from analyzer.linter.texts import Names, Texts
from analyzer.reading import read_bytes

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.outcomes import Outcomes

# The most promises that are checked again to try fixes, and the least number of fixes to try.
MOST_LOOKS, LEAST_TRIES = 30_000, 3


@dataclass(frozen=True)
class Policies:
    """The policies at or below some paths; files are read through `texts`, once."""

    paths: tuple[str, ...]
    assumed: Assumed
    texts: Texts
    names: Names
    allow_read: tuple[str, ...] = ()
    tries: list[int] = field(default_factory=list)

    @cached_property
    def files(self) -> list[str]:
        """Return the files, each once: those below the paths, and the inputs of entries."""
        found = {os.path.realpath(file): file for file in [*self.inputs, *self.below]}
        return sorted(found.values())

    @cached_property
    def below(self) -> list[str]:
        """Return the files at or below the paths."""
        return [self.names.of(file) for path in self.paths for file in policies_below(path)]

    @cached_property
    def real_inputs(self) -> frozenset[str]:
        """Return the real paths of the inputs of entries."""
        return frozenset(map(os.path.realpath, self.inputs))

    @cached_property
    def inputs(self) -> list[str]:
        """Return the inputs of the entries of policies that are named by themselves.

        They are below the folder of the entry, where CFEngine looks for them.
        """
        if not self.below:
            return []
        from analyzer.linter.policy_files import checked, is_entry, load_all

        found: list[str] = []
        for path in self.below if self.below and set(self.below) <= set(self.paths) else ():
            text = self.read(path)
            tree = checked(text, path) if text is not None else None
            if tree is None or tree.problems or not is_entry(tree.tree):
                continue
            folder = os.path.join(os.path.dirname(os.path.realpath(path)), "")
            loaded = load_all(path, self.read_input)
            files = [one.path for one in loaded.policy.files]
            found += [file for file in files if os.path.realpath(file).startswith(folder)]
        return found

    @cached_property
    def _checked(self) -> list[PolicyText | list[RefusedPolicy]]:
        from analyzer.linter.policies import text_of_file

        read = ((file, self.read(file)) for file in self.files)
        return [text_of_file(file, text) for file, text in read if text is not None]

    @cached_property
    def unreadable(self) -> list[InputError]:
        """Return the errors of existing files that cannot be read."""
        found = []
        for file in self.files:
            if self.read(file) is None and os.path.exists(file):
                from analyzer.frontends.cfengine.syntax.check import read_text

                try:
                    read_text(file)
                except InputError as error:
                    found.append(error)
        return found

    @property
    def count(self) -> int:
        """Return the number of files, read or refused."""
        return len(self._checked)

    @property
    def readable(self) -> list[PolicyText]:
        """Return the files that CFEngine reads."""
        return [one for one in self._checked if isinstance(one, PolicyText)]

    @property
    def refused(self) -> list[RefusedPolicy]:
        """Return the errors for which CFEngine refuses files."""
        files = [error for one in self._checked if isinstance(one, list) for error in one]
        wholes = ((run.name, run.refusal) for run in self.runs)
        files += [RefusedPolicy(name, error) for name, error in wholes if error is not None]
        return [*files, *self.refused_inputs.values()]

    @property
    def refused_inputs(self) -> dict[str, RefusedPolicy]:
        """Return the errors of refused inputs that are at none of the paths."""
        named = set(map(os.path.realpath, self.files))
        return {
            error.span.file: RefusedPolicy(error.span.file, error)
            for run in self.runs
            for error in reversed(run.loaded.refused)
            if os.path.realpath(error.span.file) not in named
        }

    @cached_property
    def outcomes(self) -> Outcomes | None:
        """Return the given outcomes.

        Raises:
            InputError: the file cannot be read, or is not a file of outcomes.
        """
        from analyzer.frontends.cfengine.agent.outcomes import read_outcomes
        from analyzer.frontends.cfengine.syntax.check import read_text

        path = self.assumed.outcomes
        return read_outcomes(read_text(path), path) if path else None

    @cached_property
    def runs(self) -> list[PolicyRun]:
        """Return the policies with their inputs, and the files that belong to no policy."""
        if not self.files:
            return []
        from analyzer.linter.policy_files import policies_in

        return [
            PolicyRun(loaded.path, loaded, self.assumed.classes, self.outcomes, self.read)
            for loaded in policies_in(self.files, self.read_input)
            if loaded.policy.files
        ]

    def read(self, file: str) -> str | None:
        """Return the text of a file, None if it is missing; invalid UTF-8 is read as Latin-1."""
        text = self.texts.get(file)
        if text is None and os.path.isfile(file):
            try:
                text = self.texts.known[file] = read_bytes(file).decode("latin-1")
            except OSError:
                return None
        return text

    @cached_property
    def roots(self) -> frozenset[str]:
        """Return the folders that inputs may be in: the checkouts of paths, and allowed ones."""
        from analyzer.reach import roots_of

        return roots_of([*self.paths, *map(os.path.dirname, self.below)], self.allow_read)

    def read_input(self, file: str) -> str | None:
        """Return the text of a file of a policy, None if it is missing or may not be read."""
        from analyzer.reach import may_read

        return self.read(file) if may_read(file, self.roots) else None

    def may_try(self) -> bool:
        """Return whether one more fix may be tried: only few in large policies."""
        self.tries.append(1)
        count = sum(len(run.sites.all) for run in self.runs)
        return len(self.tries) * count <= max(MOST_LOOKS, LEAST_TRIES * count)

    def using(self, files: Iterable[str]) -> list[PolicyRun]:
        """Return the policies that some files belong to."""
        wanted = set(map(os.path.realpath, files))
        return [run for run in self.runs if wanted & run.loaded.seen]
