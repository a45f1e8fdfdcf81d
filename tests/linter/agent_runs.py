"""What a real cf-agent does with the examples of the rules about policies (`agent_runs.json`).

`python -m tests.linter.agent_runs` records it anew: for each example what the agent says - reports,
errors, quoted output - and, where its log can be followed, each look at a promise.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.frontends.cfengine.policy import load_policy
from analyzer.linter.docs import Example
from analyzer.linter.rule import all_rules
from tests.frontends.cfengine.agent_log import Fold
from tests.frontends.cfengine.live import HOW_TO_INSTALL
from tests.frontends.cfengine.promises import installed
from tests.frontends.cfengine.runs import (
    FIELDS,
    NotValid,
    check_harmless,
    random_run,
    run_agent,
)
from tests.frontends.cfengine.test_reach import too_late

RECORD = Path(__file__).parent / "agent_runs.json"
SAID = re.compile(r"^\s*(R: .*|error: .*|notice: Q: .*)$", re.MULTILINE)
# Their examples name files that are not there, in the good case too.
UNRUN = ("CG506",)
RANDOM_RUNS = 40

Row = dict[str, Any]


def examples() -> Iterator[tuple[str, Example]]:
    """The examples in the language of policies, by code, kind and number."""
    for code, rule in all_rules().items():
        for kind, found in (("bad", rule.docs.bad), ("good", rule.docs.good)):
            for number, example in enumerate(found, 1):
                if example.language == "cfengine" and code not in UNRUN:
                    yield f"{code} {kind} {number}", example


def run(example: Example) -> Row:
    """What the agent does with an example."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.cf"
        path.write_text(example.text, encoding="utf-8")
        work = Path(folder) / "work"
        try:
            check_harmless(path)
            log = run_agent(path, work)
        except NotValid:
            return {"said": ["FAILSAFE"], "looks": None}
        except InputError:
            return {"said": ["refused"], "looks": None}
        made = ["made"] if (work / "made").exists() else []
        said = made + [line.replace(str(work), "WORK") for line in SAID.findall(log)]
        return {"said": list(dict.fromkeys(said)), "looks": looks(path, log)}


def looks(path: Path, log: str) -> list[list[Any]] | None:
    """Each look at a promise, None where the log does not tell."""
    try:
        rows = Fold(load_policy(str(path))).run(log)
    except (AssertionError, IndexError):
        return None
    return [[row[field] for field in FIELDS] for row in rows]


def recorded() -> dict[str, Row]:
    found: dict[str, Row] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def record() -> None:
    rows = [f" {json.dumps(name)}: {json.dumps(run(example))}" for name, example in examples()]
    RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def compare_examples() -> Iterator[str]:
    """The examples with which the agent does now something else than is recorded."""
    known = recorded()
    for name, example in examples():
        if run(example) != known.get(name):
            yield f"example {name}"


def compare_best(count: int) -> Iterator[str]:
    """Random policies of which an agent keeps something before it seemed possible."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            found = random_run(seed, Path(folder))
            if found and too_late(Path(folder) / f"{seed}.cf", found[0][0]):
                yield f"random run {seed}"


def live(count: int = RANDOM_RUNS) -> int:
    """Print what differs; 1 if anything does."""
    if not installed():
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    found, chance = list(compare_examples()), list(compare_best(count))
    for line in found + chance:
        print(f"differs: {line}")
    print(f"rules for policies: {len(recorded())} examples, {len(found)} differ; ", end="")
    print(f"{count} random runs, {len(chance)} begin something too early")
    return int(bool(found or chance))


if __name__ == "__main__":
    record()
