"""Inserts an item into a comma-separated list, formatted like its neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.linter.puppet.subjects import Manifest

COMMA = re.compile(r"[ \t]*,")

# The rest of the line after the last part, if another line can follow it.
REST = re.compile(r"[ \t]*(?:#[^\n]*?)?(?=\r?\n)")


def append(manifest: Manifest, parts: Sequence[Node], new: str) -> tuple[Edit, ...]:
    """Return the edits that append a part after the last one, formatted like the others."""
    text, file, last = manifest.text, manifest.file, parts[-1]
    if "@(" in manifest.source(last):
        # The lines below belong to a heredoc.
        return prepend(manifest, parts, new)
    end = last.offset + last.length
    comma = COMMA.match(text, end)
    behind = comma.end() if comma else end
    indent = indent_of(text, last.offset)
    if indent is None:
        added = f" {new}," if comma else f", {new}"
        return (Edit(file, behind, behind, added),)
    rest = REST.match(text, behind)
    if rest is None:
        added = f"\n{indent}{new}," if comma else f",\n{indent}{new}"
        return (Edit(file, behind, behind, added),)
    added = f"\n{indent}{new},"
    if comma or rest.end() == end:
        return (Edit(file, rest.end(), rest.end(), added if comma else f",{added}"),)
    return Edit(file, end, end, ","), Edit(file, rest.end(), rest.end(), added)


def prepend(manifest: Manifest, parts: Sequence[Node], new: str) -> tuple[Edit, ...]:
    """Return the edit that inserts a part before the first one."""
    at = parts[0].offset
    indent = indent_of(manifest.text, at)
    between = " " if indent is None else f"\n{indent}"
    return (Edit(manifest.file, at, at, f"{new},{between}"),)


def indent_of(text: str, offset: int) -> str | None:
    """Return the indentation of a part that begins its line, or None if something precedes it."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return before if not before.strip() else None


def first_attribute(manifest: Manifest, body: a.ResourceBody, new: str) -> tuple[Edit, ...]:
    """Return the edit that adds an attribute to a body without attributes."""
    text, title = manifest.text, body.title
    at = text.index(":", title.offset + title.length) + 1
    rest = re.compile(r"\s*").match(text, at)
    added = f" {new}"
    if rest is not None and "\n" in rest[0]:
        line = text[text.rfind("\n", 0, title.offset) + 1 :]
        added = f"\n{line[: len(line) - len(line.lstrip())]}  {new},"
    return (Edit(manifest.file, at, at, added),)


def aligned(
    manifest: Manifest, operations: Sequence[Node], name: str
) -> tuple[str, tuple[Edit, ...]]:
    """Return an attribute's name, padded so that its arrow aligns with the others.

    If the other arrows are aligned and the name is too long, the edits move them.
    """
    lines = [o for o in operations if indent_of(manifest.text, o.offset) is not None]
    arrows = [manifest.text.index("=>", o.offset) for o in lines]
    widths = {at - o.offset for at, o in zip(arrows, lines, strict=True)}
    if len(widths) != 1:
        return f"{name} ", ()
    width, wanted = widths.pop(), len(name) + 1
    if wanted <= width:
        return name.ljust(width), ()
    space = " " * (wanted - width)
    return f"{name} ", tuple(Edit(manifest.file, at, at, space) for at in arrows)
