"""Converts the specs of a module: which files, for which systems, and what is left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from analyzer.cli.convert.ruby import Unconvertible
from analyzer.cli.convert.spec import SpecFile
from analyzer.cli.convert.write import Converted
from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS
from analyzer.reading import read_bytes

# Folders of specs, of which each has its own way to compile.
KINDS = ("classes", "defines", "hosts")


class ConvertedFile(NamedTuple):
    """A converted file: its source, its text, and its numbers of examples."""

    source: str
    name: str
    text: str
    tests: int
    left: int
    reason: str


def convert(folder: Path) -> Iterator[ConvertedFile]:
    """Yield the files below a folder of specs, or of one below it."""
    systems = systems_of(folder)
    for path in sorted(folder.rglob("*_spec.rb")):
        if "fixtures" in path.relative_to(folder).parts:
            continue
        source = path.relative_to(folder.parent).as_posix()
        kind = next((one for one in reversed(path.parts) if one in KINDS), "")
        name = f"test_{path.name.removesuffix('_spec.rb')}.py"
        place = path.relative_to(folder).parent / name
        if not kind:
            yield ConvertedFile(source, str(place), "", 0, 0, "no test of a class, define or host")
            continue
        try:
            text = read_bytes(str(path)).decode("utf-8", "replace")
            made = Converted(list(SpecFile(text, kind).examples()), source, systems)
        except (Unconvertible, IndexError) as error:
            yield ConvertedFile(source, str(place), "", 0, 0, str(error))
            continue
        yield ConvertedFile(source, str(place), made.text(source), made.tests, made.left, "")


def systems_of(folder: Path) -> list[str]:
    """Return the systems of the module's metadata of which typical facts are known."""
    for place in (folder, *folder.parents[:3]):
        file = place / "metadata.json"
        if file.is_file():
            try:
                rows = json.loads(read_bytes(str(file))).get("operatingsystem_support", [])
                return list(known_systems(rows))
            except (ValueError, AttributeError, TypeError, KeyError):
                return []
    return []


def known_systems(rows: list[dict[str, object]]) -> Iterator[str]:
    """Yield the names of systems of which typical facts are known."""
    names = {(one.name.lower(), one.major): name for name, one in SYSTEMS.items()}
    for row in rows:
        releases = row.get("operatingsystemrelease")
        for release in releases if isinstance(releases, list) else []:
            name = names.get((str(row["operatingsystem"]).lower(), str(release)))
            if name:
                yield f"{MARK}{name}"
