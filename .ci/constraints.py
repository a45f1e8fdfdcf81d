"""Print constraints.txt: the newest release of each package that catgraph needs, by Python.

A package with the same release for all Pythons is one line; else markers choose the release.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# What `make` and an installation in development mode need besides.
TOOLS = ["pip", "editables"]
HEAD = "# Written by `make constraints`: the releases that `make` installs.\n"


def requirements(project: Path) -> list[str]:
    """Return the requirements of the package, of all of its extras, and of its build."""
    table = tomllib.loads(project.read_text(encoding="utf-8"))
    lists = [
        table["build-system"]["requires"],
        table["project"]["dependencies"],
        *table["project"]["optional-dependencies"].values(),
    ]
    own = table["project"]["name"] + "["
    return TOOLS + [text for texts in lists for text in texts if not text.startswith(own)]


def releases(wanted: list[str], python: str) -> dict[str, str]:
    """Return the release of each package that pip would install for a version of Python."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        options = ["--quiet", "--dry-run", "--ignore-installed", "--report", str(report)]
        # Another Python than the one that runs: pip asks for wheels and a folder then.
        options += ["--python-version", python, "--only-binary=:all:", "--target", folder]
        pip = [sys.executable, "-m", "pip", "install", "--no-input", *options]
        subprocess.run([*pip, *wanted], check=True)
        packages = [entry["metadata"] for entry in json.loads(report.read_bytes())["install"]]
    return {re.sub(r"[-_.]+", "-", p["name"]).lower(): p["version"] for p in packages}


def main() -> None:
    """Ask pip for each Python, and print the lines."""
    wanted = requirements(Path(__file__).parent.parent / "pyproject.toml")
    pythons: dict[tuple[str, str], list[str]] = defaultdict(list)
    for python in PYTHONS:
        for name, release in releases(wanted, python).items():
            pythons[name, release].append(python)
    print(HEAD, end="")
    for (name, release), needing in sorted(pythons.items()):
        marker = " or ".join(f"python_version == '{python}'" for python in needing)
        print(f"{name}=={release}" + (f" ; {marker}" if needing != list(PYTHONS) else ""))


main()
