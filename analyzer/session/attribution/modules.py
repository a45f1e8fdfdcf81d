"""The modules of a tree that the other side has in another version, or lacks."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from analyzer.frontends.puppet.node.declared import METADATA

Texts = tuple[str | None, str | None]


def modules_changed(files: Mapping[str, Texts]) -> dict[str, str]:
    """Return the folders of modules with another version, and what changed in words."""
    return dict(sorted(rows(files)))


def rows(files: Mapping[str, Texts]) -> Iterator[tuple[str, str]]:
    """Yield the folders, each with the end of a folder's path, and what changed."""
    for name, texts in files.items():
        folder, file = os.path.split(name)
        if file != METADATA or not folder:
            continue
        old, new = map(version_in, texts)
        module = os.path.basename(folder)
        if old and new and old != new:
            yield os.path.join(folder, ""), f"module {module} {old} -> {new}"
        elif bool(old) != bool(new) and not (texts[0] and texts[1]):
            word = "added" if new else "removed"
            yield os.path.join(folder, ""), f"module {module} {new or old} {word}"


def version_in(text: str | None) -> str:
    """Return the version in a module's metadata, empty if there is none."""
    try:
        found = json.loads(text or "")
    except ValueError:
        return ""
    return str(found.get("version", "")) if isinstance(found, dict) else ""
