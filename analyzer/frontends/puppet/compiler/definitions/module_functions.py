"""Functions that modules have in Ruby, and which release of a module it is (metadata.json)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable

from analyzer.frontends.puppet.ruby_types.reader import names_in
from analyzer.reading import read_bytes

FUNCTIONS = os.path.join("lib", "puppet", "functions")
OLD_FUNCTIONS = os.path.join("lib", "puppet", "parser", "functions")


class RubyFunctions:
    """The functions in Ruby of the modules that are found.

    Those of a namespace are of the module of that name; others may be of any module, and the
    first one in the order of the modulepath has it.
    """

    def __init__(
        self, folders: Callable[[], Iterable[str]], module: Callable[[str], str | None]
    ) -> None:
        self._folders = folders
        self._module = module
        self._index: dict[str, str] | None = None
        self._qualified: dict[str, str | None] = {}

    def folder_of(self, name: str) -> str | None:
        """Return the folder of the module that has a function in Ruby, None if none has it."""
        if "::" not in name:
            if self._index is None:
                self._index = self._read_index()
            return self._index.get(f"{name}.rb")
        if name not in self._qualified:
            module, *rest = name.split("::")
            folder = self._module(module)
            file = os.path.join(folder or "", FUNCTIONS, module, *rest) + ".rb"
            self._qualified[name] = folder if folder and os.path.isfile(file) else None
        return self._qualified[name]

    def _read_index(self) -> dict[str, str]:
        """Return the modules' folders by the names of files, of which the first module counts."""
        index: dict[str, str] = {}
        for folder in reversed([*self._folders()]):
            for place in (FUNCTIONS, OLD_FUNCTIONS):
                index.update(dict.fromkeys(names_in(f"{folder}/{place}"), folder))
        return index


def release_of(folder: str) -> tuple[str, str]:
    """Return the name of a module, as `owner-module`, and its version; empty if not known."""
    try:
        data = json.loads(read_bytes(os.path.join(folder, "metadata.json")))
    except (OSError, ValueError, RecursionError):
        return "", ""
    if not isinstance(data, dict):
        return "", ""
    name, version = data.get("name"), data.get("version")
    return (
        name.replace("/", "-") if isinstance(name, str) else "",
        version if isinstance(version, str) else "",
    )
