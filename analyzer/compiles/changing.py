"""The code of a part that is compiled again with changed texts."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from analyzer.compiles.overlay import Overlay
from analyzer.compiles.own_code import is_defined
from analyzer.compiles.parts import CodePart
from analyzer.frontends.puppet.node.environment import Environment, find_environment
from analyzer.frontends.puppet.node.modules import environment_around

if TYPE_CHECKING:
    from analyzer.compiles.compile import CompileRun
    from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable

# A class with another name is a syntax error, which is reported for its file.
CLASS_NAME = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*")


class ChangingCode:
    """The code of a part, which is read and planned repeatedly with changed texts.

    Files that were read before are used again, unless their texts have changed. `beside` is as for
    `environment_around`.
    """

    def __init__(self, part: CodePart, beside: dict[str, frozenset[str]] | None = None) -> None:
        self.part = part
        self.beside = beside
        # The classes that are compiled by themselves, once the definitions are known.
        self.classes: tuple[str, ...] = ()
        # The last compiles.
        self.last: CompileRun | None = None
        self._known: DefinitionTable | None = None
        self._overlay = Overlay()

    @cached_property
    def environment(self) -> Environment:
        """Return the environment of a site, or the one to compile the classes of a module in."""
        part = self.part
        if part.module is not None:
            return environment_around(part.module, part.settings, self.beside)
        return find_environment(part.path, part.settings)

    def known(self, overlay: Overlay) -> DefinitionTable:
        """Return the definitions, with the texts of an overlay.

        Raises:
            CompileError: one of the site's manifests is not a Puppet program.
        """
        changed = self._overlay.differs(overlay)
        own = set(map(os.path.realpath, self.environment.manifests)) if changed else set()
        if self._known is None or changed & own:
            self._known = None
            self._known = self._read(overlay)
        elif changed:
            self._known.forget(changed, overlay)
        self._overlay = overlay
        return self._known

    def _read(self, overlay: Overlay) -> DefinitionTable:
        from analyzer.compiles.codebases import classes_of, definitions_of
        from analyzer.frontends.puppet.compile import read_manifests

        part = self.part
        if part.module is None:
            known = read_manifests(self.environment, replace(part.settings, overlay=overlay))
            self.classes = classes_of(known, part.settings)
        else:
            names = () if part.site is None else part.settings.classes
            self.classes = tuple(filter(CLASS_NAME.fullmatch, names or part.module.classes))
            known = definitions_of(part.module, self.environment, part.settings, overlay)
        if part.without_node:
            # Classes that are not where Puppet looks for them are compiled from their files.
            self.classes = tuple(name for name in self.classes if is_defined(known, name))
        return known

    @property
    def by_class(self) -> bool:
        """Return whether classes are compiled, once the definitions are known."""
        return bool(self.classes) or self.part.module is not None or self.part.without_node

    def run(self, overlay: Overlay) -> CompileRun:
        """Return the compiles; their plan is made once for the same definitions.

        Raises:
            InputError: facts or other inputs cannot be read.
            CompileError: one of the site's manifests is not a Puppet program.
        """
        from analyzer.compiles.compile import CompileRun
        from analyzer.compiles.plan import plan_of_classes, plan_of_nodes
        from analyzer.frontends.puppet.compile import Codebase

        known = self.known(overlay)
        if self.last is None or self.last.plan.codebases[0].definitions is not known:
            code = Codebase(self.environment, known, self.classes)
            part = self.part
            if self.by_class:
                plan = plan_of_classes(part.path, [code], part.settings)
            else:
                plan = plan_of_nodes(part.path, code, part.settings)
            self.last = CompileRun(plan)
        return self.last
