"""Compares what the same things compile to before and after an upgrade, in steps."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.model.releases import has
from analyzer.session.upgrade.causes import Causes
from analyzer.session.upgrade.compare import Compiled, GraphOf, Step, compare

LEGACY = "legacy_facts"
WITHOUT = "because legacy facts are missing"


class Trial:
    """Compiles of the same things before and after an upgrade, and the causes of differences.

    `compile` returns what they compile to under some settings.
    """

    def __init__(self, compile: Callable[[Settings], Compiled], graph_of: GraphOf) -> None:
        self.compile = compile
        self.graph_of = graph_of
        self.causes = Causes()
        self.broken: set[str] = set()
        self.changed: set[str] = set()
        self.old = self.new = Compiled()

    def run(self, before: Settings, target: Settings) -> None:
        """Compile under both settings, and add the causes of differences.

        What the missing of legacy facts breaks or changes is told apart from what else does.
        """
        sends = has(before.puppet_version, LEGACY)
        old = replace(before, legacy_facts=sends or before.legacy_facts)
        self.old = self.compile(old)
        if not sends or has(target.puppet_version, LEGACY):
            self.new = self.compile(target)
            self._compare(self.old, self.new)
            return
        target = replace(target, legacy_facts=True)
        known = self.compile(target)
        self._compare(self.old, known)
        lost = replace(target, legacy_facts=False, no_legacy_facts="all")
        self.new = self.compile(lost)
        self._compare(known, self.new, WITHOUT)
        if self.broken:
            # What changes silently shows where no variable is unknown: only in $facts.
            silent = self.compile(replace(target, no_legacy_facts="hash"))
            self._compare(known, silent, WITHOUT, self.broken.copy())

    def _compare(
        self, before: Compiled, after: Compiled, why: str = "", only: Collection[str] | None = None
    ) -> None:
        breaks, changes = compare(Step(before, after, self.graph_of, why, only), self.causes)
        self.broken |= breaks
        self.changed |= changes
