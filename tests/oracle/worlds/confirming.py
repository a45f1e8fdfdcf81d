"""Asks real Puppet whether a planted module has its finding, with the values of a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.node.typical import typical_facts
from analyzer.frontends.puppet.worlds.world import put

from ..compiled import NODE
from ..harness import MODULES, conversation
from .puppet import SETTINGS, code_of
from .travel import FIRST, HIERA, SECOND, Case, write

# A case, a folder to write it to, and the values of a world (None: those that it was planted for).
Confirm = Callable[[Case, Path, Mapping[str, Any] | None], bool]


def confirming() -> Confirm:
    """Return a function that asks a running Puppet."""
    ask = conversation()

    def holds(case: Case, folder: Path, witness: Mapping[str, Any]) -> bool:
        answer = ask(question(case, folder, witness))
        said = str(answer.get("error", "")) + str(answer.get("cycles", ""))
        return FIRST in said or SECOND in said

    def confirm(case: Case, folder: Path, witness: Mapping[str, Any] | None) -> bool:
        write(case, folder)
        if witness is not None:
            return holds(case, folder, witness)
        name = case.input.name
        other = [one for one in case.input.values if one not in case.input.holding]
        return holds(case, folder, {name: case.input.holding[0]}) and not any(
            holds(case, folder, {name: one}) for one in other
        )

    return confirm


def question(case: Case, folder: Path, witness: Mapping[str, Any]) -> dict[str, Any]:
    """Return the question for Puppet about a world."""
    facts = typical_facts(str(witness.get("system") or "debian-12"), NODE)
    given, data = "", ""
    for name, value in witness.items():
        if name.startswith("lookup::"):
            data += f"{name.removeprefix('lookup::')}: {str(value).lower()}\n"
        elif "::" in name and value is not None:
            given += f"{name.rpartition('::')[2]} => {code_of(value)}, "
        elif name.startswith("facts.") and value is not None:
            facts = put(facts, name.removeprefix("facts."), value)
    settings = dict(SETTINGS)
    if data:
        (folder / "hiera.yaml").write_text(HIERA)
        (folder / "data").mkdir(exist_ok=True)
        (folder / "data" / "common.yaml").write_text(data)
        settings["hiera_config"] = str(folder / "hiera.yaml")
    return {
        "id": str(case.number),
        "modulepath": [str(folder), str(MODULES)],
        "facts": facts,
        "report": False,
        "settings": settings,
        "code": f"class {{ 'app': {given} }}",
    }
