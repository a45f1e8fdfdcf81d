"""Finds variables that nothing sets: undef with a warning, and an error in strict releases."""

from __future__ import annotations

import os

from analyzer.linter.rules.manifest import unknown_variable
from analyzer.session.upgrade.causes import BREAKS, UNSET, Causes
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.legacy import Users


def add_unset(causes: Causes, files: OwnFiles, users: Users) -> None:
    """Add a cause for each variable that nothing sets, unless a compile showed its error."""
    errors = {span for cause in causes.of(BREAKS) for span in cause.places}
    for manifest in files.manifests():
        for problem in unknown_variable.check(manifest):
            if problem.span not in errors:
                nodes = users.get(os.path.realpath(manifest.file), ())
                key = (manifest.file, problem.message)
                causes.add(UNSET, key, problem.message, nodes=nodes, span=problem.span)
