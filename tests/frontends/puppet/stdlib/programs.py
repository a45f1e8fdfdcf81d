"""Programs with the functions of stdlib that declare, and what real Puppet makes of them.

`programs.txt` and `programs_recorded.txt` have the form of `compiler/cases.py`.
"""

from __future__ import annotations

from pathlib import Path

from tests.frontends.puppet.compiler.cases import blocks, said
from tests.oracle.harness import Question, ask

from .cases import INSTALLED

PROGRAMS = Path(__file__).with_name("programs.txt")
RECORDED = Path(__file__).with_name("programs_recorded.txt")

# The release of stdlib that is installed where the answers were recorded.
RECORDED_WITH = "8.5.0"


def question(name: str, modulepath: list[str]) -> Question:
    """Return the question for a program."""
    return {"id": name, "code": blocks(PROGRAMS)[name], "modulepath": modulepath, "facts": {}}


def record() -> int:
    """Write what Puppet says of the programs."""
    answers = ask(question(name, [INSTALLED]) for name in blocks(PROGRAMS))
    texts = [f"=== {answer['id']}\n{said(answer)}" for answer in answers]
    RECORDED.write_bytes("".join(texts).encode())
    return len(texts)
