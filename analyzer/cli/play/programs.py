"""The programs that the page of the playground opens: the samples, or a folder of the user."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from analyzer.cli.play.answers import MOST_CHARACTERS, MOST_FILES
from analyzer.diagnostics import InputError
from analyzer.reading import read_bytes
from analyzer.source import Span

# Samples in the order of the page: what the page shows at first, then what it can do more.
SAMPLES = {
    "require_loop": "Three requirements in a circle",
    "containment_cycle": "Classes that contain the same class",
    "collector_chain_cycle": "A collector that orders too much",
    "autorequire_cycle": "Automatic relationships close a cycle",
    "floating_class": "include where contain was meant",
    "user_group_chain": "Users before groups",
    "stages": "Run stages",
    "healthy_web_stack": "A web server, without a cycle",
    "virtual_resources": "Virtual resources",
    "leftovers": "Code that no node reaches",
    "contracts": "Rules of your own",
    "control_repos/roles_in_hiera": "Roles in Hiera: a cycle for one fact",
    "control_repos/roles_in_site": "A control repository",
    "control_repos/single_module": "A module by itself",
}
ENDINGS = (".pp", ".yaml", ".yml", ".epp", ".toml", ".conf")
NAMES = ("facts.json", "metadata.json", "Puppetfile")
# Folders with files that are not part of a program.
SKIPPED = ("expected", "spec", "examples")


class Sample(TypedDict):
    """A program of the page, with the title that the page shows."""

    name: str
    title: str
    files: dict[str, str]


def samples(folder: Path) -> Iterator[Sample]:
    """Yield the samples of a folder: name, title and files."""
    for name, title in SAMPLES.items():
        if (folder / name).is_dir():
            yield {"name": name, "title": title, "files": files_of(folder / name)}


def files_of(folder: Path) -> dict[str, str]:
    """Return the texts of a program by their paths below its folder.

    Raises:
        InputError: there is no program, or it is too large for the page.
    """
    texts: dict[str, str] = {}
    for path in files_below(folder):
        text = read_bytes(str(path)).decode("utf-8", "replace")
        texts[path.relative_to(folder).as_posix()] = text
        if len(texts) > MOST_FILES or sum(map(len, texts.values())) > MOST_CHARACTERS:
            message = f"too many files for a page ({MOST_FILES} at most): name a smaller folder"
            raise InputError(message, Span(str(folder)))
    if not texts:
        raise InputError("there are no manifests and no data here", Span(str(folder)))
    return texts


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files of a program, without those that are links or hidden."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one[0] != "." and one not in SKIPPED)
        for name in sorted(names):
            path = Path(place, name)
            if (name.endswith(ENDINGS) or name in NAMES) and not path.is_symlink():
                yield path
