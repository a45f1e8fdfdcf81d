"""Records what Puppet makes of the programs: `python -m tests.frontends.puppet.bridge.record`."""

from __future__ import annotations

from tests.frontends.puppet.compiler.cases import said
from tests.oracle.harness import ask

from .cases import RECORDED, portable, questions


def record() -> None:
    """Write `recorded.txt` anew."""
    answers = ask(questions())
    found = [f"=== {answer['id']}\n{portable(said(answer))}" for answer in answers]
    RECORDED.write_bytes("".join(found).encode())
    print(f"{len(found)} programs with Ruby recorded")


if __name__ == "__main__":
    record()
