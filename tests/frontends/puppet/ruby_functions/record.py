"""`python -m tests.frontends.puppet.ruby_functions.record`: Puppet runs the functions."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

from tests.oracle.facts import debian_11
from tests.oracle.harness import HOW_TO_INSTALL, ask, installed

from .cases import MODULES, RECORDED, calls, cases, message_of, program, resources_of, write_module

# What Puppet adds to the message of an error.
AROUND = re.compile(
    r"^[\w:]+: (?:Evaluation Error: Error while evaluating a (?:Function Call|\w+ \w+), )?(.*?)"
    r"(?: \((?:file|line): .*)? on node \S+$",
    re.DOTALL,
)


def main() -> int:
    """Write Puppet's answers."""
    if installed() is None:
        print(HOW_TO_INSTALL)
        return 2
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = write_module(Path(folder))
        questions = [
            {"id": case.name, "code": case.code, "modulepath": [str(path)], "facts": debian_11()}
            for case in cases()
        ]
        for case, answer in zip(cases(), ask(questions), strict=True):
            if answer.get("catalog"):
                found[f"{case.body} -- {case.arguments}"] = {"value": message_of(answer["catalog"])}
            else:
                error = AROUND.match(answer["error"])
                message = error[1] if error else answer["error"]
                found[f"{case.body} -- {case.arguments}"] = {"error": message}
    questions = [
        {"id": call, "code": program(call), "modulepath": [str(MODULES)], "facts": debian_11()}
        for call in calls()
    ]
    for call, answer in zip(calls(), ask(questions), strict=True):
        if answer.get("catalog"):
            found[call] = {"value": resources_of(answer["catalog"])}
        else:
            error = AROUND.match(answer["error"])
            found[call] = {"error": error[1] if error else answer["error"]}
    text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
    RECORDED.write_text(text + "\n", encoding="utf-8")
    print(f"{len(found)} answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
