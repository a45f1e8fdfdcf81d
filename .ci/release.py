"""Prepares a release: `python .ci/release.py GROUP VERSION`.

It writes the version, and the group of the project where files name it as `GROUP`: in snippets, in
the metadata of the package and on the site. Nothing else of a file changes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# The group is a name of its own before the project's: nothing else in the files is written so.
GROUP = re.compile(r"\bGROUP(?=/catgraph\b|\.github\.io/catgraph\b)")
PINS = (
    re.compile(r"(?<=/catgraph@v)\d[\w.]*"),
    re.compile(r"(?<=rev: v)\d[\w.]*(?=\n    hooks:\n      - id: catgraph)"),
    re.compile(r"(?<=ref: v)\d[\w.]*(?=\n#? +file: \.ci/gitlab\.yml)"),
    re.compile(r'(?<=^VERSION = ")\d[\w.]*(?="$)', re.MULTILINE),
)
ENDINGS = (".md", ".py", ".toml", ".yml", ".yaml", ".json")
# These have the patterns and the placeholder as such.
LEFT_OUT = (".ci/release.py", "tests/test_release.py", "RELEASING.md")


def prepared(text: str, group: str, version: str) -> str:
    """Return the text of a file for a release."""
    text = GROUP.sub(group, text)
    for pattern in PINS:
        text = pattern.sub(version, text)
    return text


def files(root: Path) -> Iterator[Path]:
    """Yield the files of the repository that may name the project."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, check=True)
    for name in listed.stdout.decode().splitlines():
        if name.endswith(ENDINGS) and name not in LEFT_OUT:
            yield root / name


def main(words: list[str]) -> int:
    """Rewrite the files; print those that changed."""
    if len(words) != 2 or not re.fullmatch(r"\d+\.\d+\.\d+\w*", words[1]):
        print("usage: python .ci/release.py GROUP VERSION", file=sys.stderr)
        return 2
    root = Path(__file__).parent.parent
    for path in files(root):
        before = path.read_text("utf-8")
        after = prepared(before, *words)
        if after != before:
            path.write_text(after, "utf-8")
            print(path.relative_to(root))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
