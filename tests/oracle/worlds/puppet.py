"""Asks real Puppet about a world of an exploration."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.worlds.explored import ExploredWorld
from analyzer.worlds.findings import WorldFinding

from ..compiled import NODE
from ..harness import MODULES, Answer, Question

Ask = Callable[[Question], Answer]
LINE = re.compile(r"line: (\d+)")
SETTINGS = {"strict": "warning", "strict_variables": True}


def question_of(
    world: ExploredWorld, modules: Path, name: str, site: Path | None = None
) -> Question:
    """Return the question for a world: of a class with its parameters, or of a site."""
    trusted: dict[str, Any] = {}
    given: dict[str, Any] = {}
    for key, value in world.world.values.items():
        if key.startswith("trusted.extensions.") and value is not ABSENT:
            trusted[key.removeprefix("trusted.extensions.")] = value
        elif key.startswith(f"{name}::"):
            given[key.removeprefix(f"{name}::")] = value
    settings: dict[str, Any] = dict(SETTINGS)
    question: Question = {
        "id": name,
        "modulepath": [str(modules), str(MODULES)],
        "facts": world.facts,
        "trusted": {
            "authenticated": "remote", "certname": NODE, "extensions": trusted,
            "hostname": "node", "domain": "example.com", "external": {},
        },
        "report": False,
        "settings": settings,
    }  # fmt: skip
    if site is not None:
        settings["hiera_config"] = str(site / "hiera.yaml")
        question["manifest"] = str(site / "manifests" / "site.pp")
    else:
        pairs = ", ".join(f"{key} => {code_of(value)}" for key, value in given.items())
        question["code"] = f"class {{ '{name}': {pairs} }}" if pairs else f"include {name}"
    return question


def code_of(value: Any) -> str:
    """Return a value in Puppet's language."""
    if value is ABSENT or value is None:
        return "undef"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{code_of(k)} => {code_of(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(code_of, value)) + "]"
    return json.dumps(value)


def confirms(answer: Answer, finding: WorldFinding) -> bool:
    """Return whether Puppet has a finding."""
    error = " ".join(str(answer.get("error", "")).split())
    if finding.cycle is not None:
        members = {str(ref) for ref in finding.cycle.members}
        return any(members & set(component) for component in answer.get("cycles") or ())
    if finding.kind == "duplicate declaration":
        return finding.message.partition(" is already")[0] in error
    if finding.kind == "missing target":
        target = finding.message.split("'")[1]
        return "Could not find" in error and target in error and is_there(error, finding)
    return finding.message[:60] in error


def is_there(error: str, finding: WorldFinding) -> bool:
    """Return whether an error is at the line of a finding, as two can lack one target."""
    place = LINE.search(error)
    return place is None or finding.span is None or int(place[1]) == finding.span.line
