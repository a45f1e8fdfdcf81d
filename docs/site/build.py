"""Builds the site: `python -m docs.site.build` writes build/site.

The sources are the pages of docs/ as they are, some files of the root, and the reference pages,
which are written from the code. Links to other files of the repository lead to the repository.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from docs.site.check import problems
from docs.site.nav import NAVIGATION, ROOT_PAGES
from docs.site.reference import pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCE, TARGET = ROOT / "build" / "site-source", ROOT / "build" / "site"
PLAYGROUND = ROOT / "build" / "playground"
# The release puts the name of the project here: see RELEASING.md.
REPOSITORY = "https://github.com/GROUP/catgraph"
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)#\s]*)(#[^)\s]*)?(?=\))")
CONFIGURATION: dict[str, object] = {
    "site_name": "catgraph",
    "site_description": "What Puppet will do to a machine, in what order, and which line says so",
    # Not `repo_url`: with it, each page asks the forge for its stars.
    "extra": {"social": [{"icon": "material/source-repository", "link": REPOSITORY}]},
    "docs_dir": str(SOURCE),
    "site_dir": str(TARGET),
    # Pages open from a disk as well.
    "use_directory_urls": False,
    "strict": True,
    "theme": {
        "name": "material",
        # Nothing of a page comes from elsewhere.
        "font": False,
        "palette": [
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo"},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo"},
        ],
        "features": [
            "navigation.tabs",
            "navigation.indexes",
            "navigation.top",
            "content.code.copy",
        ],
        "icon": {"logo": "material/graph-outline"},
    },
    "plugins": ["search"],
    "markdown_extensions": [
        "admonition",
        "attr_list",
        "tables",
        {"toc": {"permalink": True}},
        "pymdownx.superfences",
        {"pymdownx.highlight": {"anchor_linenums": True}},
    ],
    "validation": {"links": {"anchors": "warn", "unrecognized_links": "warn"}},
}


def main() -> int:
    """Write the sources, build the site, and check its links; return the exit code."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.rmtree(TARGET, ignore_errors=True)
    write_sources()
    navigation = list(NAVIGATION)
    # Only a machine with npm can build it: `make playground`.
    if PLAYGROUND.is_dir():
        shutil.copytree(PLAYGROUND, SOURCE / "playground")
        navigation.insert(1, {"Playground": "playground/index.html"})
    file = SOURCE.with_suffix(".yml")
    file.write_text(json.dumps({**CONFIGURATION, "nav": navigation}, indent=1), "utf-8")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", str(file)],
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    if built.returncode:
        return built.returncode
    wrong = list(problems(TARGET))
    print("\n".join(wrong) or f"{TARGET / 'index.html'}: {len(list(TARGET.rglob('*.html')))} pages")
    return int(bool(wrong))


def write_sources() -> None:
    """Write all pages and pictures to one folder."""
    for path in sorted(DOCS.rglob("*")):
        if path.is_file() and path.suffix in (".md", ".png", ".svg"):
            place = SOURCE / path.relative_to(DOCS)
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                place.write_text(moved(path.read_text("utf-8"), path), "utf-8")
            else:
                shutil.copyfile(path, place)
    for name, page in ROOT_PAGES.items():
        text = moved((ROOT / name).read_text("utf-8"), ROOT / name)
        (SOURCE / page).write_text(text, "utf-8")
    for name, text in pages():
        place = SOURCE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(with_links_to_rules(text, name), "utf-8")
    rules = SOURCE / "rules.md"
    rules.write_text(with_links_to_rules(rules.read_text("utf-8"), "rules.md"), "utf-8")


def moved(text: str, path: Path) -> str:
    """Return a page with links that lead to the same files from its place on the site."""

    def link(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        if not target:
            return match[0]
        file = (path.parent / target).resolve()
        here = path.parent if path.is_relative_to(DOCS) else DOCS
        depth = "../" * len(here.relative_to(DOCS).parts)
        if file.is_relative_to(DOCS) and file.is_file():
            return f"{depth}{file.relative_to(DOCS).as_posix()}{anchor}"
        name = file.relative_to(ROOT).as_posix()
        if name in ROOT_PAGES:
            return f"{depth}{ROOT_PAGES[name]}{anchor}"
        return f"{REPOSITORY}/tree/main/{name}{anchor}"

    return LINK.sub(link, text)


def with_links_to_rules(text: str, name: str) -> str:
    """Return a page whose table of rules leads to their pages."""
    if name != "rules.md":
        return text
    return re.sub(r"^\| (CG\d+) \|", r"| [\1](reference/rules/\1.md) |", text, flags=re.MULTILINE)


if __name__ == "__main__":
    sys.exit(main())
