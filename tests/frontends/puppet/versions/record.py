"""Records what each version makes of the programs.

PUPPET_SOURCES names the folders of sources: `8=DIR:openvox-8=DIR:openvox-9=DIR`. A version
without one keeps its answers.
"""

from __future__ import annotations

import os

from tests.frontends.puppet.compiler.cases import blocks
from tests.oracle.harness import ask

from .cases import PROGRAMS, RECORDED, VERSIONS, question, recorded, said


def record() -> None:
    """Write `recorded.txt` anew."""
    known = recorded() if RECORDED.exists() else {}
    found: dict[str, dict[str, str]] = {name: {} for name in blocks(PROGRAMS)}
    words = filter(None, os.environ.get("PUPPET_SOURCES", "").split(":"))
    sources = dict(word.split("=", 1) for word in words)
    for version in VERSIONS:
        for name, text in answers_of(version, sources.get(version), known).items():
            if name in found:
                found[name][version] = text
    RECORDED.write_text("".join(f"=== {name}\n{grouped(of)}" for name, of in found.items()))
    print(f"{len(found)} programs recorded")


def answers_of(
    version: str, source: str | None, known: dict[str, dict[str, str]]
) -> dict[str, str]:
    """What a version says of each program."""
    if source is None and version != VERSIONS[0]:
        return {name: of[version] for name, of in known.items() if version in of}
    questions = [question(name, code, version) for name, code in blocks(PROGRAMS).items()]
    library = os.path.join(source, "lib") if source else ""
    return {one["id"]: said(one) for one in ask(questions, library=library)}


def grouped(answers: dict[str, str]) -> str:
    """The answers, each after the versions that give it."""
    by_text: dict[str, list[str]] = {}
    for version, text in answers.items():
        by_text.setdefault(text, []).append(version)
    return "".join(f"--- {' '.join(versions)}\n{text}" for text, versions in by_text.items())


if __name__ == "__main__":
    record()
