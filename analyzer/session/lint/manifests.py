"""The manifests of a lint one by one: their trees, errors, and results of rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.linter.checked import CheckedManifest
from analyzer.linter.failures import Failure, Result, tried
from analyzer.linter.puppet.subjects import Manifest, Refusal, manifest_of
from analyzer.linter.rule import Rule
from analyzer.linter.run import check_manifest
from analyzer.linter.suppress import comments
from analyzer.linter.texts import Texts
from analyzer.progress import Progress, followed
from analyzer.reading import noting
from analyzer.session.lint.inputs import LintPart
from analyzer.session.lint.kept import KeptManifests, Row, row_of
from analyzer.session.lint.parts import parts_of
from analyzer.session.syntax_errors import errors_in
from analyzer.session.workers import Workers


class Manifests:
    """The manifests of files; `kept` are the results of earlier checks, None to use none."""

    def __init__(
        self,
        files: Sequence[str],
        texts: Texts,
        rules: Sequence[Rule],
        kept: KeptManifests | None,
        workers: Workers[LintPart, Any] | None,
        progress: Progress | None = None,
    ) -> None:
        self.files = files
        self.texts = texts
        self.rules = rules
        self.kept = kept
        self.workers = workers
        self.progress = progress
        self.failures: dict[str, Failure] = {}

    @cached_property
    def trees(self) -> list[Manifest]:
        """Return the manifests with their trees; leave out those that are not Puppet programs."""
        found = (self.tree(file, text) for file, text in self.read())
        return [manifest for manifest in found if manifest is not None]

    @cached_property
    def subjects(self) -> Sequence[Manifest | CheckedManifest]:
        """Return the manifests as subjects of rules, with results if these are stored."""
        if self.kept is None:
            return self.trees
        if self.workers is not None:
            self.share(self.kept, self.workers)
        found = [self.checked(file, self.kept) for file in self.followed]
        self.kept.save()
        return [one for one in found if one is not None]

    @cached_property
    def broken(self) -> list[Refusal]:
        """Return the errors of manifests that are not Puppet programs, compiled or not."""
        return [Refusal(file, error) for file in self.files for error in self.errors(file)]

    @property
    def commented(self) -> Iterator[Manifest]:
        """Return the manifests with comments for the lint."""
        for file in self.files:
            if self.kept is not None and self.kept.known(file) and not self.kept.has_comments(file):
                continue
            text = self.texts.get(file) or ""
            manifest = self.tree(file, text) if comments(text) else None
            if manifest is not None:
                yield manifest

    def read(self) -> Iterator[tuple[str, str]]:
        """Yield the files that can be read, with their texts."""
        for file in self.followed:
            text = self.texts.get(file)
            if text is not None:
                yield file, text

    @property
    def followed(self) -> Iterator[str]:
        """Yield the files, and show how far that is."""
        return followed(self.files, self.progress, "manifests")

    def tree(self, file: str, text: str) -> Manifest | None:
        """Return a manifest with its tree, None if it is not a Puppet program."""
        return self.look(file, partial(manifest_of, file, text))

    def errors(self, file: str) -> Sequence[CompileError]:
        """Return the errors of a manifest."""
        if self.kept is not None and self.kept.known(file) and not self.kept.has_errors(file):
            return ()
        if not is_there(file):
            return ()
        text = self.texts.get(file)
        found = partial(errors_in, file, text, self.texts.may_read(file))
        return self.look(file, lambda: [*found()]) or ()

    def checked(self, file: str, kept: KeptManifests) -> CheckedManifest | None:
        """Return the results of the rules on a manifest, None if it is not a Puppet program."""
        if kept.known(file):
            return kept.checked(file)
        text = self.texts.get(file)
        if text is None:
            return None
        (row,) = self.rows([file])
        if row is None:
            tree = self.tree(file, text)
            return None if tree is None else check_manifest(self.rules, tree)
        kept.now[file] = row
        return kept.checked(file)

    def share(self, kept: KeptManifests, workers: Workers[LintPart, Any]) -> None:
        """Check the manifests without stored results in several processes."""
        files = [f for f in self.files if not kept.known(f) and self.texts.get(f) is not None]
        parts = [*parts_of(files)]
        answers = workers.each(parts, lambda part: (self.rows(part.names), {}, None))
        waiting = followed(parts, self.progress, "groups of manifests")
        for part, (rows, *_) in zip(waiting, answers, strict=True):
            kept.now |= {file: row for file, row in zip(part.names, rows, strict=True) if row}

    def rows(self, files: Sequence[str]) -> list[Row | None]:
        """Return the results of manifests in the stored form, None if one of them failed."""
        return [self.row(file, self.texts.get(file) or "") for file in files]

    def row(self, file: str, text: str) -> Row | None:
        """Return the results of a manifest in the stored form, None if it or a rule failed."""
        tree = self.tree(file, text)
        with noting() as read:
            checked = None if tree is None else check_manifest(self.rules, tree)
            errors = self.look(file, lambda: [*errors_in(file, text)])
        return None if file in self.failures else row_of(text, bool(errors), checked, read)

    def look(self, file: str, look: Callable[[], Result]) -> Result | None:
        """Return the result of checking a file; record an internal error."""
        found = tried(look, f"the file {file}", file, file)
        if not isinstance(found, Failure):
            return found
        self.failures[file] = found
        return None


def is_there(file: str) -> bool:
    """Return whether there is a file, a pipe, a device or a link that leads to nothing.

    An editor's lock is such a link, with a hidden name.
    """
    hidden = os.path.basename(file).startswith(".")
    return os.path.isfile(file) or (os.path.lexists(file) and not hidden)
