"""Calls of functions (`calls.txt`), and what a real cf-agent made of them (`calls.json`).

`python -m tests.frontends.cfengine.functions` records them anew. None of them touches the machine.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from analyzer.frontends.cfengine.agent.loading import load_policy
from analyzer.frontends.cfengine.agent.run import simulate

from .runs import NotValid, run_agent

HERE = Path(__file__).parent
PREAMBLE = """bundle agent main
{
  vars:
    "e" slist => { };
    "l" slist => { "b", "a", "10", "9", "a" };
    "n" slist => { "3", "1", "2.5", "-4" };
    "one" slist => { "x" };
    "arr[k1]" string => "v1";
    "s" string => "str";
    "d" data => '{ "k": "v", "n": 3, "t": true, "l": ["p", "q", 4], "o": { "x": "y" } }';
    "dl" data => '[ "p", 5, { "x": 1 }, [ "z" ] ]';
"""
REPORT = re.compile(r"R: @@(\d+)@@(.*?)@@\n", re.S)


def calls() -> list[tuple[str, str]]:
    lines = (HERE / "calls.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.partition(" ") for line in lines if line]
    return [(kind, call) for kind, _, call in pairs]


def policy(rows: list[tuple[str, str]]) -> str:
    """Each value is printed: a list by its items, a class by its name."""
    values, classes, reports = [], [], []
    for number, (kind, call) in enumerate(rows):
        if kind == "class":
            classes.append(f'    "c{number}" expression => {call};')
            reports.append(f'   c{number}::\n    "@@{number}@@true@@";')
        elif kind == "string":
            values.append(f'    "v{number}" string => concat({call});')
            reports.append(f'   any::\n    "@@{number}@@$(v{number})@@";')
        else:
            values.append(f'    "v{number}" slist => {call};')
            values.append(f'    "w{number}" string => join("|", "v{number}");')
            reports.append(f'   any::\n    "@@{number}@@$(w{number})@@";')
    parts = [PREAMBLE, *values, "  classes:", *classes, "  reports:", *reports, "}\n"]
    return "\n".join(parts)


def results(rows: list[tuple[str, str]], printed: dict[int, str]) -> list[Any]:
    """What each call gave: a text, a truth, None where it gave nothing."""
    found: list[Any] = []
    for number, (kind, _) in enumerate(rows):
        text = printed.get(number)
        unknown = text is None or re.fullmatch(rf"\$\([vw]{number}\)", text)
        found.append(text == "true" if kind == "class" else None if unknown else text)
    return found


def theirs(rows: list[tuple[str, str]]) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.cf"
        path.write_text(policy(rows), encoding="utf-8")
        log = run_agent(path, Path(folder) / "work")
    return results(rows, {int(number): text for number, text in REPORT.findall(log)})


def ours(rows: list[tuple[str, str]], folder: Path) -> list[Any]:
    path = folder / "policy.cf"
    path.write_text(policy(rows), encoding="utf-8")
    run = simulate(load_policy(str(path)))
    lines = "".join(f"R: {e.promiser}\n" for e in run.events if e.outcome == "kept")
    return results(rows, {int(number): text for number, text in REPORT.findall(lines)})


def asked(rows: list[tuple[str, str]]) -> list[Any]:
    """What the agent says; a call at which it stops is found by halves."""
    try:
        return theirs(rows)
    except NotValid:
        if len(rows) == 1:
            return ["refused"]
        middle = len(rows) // 2
        return asked(rows[:middle]) + asked(rows[middle:])


def record() -> None:
    rows = calls()
    lines = ",\n".join(
        json.dumps([kind, call, found])
        for (kind, call), found in zip(rows, asked(rows), strict=True)
    )
    (HERE / "calls.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    record()
