"""The modules that a repository declares and that are not installed, and names they would bring."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property

from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.node.declared import (
    BRINGS,
    INSTALLS,
    MOVED,
    PUPPETFILE,
    Declarations,
    declared_at,
    install_command,
    is_installed,
)
from analyzer.frontends.puppet.refusals import MISSING_NAME
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.values import Value
from analyzer.reach import may_read

NOT_INSTALLED = "is of module '{}', which {} declares and which is not installed"
NOT_THERE = (
    "is of module '{}', which is not installed, and which no file declares (--modulepath DIRS)"
)
MOVED_TO = "is of module '{}', to which Puppet 6 moved it and which is not installed"
OF_CODE = "may be of a module that {} declares with code that is not run"
REFUSED = "has no definition that can be read"
# What a name of a type may be of.
OF_TYPES = ("define", "resource type", "type")
SOME_MODULE = "may be of any module that {} declares and that is not installed"


class MissingModules:
    """Declared modules without a folder on the modulepath; files are read when first asked.

    `folders` are those that may hold a Puppetfile or another file that declares modules;
    `installed` returns the folder of a module.
    """

    def __init__(self, folders: Sequence[str], installed: Callable[[str], str | None]) -> None:
        self.folders = folders
        self.installed = installed
        self.declares = False
        # The name of a file that computes names of modules.
        self.computes = ""
        # The command that installs what a file of a name asks for.
        self.commands: dict[str, str] = {}
        # Names that are defined nowhere: an error told so, and from then on they are unknown.
        self.refused: set[tuple[str, str]] = set()
        self._definitions: dict[tuple[str, str], Definition] = {}

    @cached_property
    def files(self) -> dict[str, str]:
        """The name of the file that declares each of the missing modules."""
        found: dict[str, str] = {}
        self.declares = False
        for folder in self.folders:
            declared: Declarations = declared_at(folder)
            self.declares = self.declares or bool(declared.modules)
            if declared.computed:
                self.computes = os.path.basename(declared.computed)
                self.commands.setdefault(self.computes, install_command(declared.computed))
            for name, module in declared.modules.items():
                place = self.installed(name)
                if place is None or not is_installed(place):
                    file = module.span.file.rpartition("/")[2]
                    found.setdefault(name, file)
                    self.commands.setdefault(file, install_command(module.span.file))
        return found

    def reason(self, kind: str, name: str) -> str:
        """Return why a class, define, type or function is missing, empty if nothing brings it.

        The first part of a name is its module. A type in Ruby or a function without `::` may be
        of any module. An alias of data types makes no resources: where no module is declared at
        all, it is missing, too.
        """
        refused = REFUSED if (kind, name.lower().removeprefix("::")) in self.refused else ""
        if refused or not self.folders:
            return refused
        first, qualified, _ = name.lower().removeprefix("::").partition("::")
        moved = MOVED.get(first, "") if kind == "resource type" and not qualified else ""
        if moved and moved not in self.files:
            return MOVED_TO.format(moved)
        first = moved or first
        if first in self.files:
            return NOT_INSTALLED.format(first, self.files[first])
        if self.computes and self.installed(first) is None:
            return OF_CODE.format(self.computes)
        if not self.files:
            unsaid = kind == "type" and qualified and self.installed(first) is None
            return NOT_THERE.format(first) if unsaid and not self.declares else ""
        if qualified or kind in ("class", "type"):
            return ""
        owner = next((one for one in self.files if first.startswith(f"{one}_")), BRINGS.get(first))
        if owner in self.files:
            return NOT_INSTALLED.format(owner, self.files[owner])
        return SOME_MODULE.format(" and ".join(sorted(set(self.files.values()))))

    def remedy(self, reason: str) -> str:
        """Return the command that brings the names that are missing for a reason."""
        for name in set(MOVED.values()):
            if reason == MOVED_TO.format(name):
                return f"puppet module install puppetlabs-{name}, or give --modulepath DIRS"
        commands = [run for file, run in self.commands.items() if f" {file} declares " in reason]
        return f"{commands[0] if commands else INSTALLS[PUPPETFILE]}, or give --modulepath DIRS"

    def has_no_other(self, message: str) -> bool:
        """Return whether an error is about a name that only an installed module could have."""
        found = MISSING_NAME.search(message)
        first, qualified, _ = found["name"].lower().partition("::") if found else ("", "", "")
        if not found or not (qualified or "class" in found["kind"]):
            return False
        folder = self.installed(first)
        return folder is not None and may_read(folder) and is_installed(folder)

    def refuse(self, kind: str, name: str) -> Definition | None:
        """Take a name that is defined nowhere for unknown; return what stands for it."""
        kinds = OF_TYPES if kind in OF_TYPES else (kind,)
        self.refused.update((one, name.lower().removeprefix("::")) for one in kinds)
        return self.definition(kind, name) if kind in ("class", "define") else None

    def definition(self, kind: str, name: str) -> Definition | None:
        """Return an empty class or define in place of one of a missing module."""
        name = name.lower().removeprefix("::")
        if kind == "define" and "::" not in name:
            # A type in Ruby as likely as a define: it is taken for a resource that holds nothing.
            return None
        reason = self.reason(kind, name)
        if not reason:
            return None
        found = self._definitions.get((kind, name))
        if found is None:
            node: Value = a.HostClassDefinition(0, 0, name, (), None, None)
            if kind == "define":
                node = a.ResourceTypeDefinition(0, 0, name, (), None)
            found = Definition(kind, name, node, Unit("", ""), name.partition("::")[0])
            found.missing = reason
            self._definitions[kind, name] = found
        return found
