"""The policies of `runs/`, and what a real cf-agent did with them (`NAME.json` beside each).

`python -m tests.frontends.cfengine.runs` records them anew. They print and set classes, run no
command but /bin/true, /bin/false and /bin/echo, and touch files of a throw-away folder only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from analyzer.frontends.cfengine.agent.loading import load_policy
from analyzer.frontends.cfengine.agent.outcomes import Outcomes
from analyzer.frontends.cfengine.agent.passes import evaluate
from analyzer.frontends.cfengine.agent.state import Agent

from .agent_log import Fold

RUNS = Path(__file__).parent / "runs"
FIELDS = ("bundle", "type", "line", "iteration", "pass", "outcome")
HARMLESS = re.compile(r"/bin/(true|false|echo)( [\w $().-]*)?$")
SANDBOX = "$(sys.workdir)/"
MODULE = "$(sys.inputdir)/_module.py"
AGENT = ("cf-agent", "--no-lock", "-d", "--log-modules=evalctx")
CALL = re.compile(r"B: BEGIN bundle .*")
REPORT = re.compile(r"^R: (.*)$", re.M)
FAILSAFE = 'bundle agent main { reports: "FAILSAFE"; }\n'


class NotValid(Exception):
    """The agent did not run a policy but its failsafe."""


def policies() -> list[Path]:
    return sorted(path for path in RUNS.glob("*.cf") if not path.name.startswith("_"))


def check_harmless(path: Path) -> None:
    policy = load_policy(str(path))
    for block in policy.promise_types.values():
        assert any(getattr(a.value, "text", "") == MODULE for a in block.attributes), block.name
    for (_, _, name), bundle in policy.bundles.items():
        for section in bundle.sections:
            for promise in section.promises:
                harmless = (
                    HARMLESS.match(promise.promiser) is not None
                    if section.type == "commands"
                    else promise.promiser.startswith(SANDBOX)
                    if section.type == "files"
                    else section.type not in ("packages", "processes", "services", "storage")
                )
                assert harmless, f"{path.name}: {name}: {promise.promiser}"


def run_agent(path: Path, work: Path, freed: int = 0) -> str:
    """The debug log of one run in a throw-away folder; freed memory is filled with a byte."""
    for name in ("bin", "inputs", "state", "ppkeys", "outputs", "modules"):
        (work / name).mkdir(mode=0o700, parents=True)
    for tool in ("cf-promises", "cf-agent"):
        os.symlink(str(shutil.which(tool)), work / "bin" / tool)
    (work / "inputs" / "failsafe.cf").write_text(FAILSAFE)
    for other in [*path.parent.glob("*.cf"), *path.parent.glob("_*.py")]:
        shutil.copy(other, work / "inputs")
    augments = path.with_suffix(".def.json")
    if augments.exists():
        shutil.copy(augments, work / "inputs" / "def.json")
    for file in (work / "inputs").iterdir():
        file.chmod(0o600)
    run = subprocess.run(
        [*AGENT, "-w", str(work), "-f", str(work / "inputs" / path.name)],
        capture_output=True,
        check=False,
        timeout=60,
        env={
            **os.environ,
            "CFENGINE_TEST_OVERRIDE_WORKDIR": str(work),
            "LC_ALL": "C",
            "MALLOC_PERTURB_": str(freed),
        },
    )
    log = (run.stdout + run.stderr).decode("utf-8", "replace")
    if "R: FAILSAFE" in log:
        raise NotValid(path.name)
    return log


def agent_events(path: Path) -> list[list[Any]]:
    return agent_run(path)[0]


def agent_run(path: Path) -> tuple[list[list[Any]], list[str]]:
    """What the agent did, and the reports that it printed."""
    check_harmless(path)
    with tempfile.TemporaryDirectory() as folder:
        log = run_agent(path, Path(folder) / "work")
    rows = Fold(load_policy(str(path))).run(log)
    return [[row[field] for field in FIELDS] for row in rows], REPORT.findall(log)


def reads_freed_memory(path: Path) -> bool:
    """Whether the agent does something else if freed memory holds something else.

    It iterates over a list while the bundle that it calls sets the list anew.
    """
    check_harmless(path)
    logs = []
    for byte in (85, 170):
        with tempfile.TemporaryDirectory() as folder:
            logs.append(run_agent(path, Path(folder) / "work", byte))
    return CALL.findall(logs[0]) != CALL.findall(logs[1])


def random_run(seed: int, folder: Path, *, wide: bool = False) -> tuple[Any, Any] | None:
    """What the agent and the simulation do with a random policy, and what they print; None if it
    is not valid.

    With `wide` it has namespaces, inputs, and results that are handed back, too.
    """
    from .generate import Maker
    from .generate_wide import Wide

    path = folder / f"{seed}.cf"
    maker = Wide(seed) if wide else Maker(seed)
    path.write_text(maker.policy())
    for name, text in maker.inputs().items():
        (folder / name).write_text(text)
    try:
        found, printed = agent_run(path)
    except NotValid:
        return None
    theirs = found, printed
    answers = [(our_events(path, g), our_reports(path, g)) for g in given_outcomes(found)]
    return theirs, next((ours for ours in answers if same_run(theirs, ours)), answers[0])


def given_outcomes(recorded: list[list[Any]]) -> list[list[list[Any]]]:
    """The outcomes that the simulation may be given: how a file that was just edited when the run
    ended had begun is not logged."""
    given = [recorded]
    if any(row[-1] == "unfinished" for row in recorded):
        for outcome in ("repaired", "kept"):
            given.append([[*r[:-1], outcome if r[-1] == "unfinished" else r[-1]] for r in recorded])
    return given


def our_reports(path: Path, recorded: list[list[Any]]) -> list[str]:
    """What the simulation prints."""
    given = Outcomes(dict(zip(FIELDS, row, strict=True)) for row in recorded)
    events = evaluate(Agent(load_policy(str(path)), given))
    return [
        event.promiser
        for event in events
        if event.type == "reports"
        and event.outcome == "kept"
        and event.promise.get("bundle_return_value_index") is None
    ]


def same_run(theirs: Any, ours: Any) -> bool:
    """Whether both did the same and printed the same, but for what the machine alone knows."""
    return (
        same(theirs[0], ours[0])
        and len(theirs[1]) == len(ours[1])
        and all(
            left == right or "$(sys." in right
            for left, right in zip(theirs[1], ours[1], strict=True)
        )
    )


def our_events(path: Path, recorded: list[list[Any]]) -> list[list[Any]]:
    """What the simulation says, given what commands and files did."""
    given = Outcomes(dict(zip(FIELDS, row, strict=True)) for row in recorded)
    events = evaluate(Agent(load_policy(str(path)), given))
    return [
        [e.bundle.name, e.type, e.promise.line, e.iteration, e.number, e.outcome] for e in events
    ]


def same(recorded: list[list[Any]], ours: list[list[Any]]) -> bool:
    """Whether both have the same events; an outcome that the log does not tell is not compared."""
    return len(recorded) == len(ours) and all(
        theirs[:-1] == mine[:-1] and theirs[-1] in ("?", mine[-1])
        for theirs, mine in zip(recorded, ours, strict=True)
    )


def record() -> None:
    for path in policies():
        rows = ",\n".join(json.dumps(row) for row in agent_events(path))
        path.with_suffix(".json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")


def recorded(path: Path) -> list[list[Any]]:
    found: list[list[Any]] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    record()
