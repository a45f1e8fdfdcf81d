"""Programs that read legacy facts, and what each version makes of them before and after a fix."""

from __future__ import annotations

import json
from pathlib import Path

from analyzer.frontends.puppet.node.legacy_facts import legacy_facts
from analyzer.frontends.puppet.node.typical import typical_facts
from analyzer.linter.puppet.legacy_names import reads_of
from analyzer.linter.puppet.subjects import manifest_of
from analyzer.linter.verify import edited
from analyzer.model.documents import JsonObject
from analyzer.session.upgrade.calls import changes_of_calls

HERE = Path(__file__).parent
PROGRAMS, CALLS, RECORDED = HERE / "programs.txt", HERE / "calls.txt", HERE / "recorded.json"
SYSTEMS = ("debian-12", "windows-2022")
FILE = "case.pp"


def programs(file: Path = PROGRAMS) -> list[str]:
    """Return the programs, one a line."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def fixed(text: str) -> str:
    """Return a program with all edits of legacy facts and calls."""
    manifest = manifest_of(FILE, text)
    assert manifest is not None, text
    edits = [read.edit for read in reads_of(manifest) if read.edit is not None]
    edits += [edit for one in changes_of_calls(manifest) for edit in one.edits]
    return edited(edits, {FILE: text}).get(FILE, text)


def facts_of(system: str, *, legacy: bool) -> JsonObject:
    """Return the facts that an agent of Puppet 7 sends, or one of Puppet 8."""
    facts = typical_facts(system)
    return {**legacy_facts(facts), **facts} if legacy else facts


def recorded() -> dict[str, dict[str, str]]:
    """Return the recorded notifies of each version and system, by program."""
    found: dict[str, dict[str, str]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found
