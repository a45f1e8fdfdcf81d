"""Records what Puppet makes of the cases: `python -m tests.graph.recursed.record`."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.oracle.harness import Answer, ask

from .cases import RECORDED, SCRIPT, cases, plant


def record() -> None:
    """Write `recorded.json` anew."""
    with TemporaryDirectory() as folder:
        questions = [
            {"id": name, "code": code, "modulepath": [str(plant(Path(folder, str(n)), files))]}
            for n, (name, files, code) in enumerate(cases())
        ]
        rows = {str(answer.pop("id")): compact(answer, folder) for answer in ask(questions, SCRIPT)}
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(rows)} folders with recurse recorded")


def compact(answer: Answer, folder: str) -> Answer:
    """An answer with its edges as text, and without what is this machine's."""
    edges = answer.get("edges", ())
    short = [f"{a} {'~>' if callback else '->'} {b}" for a, b, callback in edges]
    logs = [line.partition(f" {folder}")[0] for line in answer.get("logs", ())]
    return {**answer, "edges": short, "logs": logs}


if __name__ == "__main__":
    record()
