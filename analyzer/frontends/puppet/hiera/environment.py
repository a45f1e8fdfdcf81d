"""The folders that a lookup reads: an environment and its modules."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from analyzer.reading import read_text

MODULE_NAME = re.compile(r"[a-z][\w]*", re.A)


class HieraEnvironment:
    """An environment's folder and the folders of its modulepath, in order."""

    def __init__(self, folder: str | Path | None, module_dirs: Sequence[str | Path]) -> None:
        self.folder = None if folder is None else os.path.abspath(folder)
        self.module_dirs = [os.path.abspath(path) for path in module_dirs]
        self._modules: dict[str, str | None] = {}

    def place(self, modules: Mapping[str, str]) -> None:
        """Return the places of modules whose folders have other names."""
        self._modules.update({name: os.path.abspath(path) for name, path in modules.items()})

    def module(self, name: str) -> str | None:
        """Return the folder of a module, None if there is none of that name."""
        if name not in self._modules:
            self._modules[name] = self._find_module(name)
        return self._modules[name]

    def _find_module(self, name: str) -> str | None:
        if not MODULE_NAME.fullmatch(name):
            return None
        found = (os.path.join(folder, name) for folder in self.module_dirs)
        return next((path for path in found if os.path.isdir(path)), None)

    @cached_property
    def data_provider(self) -> str | None:
        """Return `environment_data_provider` of environment.conf."""
        if self.folder is None:
            return None
        try:
            text = read_text(os.path.join(self.folder, "environment.conf"))
        except OSError:
            return None
        found = re.search(r"^[^\S\n]*environment_data_provider\s*=\s*(\S+)", text, re.M)
        return found[1] if found else None

    def module_data_provider(self, name: str) -> str | None:
        """Return `data_provider` of a module's metadata.json."""
        folder = self.module(name)
        if folder is None:
            return None
        try:
            metadata = json.loads(read_text(os.path.join(folder, "metadata.json")))
        except (OSError, ValueError):
            return None
        provider = metadata.get("data_provider") if isinstance(metadata, dict) else None
        return provider if isinstance(provider, str) else None

    def has_function(self, name: str) -> bool:
        """Return whether a file defines a function, in Ruby or the Puppet language."""
        *space, last = name.split("::")
        rest = "/".join([*space[1:], last])
        for folder in self._function_folders(space):
            ruby = Path(folder, "lib/puppet/functions", *space, f"{last}.rb")
            if ruby.exists() or Path(folder, "functions", f"{rest}.pp").exists():
                return True
        return False

    def _function_folders(self, space: list[str]) -> list[str]:
        own = [self.folder] if self.folder else []
        if space and space[0] != "environment":
            folder = self.module(space[0])
            return [folder] if folder else []
        if space:
            return own
        modules = [
            os.path.join(path, name)
            for path in self.module_dirs
            if os.path.isdir(path)
            for name in sorted(os.listdir(path))
        ]
        return own + modules
