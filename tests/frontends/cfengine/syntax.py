"""`python -m tests.frontends.cfengine.syntax`: the names that the installed CFEngine knows.

Rewrites `analyzer/frontends/cfengine/syntax/vocabulary.txt` from `cf-promises -s json`.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any

from tests.conftest import ROOT

TABLE = ROOT / "analyzer" / "frontends" / "cfengine" / "syntax" / "vocabulary.txt"
VISIBLE = {"promiseType": "", "body": "", "bundle": "+"}


def attribute_rows(attributes: dict[str, Any], visible: dict[str, str]) -> list[str]:
    return [
        f"\t{visible[row['visibility']]}{name}\t{row['type']}\t{row.get('range', '')}".rstrip("\t")
        for name, row in sorted(attributes.items())
        if row["visibility"] in visible
    ]


def table(said: dict[str, Any]) -> str:
    common = set.intersection(*(set(row["promiseTypes"]) for row in said["bundleTypes"].values()))
    homes = {
        kind: bundle
        for bundle, row in said["bundleTypes"].items()
        for kind in row["promiseTypes"]
        if kind not in common
    }
    lines = ["promise\t*\t*"]
    lines += attribute_rows(said["promiseTypes"]["vars"]["attributes"], {"global": ""})
    for kind, row in sorted(said["promiseTypes"].items()):
        lines.append(f"promise\t{homes.get(kind, '*')}\t{kind}")
        lines += attribute_rows(row["attributes"], VISIBLE)
    for kind, row in sorted(said["bodyTypes"].items()):
        lines.append(f"body\t{kind}")
        lines += attribute_rows(row["attributes"], VISIBLE)
    for name, row in sorted(said["functions"].items()):
        lines.append(f"function\t{name}\t{row['returnType']}")
    return "\n".join(lines) + "\n"


def main() -> None:
    run = subprocess.run(["cf-promises", "-s", "json"], capture_output=True, check=True)
    TABLE.write_text(table(json.loads(run.stdout)), encoding="utf-8")


if __name__ == "__main__":
    main()
