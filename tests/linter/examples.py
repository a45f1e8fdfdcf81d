"""Examples made into what rules look at."""

from __future__ import annotations

from pathlib import Path

from analyzer.frontends.puppet.environment import Settings
from analyzer.linter.docs import Example
from analyzer.linter.programs import Program
from analyzer.linter.rule import Rule
from analyzer.linter.run import Found, run
from analyzer.linter.subjects import Compiled, Manifest, Refusal, manifest_of


def subjects(
    text: str, folder: Path, puppet_version: int = 8, shuffle: int = 0
) -> list[Manifest | Compiled | Refusal]:
    """Return a manifest as text, and compiled."""
    path = folder / "example.pp"
    path.write_text(text, encoding="utf-8")
    file = str(path)
    manifest = manifest_of(file, text)
    settings = Settings(puppet_version=puppet_version)
    program = Program(file, settings, lambda catalog: None, None, shuffle)
    return [*([manifest] if manifest else []), *program.compiled({})]


def findings(rule: Rule, example: Example, folder: Path) -> list[Found]:
    """Return what a rule finds in an example."""
    version = int(example.options.get("puppet-version", 8))
    shuffle = int(example.options.get("shuffle", 0))
    return run([rule], subjects(example.text, folder, version, shuffle))
