"""A case: the lesson in a few words, the manifests, what is found in them, and how it is mended.

The first lines name the public threads and tell what somebody suffered from. Then come parts, each
headed `=== WHAT`: manifests by path (`site.pp` is the site's), `mended PATH` for what replaces one,
`says` for lines that the report has to have, and `options` for those of the command line. A line
that is to be blamed ends in `# <-- CODE severity`, several apart by commas. What is not
named must not be found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CASES = HERE / "cases"

SITE = "site.pp"
HEAD = re.compile(r"^=== (.+)\n", re.MULTILINE)
MARK = re.compile(r"[ ]*# <-- (.+)$", re.MULTILINE)

# File, line, code, severity.
Blame = tuple[str, int, str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """One of them; `mended` is None where the lesson has no mended form."""

    name: str
    lesson: str
    manifests: dict[str, str]
    mended: dict[str, str] | None
    says: tuple[str, ...]
    options: tuple[str, ...]
    packaged: bool = False

    @property
    def versions(self) -> dict[str, dict[str, str]]:
        """The manifests as they were, and mended."""
        found = {"as it was": self.manifests}
        return found if self.mended is None else {**found, "mended": self.mended}


def read(path: Path) -> Case:
    """Read a case."""
    parts = HEAD.split(path.read_text(encoding="utf-8"))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    manifests = {name: text for name, text in sections.items() if name.endswith((".pp", ".rb"))}
    instead = {n.removeprefix("mended "): manifests.pop(n) for n in list(manifests) if " " in n}
    return Case(
        path.stem,
        parts[0],
        manifests,
        {**manifests, **instead} if instead else None,
        tuple(sections.get("says", "").strip().splitlines()),
        tuple(sections.get("options", "").split()),
        "packaged" in sections,
    )


def all_cases() -> list[Case]:
    """Read all cases."""
    return [read(path) for path in sorted(CASES.glob("*.txt"))]


def blamed(manifests: dict[str, str]) -> list[Blame]:
    """Return the marks in manifests, sorted."""
    found = []
    for name, text in manifests.items():
        for number, line in enumerate(text.split("\n"), 1):
            if mark := MARK.search(line):
                words = [part.split() for part in mark[1].split(",")]
                found += [(name, number, code, severity) for code, severity in words]
    return sorted(found)


def unmarked(text: str) -> str:
    """Return a manifest without the marks."""
    return MARK.sub("", text)


def write(manifests: dict[str, str], folder: Path) -> None:
    """Write manifests below a folder as an environment has them."""
    for name, text in manifests.items():
        path = folder / ("manifests" if name == SITE else ".") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(unmarked(text), encoding="utf-8")
