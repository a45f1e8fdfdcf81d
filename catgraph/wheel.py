"""What a wheel has: the code of a checkout inside one package.

`analyzer`, `tui` and `grammars` are names that other packages have too: a wheel has them inside
`catgraph`, and all imports and names of modules in their code say so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("analyzer", "tui", "grammars")
ROOT = "catgraph"
# Only a checkout needs these.
LEFT_OUT = (Path(ROOT, "checkout.py"), Path(ROOT, "wheel.py"))
# The samples of the first screen of `catgraph tui`; a checkout has them beside the packages.
SAMPLES = "sample_catalogs", f"{ROOT}/tui/samples"

_ANY = "|".join(PACKAGES)
_CHANGES = (
    (re.compile(rf"\bfrom ({_ANY})\b(?=[.\w]* import\b)"), rf"from {ROOT}.\1"),
    (re.compile(rf"\bimport ({_ANY})(?=\.)"), rf"import {ROOT}.\1"),
    (re.compile(rf"^(\s*)import ({_ANY})$", re.MULTILINE), rf"\1from {ROOT} import \2"),
    # The name of a module, or the beginning of one.
    (re.compile(rf"(?<=[\"'])({_ANY})(?=\.(?:[a-z_]+\.)*(?:[a-z_]+[\"']|[{{\"']))"), rf"{ROOT}.\1"),
)


def package_at(root: Path, place: Path) -> dict[str, str]:
    """Write the code of a wheel to a folder; return its files and those that it shares, by source.

    Raises:
        ValueError: a module would import a package by the name that it has in a checkout.
    """
    found = {str(root / SAMPLES[0]): SAMPLES[1]}
    for file in files_of(root):
        inside = file if file.parts[0] == ROOT else Path(ROOT, file)
        source = root / file
        if file.suffix == ".py":
            text = renamed(source.read_text("utf-8"))
            check(text, file)
            source = place / inside
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text, "utf-8")
        found[str(source)] = str(inside)
    return found


def files_of(root: Path) -> Iterator[Path]:
    """Yield the files of the packages, seen from the root."""
    for package in (ROOT, *PACKAGES):
        for path in sorted((root / package).rglob("*")):
            file = path.relative_to(root)
            if path.is_file() and path.suffix != ".pyc" and file not in LEFT_OUT:
                yield file


def renamed(text: str) -> str:
    """Return code with the packages inside the one of a wheel."""
    for pattern, new in _CHANGES:
        text = pattern.sub(new, text)
    return text


def check(text: str, file: Path) -> None:
    """Check that a module names the packages only as a wheel has them.

    Raises:
        ValueError: it does not.
    """
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module or "")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            names += re.findall(rf"\A(?:{_ANY})\.[a-z_.]+\Z|(?<=import )(?:{_ANY})\b", node.value)
        wrong = [name for name in names if name.partition(".")[0] in PACKAGES]
        if wrong:
            line = getattr(node, "lineno", 0)
            raise ValueError(f"{file}:{line}: {wrong[0]} is not in {ROOT}")
