#!/usr/bin/env python3
"""Writes a generated catalog of any size, in the shape compiled catalogs have.

python sample_catalogs/large.py 50000 > big.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from random import Random
from typing import Any

Resource = dict[str, Any]

_CLASS_SIZE = (8, 60)
_ACCOUNTS = 40
_CYCLE_LENGTH = 12
_KINDS = {"file": 50, "exec": 15, "package": 12, "service": 10, "directory": 8, "notify": 5}
_METAPARAMETERS = ["require", "require", "require", "subscribe"]


def large_catalog(
    n: int, seed: int = 1, cyclic: bool = False, notify_only: bool = False
) -> dict[str, Any]:
    """A catalog of `n` resources (at least 10): classes, accounts, files with owners, services.

    Each resource names about three earlier ones, so that there is no cycle unless `cyclic` adds one
    edge back. With `notify_only` all resources in the classes are of the type notify.
    """
    builder = _Builder(max(n, 10), Random(seed), notify_only)
    builder.fill()
    if cyclic:
        builder.close_cycle()
    return builder.catalog()


class _Builder:
    """Adds resources in an order that agrees with all their relationships."""

    def __init__(self, size: int, rng: Random, notify_only: bool) -> None:
        self.size = size
        self.rng = rng
        self.notify_only = notify_only
        self.resources: list[Resource] = []
        self.edges: list[dict[str, str]] = []
        self.classes = ["settings"]
        self.members: list[Resource] = []
        self.users: list[str] = []
        self.directories: list[str] = []
        self.scope = ""
        self.line = 0

    def fill(self) -> None:
        """Top of the catalog, then accounts, then classes until the size is reached."""
        self._add("Stage", "main", {"name": "main"})
        self._class("Settings")
        self._class("Main", {"name": "main"})
        # The title of this class alone is written small in catalogs.
        self.resources[-1]["title"] = "main"
        self.edges[-1]["target"] = "Class[main]"
        if not self.notify_only:
            self._accounts()
        while len(self.resources) < self.size:
            self._module()

    def close_cycle(self) -> None:
        """One edge back, from a late resource to one that is some steps before it."""
        by_ref = {f"{r['type']}[{r['title']}]": r for r in self.members}
        late = next(r for r in reversed(self.members) if "require" in r["parameters"])
        early, current = "", late
        for _ in range(_CYCLE_LENGTH):
            if "require" not in current["parameters"]:
                break
            named = current["parameters"]["require"]
            early = named if isinstance(named, str) else named[0]
            current = by_ref[early]
        late["parameters"]["before"] = early

    def catalog(self) -> dict[str, Any]:
        """In Puppet's catalog format."""
        return {
            "tags": self.classes,
            "name": "large.example.com",
            "version": 1,
            "code_id": None,
            "catalog_uuid": "00000000-0000-4000-8000-000000000001",
            "catalog_format": 2,
            "environment": "production",
            "resources": self.resources,
            "edges": self.edges,
            "classes": self.classes,
        }

    def _add(self, kind: str, title: str, parameters: dict[str, Any]) -> Resource:
        self.line += 4
        resource = {
            "type": kind,
            "title": title,
            "tags": [kind.lower(), "class"],
            "file": f"modules/{self.scope or 'site'}/manifests/init.pp",
            "line": self.line,
            "exported": False,
            "kind": "compilable_type" if kind != "Class" else "unknown",
            "parameters": parameters,
        }
        self.resources.append(resource)
        return resource

    def _class(self, title: str, parameters: dict[str, Any] | None = None) -> None:
        self._add("Class", title, parameters or {})
        self.edges.append({"source": "Stage[main]", "target": f"Class[{title}]"})

    def _member(self, kind: str, title: str, parameters: dict[str, Any]) -> Resource:
        resource = self._add(kind, title, parameters)
        owner = f"Class[{self.scope.capitalize()}]"
        self.edges.append({"source": owner, "target": f"{kind}[{title}]"})
        return resource

    def _open(self, name: str) -> None:
        self.scope, self.line = name, 0
        self.classes.append(name)
        self._class(name.capitalize())

    def _accounts(self) -> None:
        self._open("accounts")
        for number in range(min(_ACCOUNTS, (self.size - len(self.resources)) // 4)):
            name = f"team{number}"
            self._member("Group", name, {"ensure": "present"})
            self._member("User", name, {"ensure": "present", "gid": name})
            self.users.append(name)

    def _module(self) -> None:
        name = f"module{len(self.classes)}"
        self._open(name)
        if len(self.classes) > 4 and self.rng.random() < 0.3:
            earlier = self.rng.choice(self.classes[1:-1])
            self.resources[-1]["parameters"]["require"] = f"Class[{earlier.capitalize()}]"
        room = self.size - len(self.resources)
        self.directories = [f"/srv/{name}"]
        for _ in range(min(room, self.rng.randint(*_CLASS_SIZE))):
            self._resource()

    def _resource(self) -> None:
        kind = self.rng.choices(list(_KINDS), list(_KINDS.values()))[0]
        make = _MAKERS["notify" if self.notify_only else kind]
        type_, title, parameters = make(self, len(self.resources))
        self._relate(parameters)
        self.members.append(self._member(type_, title, parameters))

    def _relate(self, parameters: dict[str, Any]) -> None:
        """About three dependencies, mostly on neighbours, now and then far away."""
        if not self.members:
            return
        recent = self.members[-60:]
        wanted: dict[str, list[str]] = {}
        for _ in range(self.rng.choice([2, 3, 3, 4])):
            pool = recent if self.rng.random() < 0.9 else self.members
            target = self.rng.choice(pool)
            reference = f"{target['type']}[{target['title']}]"
            wanted.setdefault(self.rng.choice(_METAPARAMETERS), []).append(reference)
        for name, references in wanted.items():
            parameters[name] = references[0] if len(references) == 1 else references


_Made = tuple[str, str, dict[str, Any]]


def _file(builder: _Builder, number: int) -> _Made:
    path = f"{builder.rng.choice(builder.directories)}/file{number}.conf"
    parameters: dict[str, Any] = {"ensure": "file", "content": f"setting = {number}\n"}
    if builder.users and builder.rng.random() < 0.6:
        owner = builder.rng.choice(builder.users)
        parameters |= {"owner": owner, "group": owner, "mode": "0640"}
    return "File", path, parameters


def _directory(builder: _Builder, number: int) -> _Made:
    path = f"{builder.rng.choice(builder.directories)}/d{number}"
    builder.directories.append(path)
    return "File", path, {"ensure": "directory"}


def _exec(builder: _Builder, number: int) -> _Made:
    parameters = {"command": f"/usr/bin/setup --step {number}", "refreshonly": True}
    if builder.rng.random() < 0.3:
        parameters["cwd"] = builder.rng.choice(builder.directories)
    return "Exec", f"step {number}", parameters


def _package(_builder: _Builder, number: int) -> _Made:
    return "Package", f"package{number}", {"ensure": "installed"}


def _service(_builder: _Builder, number: int) -> _Made:
    return "Service", f"service{number}", {"ensure": "running", "enable": True}


def _notify(_builder: _Builder, number: int) -> _Made:
    return "Notify", f"note {number}", {}


_MAKERS: dict[str, Callable[[_Builder, int], _Made]] = {
    "file": _file,
    "directory": _directory,
    "exec": _exec,
    "package": _package,
    "service": _service,
    "notify": _notify,
}


def main(arguments: list[str] | None = None) -> int:
    """Write the catalog to standard output."""
    parser = argparse.ArgumentParser(description="Write a generated catalog as JSON.")
    parser.add_argument("size", type=int, help="number of resources")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cyclic", action="store_true", help="add one edge that closes a cycle")
    parser.add_argument("--notify-only", action="store_true", help="no type but notify")
    options = parser.parse_args(arguments)
    catalog = large_catalog(options.size, options.seed, options.cyclic, options.notify_only)
    json.dump(catalog, sys.stdout)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
