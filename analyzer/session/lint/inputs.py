"""Describes and classifies the inputs of the lint."""

from __future__ import annotations

import os
from dataclasses import dataclass

from analyzer.frontends.puppet.node.modules import found_below
from analyzer.linter.input_files import POLICY, policies_below

# The weight of a compile; a manifest has 1.
COMPILE = 4


@dataclass(frozen=True, slots=True)
class LintPart:
    """A part of the work on an input: manifests, or compiles of one of its programs.

    `number` is the number of the program, -1 for manifests; `names` are files or compiles. With
    `classes`, the program is the one of these classes, which no node of the numbered one has.
    """

    path: str
    number: int
    names: tuple[str, ...]
    classes: tuple[str, ...] = ()

    @property
    def weight(self) -> int:
        """Return the weight; a compile takes longer than a manifest."""
        return len(self.names) * (1 if self.number < 0 else COMPILE)


def is_document(path: str) -> bool:
    """Return whether an input is a catalog that was compiled elsewhere."""
    return not (path.endswith((".pp", POLICY)) or os.path.isdir(path))


def has_only_policies(path: str) -> bool:
    """Return whether an input is about CFEngine only: a policy, or a folder without manifests."""
    if os.path.isdir(path):
        return not any(found_below(path, ".pp")) and bool(policies_below(path))
    return path.endswith(POLICY)
