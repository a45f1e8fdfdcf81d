"""Policies as users write them (`field/`), what a real cf-agent did, and what the simulation says.

`python -m tests.frontends.cfengine.field record` records them anew; `compare [FOLDER]` prints which
policies of a folder agree with the installed agent, and why the others do not. A policy that would
touch the machine is left out.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.cfengine.agent.bundlesequence import check_sequence
from analyzer.frontends.cfengine.agent.loading import load_policy
from analyzer.frontends.cfengine.agent.outcomes import Outcomes
from analyzer.frontends.cfengine.agent.passes import evaluate
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.host_files import Files

from .agent_log import Fold
from .runs import FIELDS, SANDBOX, NotValid, given_outcomes, run_agent

FIELD = Path(__file__).parent / "field"
REPORT = re.compile(r"^R: (.*)$", re.M)
# Functions that start programs or use the network, also in a dry run.
STARTS = re.compile(
    r"\b(execresult\w*|returnszero|usemodule|readtcp|remote\w+|selectservers|hubknowledge|url_get"
    r"|ldap\w+|regldap|host2ip|ip2host|network_connections|isconnectable)\s*\("
)
HARMLESS = re.compile(r"/bin/(true|false|echo)( [^;&|<>`]*)?$")
FATAL = "Fatal CFEngine error"
NOT_PRINTED = ("bundle_return_value_index", "report_to_file")
TOUCHES = ("packages", "processes", "storage", "users", "guest_environments", "databases")
UNKNOWN = "unknown"

Row = list[Any]


@dataclass
class Said:
    """What one run did: its events, and the reports that it printed; `ended` is why there is no
    run, `unknown` the reasons of what is not known."""

    events: list[Row] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    ended: str = ""
    unknown: list[str] = field(default_factory=list)


def policies(folder: Path = FIELD) -> list[Path]:
    return sorted(path for path in folder.glob("*.cf") if not path.name.startswith("_"))


def is_harmless(path: Path) -> bool:
    """Whether the agent touches nothing but its own folder when it runs a policy."""
    policy = load_policy(str(path))
    if policy.promise_types or STARTS.search(path.read_text(encoding="utf-8", errors="replace")):
        return False
    return all(
        (section.type != "commands" or HARMLESS.match(promise.promiser))
        and (section.type != "files" or promise.promiser.startswith((SANDBOX, "$(file)")))
        and section.type not in TOUCHES
        for bundle in policy.bundles.values()
        for section in bundle.sections
        for promise in section.promises
    )


def agent_says(path: Path) -> Said:
    """What the agent does now with a harmless policy."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            log = run_agent(path, Path(folder) / "work")
        except NotValid:
            return Said(ended="refused")
    rows = Fold(load_policy(str(path))).run(log)
    if not rows and FATAL in log:
        # It ends before the first pass.
        return Said(ended="refused")
    reports = [text.replace(folder, "WORK") for text in REPORT.findall(log)]
    return Said([[row[field] for field in FIELDS] for row in rows], reports)


def we_say(path: Path, theirs: Said) -> Said:
    """What the simulation says, given what commands and files did."""
    answers = [simulated(path, given) for given in given_outcomes(theirs.events)]
    return next((ours for ours in answers if not differences(theirs, ours)), answers[0])


def simulated(path: Path, recorded: list[Row]) -> Said:
    try:
        # Classes are computed, and so are the files of the agent's new folder.
        given = [row for row in recorded if row[1] != "classes"]
        outcomes = Outcomes(dict(zip(FIELDS, row, strict=True)) for row in given)
        agent = Agent(load_policy(str(path)), outcomes, files=Files(fresh=True))
        events = evaluate(agent)
        check_sequence(agent)
    except (CompileError, InputError):
        return Said(ended="refused")
    rows = [
        [e.bundle.name, e.type, e.promise.line, e.iteration, e.number, e.outcome] for e in events
    ]
    # Of a report with several lines the first one is compared.
    reports = [
        event.promiser.split("\n")[0]
        for event in events
        if event.type == "reports"
        and event.outcome in ("kept", "not_kept")
        and not any(event.promise.get(name) for name in NOT_PRINTED)
    ]
    why = dict.fromkeys(event.detail for event in events if event.outcome == UNKNOWN)
    return Said(rows, reports, unknown=list(why))


def differences(theirs: Said, ours: Said) -> list[str]:
    """Where both differ, without the promises of which we say that it is not known."""
    if theirs.ended or ours.ended:
        return [] if theirs.ended == ours.ended else [f"ended: {theirs.ended} {ours.ended}"]
    left_out = unknown_places(ours)
    wanted = [row for row in theirs.events if tuple(row[:3]) not in left_out]
    found = [row for row in ours.events if tuple(row[:3]) not in left_out]
    lines = []
    for place in dict.fromkeys(tuple(row[:3]) for row in wanted + found):
        left = [row[3:] for row in wanted if tuple(row[:3]) == place]
        right = [row[3:] for row in found if tuple(row[:3]) == place]
        if not equal(left, right):
            lines.append(f"{' '.join(map(str, place))}: agent {left}, simulation {right}")
    if not lines and not equal(wanted, found):
        lines.append("another order")
    if not left_out and not lines and not printed_alike(theirs.reports, ours.reports):
        lines.append(f"reports {theirs.reports} {ours.reports}")
    return lines


def unknown_places(said: Said) -> set[tuple[Any, ...]]:
    return {tuple(row[:3]) for row in said.events if row[-1] == UNKNOWN}


def equal(theirs: list[Row], ours: list[Row]) -> bool:
    return len(theirs) == len(ours) and all(
        left[:-1] == right[:-1] and left[-1] in ("?", right[-1])
        for left, right in zip(theirs, ours, strict=True)
    )


def printed_alike(theirs: list[str], ours: list[str]) -> bool:
    """Whether reports are equal, but for variables that only the machine knows."""
    return len(theirs) == len(ours) and all(
        left == right or re.fullmatch(pattern_of(right), left) is not None
        for left, right in zip(theirs, ours, strict=True)
    )


def pattern_of(text: str) -> str:
    return ".*".join(map(re.escape, re.split(r"\$[({](?:sys|mon|unknown)\.[^)}]*[)}]", text)))


def verdict(theirs: Said, ours: Said) -> str:
    """agree, unknown (all that is known agrees), or differ."""
    if differences(theirs, ours):
        return "differ"
    return UNKNOWN if unknown_places(ours) else "agree"


def compare(folder: Path) -> int:
    counts: Counter[str] = Counter()
    for path in policies(folder):
        try:
            if not is_harmless(path):
                counts["left out"] += 1
                continue
            theirs = agent_says(path)
            ours = we_say(path, theirs)
        except (CompileError, InputError) as error:
            counts["refused here"] += 1
            print(f"refused here: {path.name}: {error.message[:100]}")
            continue
        except (AssertionError, IndexError, TimeoutExpired) as error:
            counts["log not followed"] += 1
            print(f"log not followed: {path.name}: {error}")
            continue
        found = verdict(theirs, ours)
        counts[found] += 1
        if found == "differ":
            print(f"differ: {path.name}: {differences(theirs, ours)[0][:300]}")
        elif found == UNKNOWN:
            print(f"unknown: {path.name}: {'; '.join(ours.unknown[:4])}")
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return int(counts["differ"] > 0)


def record() -> None:
    for path in policies():
        said = agent_says(path)
        rows = ",\n".join(json.dumps(row) for row in said.events)
        head = f'"ended": {json.dumps(said.ended)}, "reports": {json.dumps(said.reports)}'
        text = f'{{{head}, "events": [\n{rows}\n]}}\n'
        path.with_suffix(".json").write_text(text, encoding="utf-8")


def recorded(path: Path) -> Said:
    found = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return Said(found["events"], found["reports"], found["ended"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"]:
        record()
    else:
        raise SystemExit(compare(Path(sys.argv[2]) if sys.argv[2:] else FIELD))
