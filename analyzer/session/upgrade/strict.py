"""Finds variables that nothing sets: undef with a warning, and an error in strict releases."""

from __future__ import annotations

import os
from collections.abc import Sequence

from analyzer.compiles.own_code import Definition
from analyzer.linter.rules.manifest import unknown_variable
from analyzer.session.upgrade.causes import BREAKS, UNSET, Causes
from analyzer.session.upgrade.compare import Compiled
from analyzer.session.upgrade.files import OwnFiles
from analyzer.session.upgrade.legacy import users_of


def add_unset(causes: Causes, files: OwnFiles, own: Sequence[Definition], old: Compiled) -> None:
    """Add a cause for each variable that nothing sets, unless a compile showed its error."""
    users = users_of(own, old)
    errors = {span for cause in causes.of(BREAKS) for span in cause.places}
    for manifest in files.manifests():
        for problem in unknown_variable.check(manifest):
            if problem.span not in errors:
                nodes = users.get(os.path.realpath(manifest.file), ())
                key = (manifest.file, problem.message)
                causes.add(UNSET, key, problem.message, nodes=nodes, span=problem.span)
