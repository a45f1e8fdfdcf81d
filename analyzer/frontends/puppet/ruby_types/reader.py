"""Finds the Ruby files in which modules define types of resources, and reads them when asked."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from analyzer.frontends.puppet.ruby_types.declarations import TypeDeclarations
from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType
from analyzer.frontends.puppet.ruby_types.world import RubyWorld
from analyzer.reach import check, may_read
from analyzer.reading import read_text

# Calls on a type that declare attributes.
OPENS = frozenset(
    {"class_eval", "class_exec", "ensurable", "instance_eval", "newparam", "newproperty", "send"}
)
_TYPES = os.path.join("puppet", "type")
_PROVIDERS = os.path.join("puppet", "provider")


NO_TYPE = "its file has no newtype that can be read"


class RubyTypes:
    """The types of the modules in some folders; of two modules of one name the first counts."""

    def __init__(self, modulepath: Sequence[str] = (), folders: Sequence[str] = ()) -> None:
        self.modulepath = modulepath
        self.folders = [*folders, *libraries(modulepath)]
        self.world = RubyWorld(self.folders)
        self.read: dict[str, RubyType | None] = {}

    @cached_property
    def files(self) -> dict[str, str]:
        """Return the files of types by the type's name."""
        found: dict[str, str] = {}
        for folder in self.folders:
            place = f"{folder}/{_TYPES}"
            for name in names_in(place):
                if name.endswith(".rb"):
                    found.setdefault(name[:-3], f"{place}{os.sep}{name}")
        return found

    def find(self, name: str) -> RubyType | None:
        """Return a type by its name in small letters, None if no module has one."""
        if name not in self.read:
            path = self.files.get(name)
            self.read[name] = None if path is None else self.load(name, path)
        return self.read[name]

    def relating(self, name: str) -> TypeDeclarations | None:
        """Return the declarations of a type with its relationships, None where no module has it."""
        return self.world.types.get(name) if self.find(name) is not None else None

    def problem(self, name: str) -> str:
        """Return why a type that a module has is not known."""
        return self.world.problems.get(self.files[name], NO_TYPE)

    def types_read(self) -> list[RubyType]:
        """Return the types that were asked for so far."""
        return [type for type in self.read.values() if type is not None]

    def load(self, name: str, path: str) -> RubyType:
        """Return the type that a file defines."""
        self.world.load(path)
        problem = self.world.problems.get(path, "")
        declared = self.world.types.get(name)
        if declared is None:
            reason = problem or NO_TYPE
            return RubyType(name, titles=None, open=reason, unsure=reason)
        if problem:
            declared.doubt(problem)
        return declared.result(self.has_providers)

    def has_providers(self, name: str) -> bool:
        """Return whether a type has providers, and so a parameter to choose one."""
        # Mostly they are in the module of the type.
        own = os.path.join(os.path.dirname(self.files[name]), os.pardir, "provider", name)
        return holds_ruby(os.path.normpath(own)) or any(
            holds_ruby(os.path.join(place, name)) for place in self.providing.get(name, ())
        )

    @cached_property
    def providing(self) -> dict[str, list[str]]:
        """Return the folders that have one for the providers of a type, by the type's name."""
        found: dict[str, list[str]] = {}
        for folder in self.folders:
            place = f"{folder}/{_PROVIDERS}"
            for name in names_in(place):
                found.setdefault(name, []).append(place)
        return found

    def declares_elsewhere(self, name: str, attribute: str) -> bool:
        """Return whether some other file opens a type again, or gives every type an attribute.

        Which files Puppet has loaded by then depends on the whole catalog; so where there is such a
        file an attribute may be one.
        """
        of_type = rf"Type\.type\(\s*:?['\"]?{re.escape(name)}['\"]?\s*\)\s*\.\s*(\w+)"
        metaparam = rf"newmetaparam\W{{1,9}}{re.escape(attribute)}\b"
        opens = OPENS if attribute != "provider" else OPENS | {"provide"}
        for text in self.texts:
            if re.search(metaparam, text) or any(o in opens for o in re.findall(of_type, text)):
                return True
        return False

    @cached_property
    def texts(self) -> list[str]:
        """Return the Ruby files that may declare something on a type of another file."""
        found = []
        for folder in self.folders:
            for path in ruby_files(folder):
                with contextlib.suppress(OSError):
                    text = read_text(path, "replace")
                    if "newmetaparam" in text or "Type.type(" in text:
                        found.append(text)
        return found


def holds_ruby(folder: str) -> bool:
    """Return whether there is a Ruby file in a folder."""
    return any(name.endswith(".rb") for name in names_in(folder))


def ruby_files(folder: str) -> Iterator[str]:
    """Yield the Ruby files below a folder; links to folders are not entered, as in Ruby."""
    for place, _, names in os.walk(folder) if may_read(folder) else ():
        yield from (os.path.join(place, name) for name in names if name.endswith(".rb"))


def libraries(modulepath: Sequence[str]) -> Iterator[str]:
    """Yield the folders in which modules have Ruby code, if they have any."""
    seen: set[str] = set()
    for folder in modulepath:
        base = os.path.join(folder, "")
        for module in sorted(names_in(folder)):
            if module not in seen:
                seen.add(module)
                yield f"{base}{module}/lib"


def names_in(folder: str) -> list[str]:
    """Return the names in a folder, none if there is no such folder."""
    try:
        return os.listdir(check(folder))
    except OSError:
        return []
