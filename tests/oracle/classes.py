"""The live run of the packaged modules: each class included alone, with several sets of facts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from .facts import Facts, debian_11, fact_sets
from .harness import MODULES, Question

# A folder of fact sets, or one file, where no option names it.
VARIABLE = "CATGRAPH_FACTS"
_FACTS_SECONDS = 120

_CLASS = re.compile(r"^\s*class\s+(?:::)?([a-z]\w*(?:::\w+)*)\b", re.MULTILINE)


def packaged_classes(modules: Path = MODULES) -> list[str]:
    """Names of all classes declared in the manifests of the packaged modules."""
    files = sorted(modules.glob("*/manifests/**/*.pp"))
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files)
    return sorted({name for text in texts for name in _CLASS.findall(text)})


def class_questions(
    facts: Path | None, sample: int, seed: int
) -> Iterator[tuple[str, list[Question]]]:
    """Yield names of fact sets, each with the questions about a sample of the classes.

    The sample differs from set to set; 0 asks for all classes.
    """
    names = packaged_classes()
    for name, values in sets_of_facts(facts).items():
        chosen = names
        if 0 < sample < len(names):
            chosen = sorted(Random(f"{name}/{seed}").sample(names, sample))
        common = {"modulepath": [str(MODULES)], "facts": values}
        yield name, [{"id": c, "code": f"include {c}", **common} for c in chosen]


def sets_of_facts(path: Path | None) -> dict[str, Facts]:
    """Sets of facts by name: of a file or folder, else our own and this machine's, if they show."""
    named = path or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is not None:
        return fact_sets(named)
    machine = machine_facts()
    return {"debian-11-builtin": debian_11(), **({"this machine": machine} if machine else {})}


def machine_facts() -> Facts | None:
    """What the installed Puppet tells of this machine, None if it tells nothing."""
    command = ["facts", "show", "--show-legacy", "--render-as", "json"]
    puppet = shutil.which("puppet")
    if puppet is None:
        return None
    try:
        run = subprocess.run(
            [puppet, *command], capture_output=True, text=True, timeout=_FACTS_SECONDS, check=False
        )
        found: Any = json.loads(run.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None
    return found if isinstance(found, dict) and found else None
