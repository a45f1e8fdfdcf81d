"""Programs with what Puppet makes of them: our own, and those of the front end that it accepts.

`programs.txt` has programs in blocks that begin with `=== NAME`. `recorded.txt` has for each
program what Puppet said: `! MESSAGE`, or a line for each resource with its parameters. Blocks of
`nodes.txt` begin with a line of JSON: what the question says of the node.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.syntax.check import check
from analyzer.model.values import Unknown
from tests.frontends.puppet.cases import all_cases
from tests.oracle.facts import debian_11
from tests.oracle.harness import Answer, Question

HERE = Path(__file__).parent
PROGRAMS, RECORDED = HERE / "programs.txt", HERE / "recorded.txt"
NODES, NODES_RECORDED = HERE / "nodes.txt", HERE / "nodes_recorded.txt"

# The settings of Puppet 8.
STRICT = {"strict": "error", "strict_variables": True}

_HEAD = re.compile(r"^=== (.+)\n", re.MULTILINE)
# Nothing of the program: the stage, the settings and the class around everything.
_ALWAYS = ("Stage[main]", "Class[Settings]", "Class[main]")
# Addresses of Ruby's objects.
_OBJECT = re.compile(r" by #<Puppet::Resource::Type:0x[0-9a-f]+>")


def blocks(path: Path) -> dict[str, str]:
    """The blocks of a file by name."""
    parts = _HEAD.split(path.read_bytes().decode())
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def programs() -> Iterator[tuple[str, str]]:
    """Names and texts of all programs."""
    yield from blocks(PROGRAMS).items()
    for case in all_cases():
        if not case.flags:
            yield f"{case.topic}: {case.name}", case.code


def question(name: str, code: str) -> Question:
    """What Puppet and we are asked; a name that ends in `(strict)` asks as Puppet 8 would."""
    asked = {"id": name, "code": code, "modulepath": [], "facts": debian_11()}
    return {**asked, "settings": STRICT} if name.endswith("(strict)") else asked


def is_program(name: str, code: str) -> bool:
    """Tell whether it is one; what is none is the front end's matter."""
    return check(code, strict=question(name, code).get("settings", {}).get("strict", "warning")).ok


def node_questions() -> dict[str, Question]:
    """What Puppet and we are asked about nodes, by name."""
    found = {}
    for name, text in blocks(NODES).items():
        about, _, code = text.partition("\n")
        asked: Question = {"id": name, "code": code, "modulepath": [], "facts": {}}
        found[name] = {**asked, **json.loads(about)}
    return found


def said(answer: Answer) -> str:
    """Puppet's answer as it is recorded."""
    catalog = answer.get("catalog")
    if catalog is None:
        return f"! {_OBJECT.sub('', answer['error'])}\n"
    return shown(catalog)


def shown(catalog: dict[str, Any]) -> str:
    """A catalog in lines: resources with tags and parameters, then containment."""
    lines = []
    for row in catalog["resources"]:
        ref = f"{row['type']}[{row['title']}]"
        if ref not in _ALWAYS:
            words = [name for name in ("exported",) if row.get(name)]
            words += sorted(set(row["tags"]) - {row["type"].lower(), "class", row["title"]})
            parameters = json.dumps(row.get("parameters", {}), ensure_ascii=False, default=plain)
            lines.append(f"{ref} {parameters} {' '.join(words)}".rstrip())
    lines += [f"{e['source']} contains {e['target']}" for e in catalog["edges"]][2:]
    return "".join(f"{line}\n" for line in lines)


def plain(value: Any) -> str:
    """What JSON has no word for."""
    return f"unknown: {value.reason}" if isinstance(value, Unknown) else str(value)
