"""Examples made into what rules look at."""

from __future__ import annotations

from pathlib import Path

from analyzer.frontends.puppet.check import check
from analyzer.frontends.puppet.environment import Settings
from analyzer.linter.docs import Example
from analyzer.linter.rule import Rule
from analyzer.linter.run import Found, run
from analyzer.linter.subjects import Compiled, Manifest
from analyzer.session import graph_of, load_catalogs


def subjects(text: str, folder: Path, puppet_version: int = 8) -> list[Manifest | Compiled]:
    """Return a manifest as text, and compiled."""
    path = folder / "example.pp"
    path.write_text(text, encoding="utf-8")
    file = str(path)
    checked = check(text, file)
    assert checked.tree is not None, checked.found
    found: list[Manifest | Compiled] = [Manifest(file, text, checked.tree)]
    for catalog in load_catalogs(file, Settings(puppet_version=puppet_version)):
        graph = graph_of(catalog, None, puppet_version)
        assert catalog.record is not None
        texts = {file: text}
        found.append(Compiled(file, graph, catalog.record, puppet_version, text_of=texts.get))
    return found


def findings(rule: Rule, example: Example, folder: Path) -> list[Found]:
    """Return what a rule finds in an example."""
    version = int(example.options.get("puppet-version", 8))
    return run([rule], subjects(example.text, folder, version))
