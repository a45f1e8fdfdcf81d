"""Programs with what each Puppet and OpenVox makes of them.

`programs.txt` has programs in blocks that begin with `=== NAME`; `say(...)` in them declares a
`notify` with its arguments. `recorded.txt` has for each program what each version said, as
`recorded.txt` of the compiler has it: versions that agree stand together after `---`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.frontends.puppet.compiler.cases import STRICT, blocks
from tests.oracle.harness import Answer, Question

HERE = Path(__file__).parent
PROGRAMS, RECORDED = HERE / "programs.txt", HERE / "recorded.txt"

# The versions that are asked: the installed one, and sources whose folders a variable names.
VERSIONS = ("7", "8", "openvox-8", "openvox-8.28.0", "openvox-9")
SAY = 'function say(Any *$values) { notify { "${values}": } }\n'

_HEAD = re.compile(r"^--- (.+)\n", re.MULTILINE)
# The address of an object, and where Ruby's own message is cut.
_ALWAYS = ("Stage[main]", "Class[Settings]", "Class[main]")


def question(name: str, code: str, version: str) -> Question:
    """What a version is asked: with the settings that it has by default."""
    asked: Question = {"id": name, "code": SAY + code, "modulepath": [], "facts": {}}
    asked["node"] = "web1.example.com"
    return asked if version == "7" else {**asked, "settings": STRICT}


def said(answer: Answer) -> str:
    """What a version answers, as it is recorded."""
    catalog = answer.get("catalog")
    return shown(catalog) if catalog else f"! {answer['error']}\n"


def shown(catalog: dict[str, Any]) -> str:
    """The resources of a catalog in lines."""
    lines = []
    for row in catalog["resources"]:
        ref = f"{row['type']}[{row['title']}]"
        if ref not in _ALWAYS:
            parameters = row.get("parameters")
            lines.append(f"{ref} {json.dumps(parameters)}" if parameters else ref)
    return "".join(f"{line}\n" for line in lines)


def recorded() -> dict[str, dict[str, str]]:
    """What each version said of each program."""
    found = {}
    for name, text in blocks(RECORDED).items():
        parts = _HEAD.split(text)
        pairs = zip(parts[1::2], parts[2::2], strict=True)
        found[name] = {one: text for versions, text in pairs for one in versions.split()}
    return found
