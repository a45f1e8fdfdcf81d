"""The answer as JSON lines: a node a line, as nodes end."""

from __future__ import annotations

import json

from analyzer.fleet.fold import unfold
from analyzer.fleet.values import ResultOfNode


def line(result: ResultOfNode) -> str:
    """Return the line of a node."""
    name = result.name
    row = {
        "node": name,
        "resources": result.resources,
        "causes": [
            {
                "cause": one.identity,
                "code": one.code,
                "severity": one.severity,
                "statements": [
                    {"file": s.file, "line": s.line, "text": unfold(s.text, name)}
                    for s in one.statements
                ],
                "path": [unfold(ref, name) for ref in one.path],
            }
            for one in result.occurrences
        ],
        "unknown": list(result.unknown),
        "failed": result.failed,
    }
    return json.dumps(row)
