"""Programs with resources of our own types: `python -m tests.frontends.puppet.ruby_types.programs`.

What Puppet makes of them goes to `recorded_programs.txt`. Those with types of the Resource API need
its gem (`RUBYLIB`).
"""

from __future__ import annotations

from pathlib import Path

from tests.frontends.puppet.compiler.cases import blocks, said
from tests.oracle.facts import debian_11
from tests.oracle.harness import Question, ask

from .declared import MODULES

HERE = Path(__file__).parent
PROGRAMS, RECORDED = HERE / "programs.txt", HERE / "recorded_programs.txt"


def question(name: str, code: str, modules: Path = MODULES) -> Question:
    """What Puppet and we are asked."""
    return {"id": name, "code": code, "modulepath": [str(modules)], "facts": debian_11()}


def record() -> None:
    """Write `recorded_programs.txt` anew; what cannot be loaded here stays as it is."""
    known = blocks(RECORDED) if RECORDED.exists() else {}
    found = {}
    for answer in ask([question(name, code) for name, code in blocks(PROGRAMS).items()]):
        text = said(answer)
        name = str(answer["id"])
        found[name] = known.get(name, "") if "cannot load such file" in text else text
    RECORDED.write_text("".join(f"=== {name}\n{text}" for name, text in found.items()))
    print(f"{len(found)} programs recorded")


if __name__ == "__main__":
    record()
