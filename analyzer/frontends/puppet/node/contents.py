"""Names the contents of a folder without manifests: plans and tasks of Bolt, templates, data."""

from __future__ import annotations

import os
import re

from analyzer.diagnostics import InputError
from analyzer.reading import read_text
from analyzer.source import Span

# The code of the error of what holds nothing to compile, and is right for all that.
NOTHING = "nothing-to-compile"

PLAN = re.compile(r"^[^\S\n]*plan\s+[a-z]\w*(?:::\w+)*\s*[({]", re.MULTILINE)

# What the files are in a folder of a module, one and several.
KINDS = {
    "plans": ("Bolt plan", "Bolt plans"),
    "tasks": ("Bolt task", "Bolt tasks"),
    "templates": ("template", "templates"),
    "lib": ("Ruby file", "Ruby files"),
    "data": ("file of data", "files of data"),
    "facts.d": ("fact", "facts"),
    "files": ("file to serve", "files to serve"),
}
NO_MANIFESTS = "no manifests (.pp) in this folder"


def is_plan(path: str) -> bool:
    """Return whether a file is a Bolt plan: it lies in `plans`, and begins as one."""
    if not path.endswith(".pp") or "plans" not in os.path.abspath(path).split(os.sep)[:-1]:
        return False
    try:
        return PLAN.search(read_text(path, "replace")) is not None
    except OSError:
        return False


def no_plan(path: str) -> str:
    """Return the path of a manifest.

    Raises:
        InputError: it is a Bolt plan.
    """
    if is_plan(path):
        message = "this is a Bolt plan, which no catalog is compiled of; 'parse' checks it"
        raise InputError(message, Span(path), NOTHING)
    return path


def without_manifests(folder: str) -> InputError:
    """Return the error for a folder without manifests, which names the other files in it."""
    counts = dict.fromkeys(KINDS, 0)
    above = os.path.basename(os.path.abspath(folder))
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "."]
        parts = [above, *os.path.relpath(place, folder).split(os.sep)]
        kind = next((part for part in parts if part in KINDS), None)
        if kind is not None:
            counts[kind] += sum(is_counted(kind, name) for name in names)
    held = [f"{count:,} {KINDS[kind][count != 1]}" for kind, count in counts.items() if count]
    if not held:
        return InputError(NO_MANIFESTS, Span(folder), "no-manifests")
    return InputError(f"{NO_MANIFESTS}, but {', '.join(held)}", Span(folder), NOTHING)


def is_counted(kind: str, name: str) -> bool:
    """Return whether a file is one of a kind: tasks have files of metadata beside them."""
    endings = {"plans": (".pp", ".yaml"), "lib": (".rb",)}.get(kind, ("",))
    return (
        name[0] != "."
        and name.endswith(endings)
        and not (kind == "tasks" and name.endswith((".json", ".md")))
    )
