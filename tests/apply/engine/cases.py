"""Recorded runs: a manifest, settings, and what Puppet's transaction did; many in a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.case import read_records, write_records

FOLDER = Path(__file__).parent / "recorded"
IN_A_FILE = 40
HEAD, STATUSES, LOG = "=== ", "--- ", "--- log"

# What Puppet adds to every catalog; nothing ever comes of it but that tags pass it by.
BUILT_IN = ("Schedule[", "Filebucket[")
CYCLES = "One or more resource dependency cycles detected in graph"


@dataclass(frozen=True, slots=True)
class Case:
    """A run: `answer` as `transaction.rb` tells it, without the catalog and what is built in."""

    id: int
    settings: Mapping[str, Any]
    code: str
    answer: Mapping[str, Any]


def own(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without the catalog, what Puppet adds to it, and lines of level debug."""
    return {
        "status": answer["status"],
        "error": answer["error"],
        "order": [ref for ref in answer["order"] if not ref.startswith(BUILT_IN)],
        "resources": {
            ref: row for ref, row in answer["resources"].items() if not ref.startswith(BUILT_IN)
        },
        "log": [line for line in answer["log"] if line[0] != "debug"],
    }


def write(case: Case) -> str:
    """A case as text; statuses stand in the order of the run.

    Those in parentheses were not evaluated: members of a cycle, resources without a provider.
    """
    answer = case.answer
    rows = []
    for ref in dict.fromkeys([*answer["order"], *answer["resources"]]):
        status = answer["resources"][ref]
        name = ref if ref in answer["order"] else f"({ref})"
        rows.append([name, " ".join(status["flags"]), " ".join(status["failed_deps"])])
        rows += [["", *(field or "" for field in event)] for event in status["events"]]
    verdict = " ".join(filter(None, [answer["status"], answer["error"]]))
    return (
        f"{HEAD}{case.id} {json.dumps(case.settings)}\n{case.code}"
        f"{STATUSES}{verdict}\n{write_records(rows)}{LOG}\n{write_records(answer['log'])}"
    )


def write_all(cases: Sequence[Case]) -> None:
    """Write the recorded runs anew."""
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for start in range(0, len(cases), IN_A_FILE):
        text = "".join(map(write, cases[start : start + IN_A_FILE]))
        (FOLDER / f"runs-{start // IN_A_FILE:02}.txt").write_text(text, encoding="utf-8")


def read(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    for text in path.read_text(encoding="utf-8").split(HEAD)[1:]:
        head, _, rest = text.partition("\n")
        number, _, settings = head.partition(" ")
        code, _, rest = rest.partition(STATUSES)
        verdict, _, rest = rest.partition("\n")
        statuses, _, log = rest.partition(f"{LOG}\n")
        status, _, error = verdict.partition(" ")
        order, resources = read_statuses(statuses)
        answer = {
            "status": status,
            "error": error or None,
            "order": order,
            "resources": resources,
            "log": [list(line) for line in read_records(log)],
        }
        yield Case(int(number), json.loads(settings), code, answer)


def read_statuses(text: str) -> tuple[list[str], dict[str, dict[str, Any]]]:
    """What was evaluated, and statuses by reference."""
    order: list[str] = []
    found: dict[str, dict[str, Any]] = {}
    status: dict[str, Any] = {}
    for first, *fields in read_records(text):
        if first:
            flags, failed = (field.split() for field in fields)
            ref = first.removeprefix("(").removesuffix(")")
            order += [ref] if ref == first else []
            status = found[ref] = {"flags": flags, "failed_deps": failed, "events": []}
        else:
            name, named_property, *others = fields
            status["events"].append([name, named_property or None, *others])
    return order, found
