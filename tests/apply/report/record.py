"""Records the reports of three runs by the installed Puppet, or by another version of it.

python -m tests.apply.report.record [VERSION PATH_OF_ITS_LIB [FILE_TO_REQUIRE]]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"
DIR = "/srv/demo"
RUNS = ("first", "second", "noop")


def runs(folder: Path) -> list[dict[str, Any]]:
    """Three runs of one manifest: on nothing, after a change by hand, and noop after another."""
    target = folder / "target"
    code = (HERE / "site.pp").read_text(encoding="utf-8").replace("@DIR@", str(target))
    return [
        {"code": code, "skip_tags": "left_out"},
        {"code": code, "touch": {f"{target}/web.conf": "by hand\n", f"{target}/secret": "seen"}},
        {"code": code, "noop": True, "touch": {f"{target}/one": "by hand\n"}},
    ]


def reports(options: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Let Puppet make the runs in a private folder, whose name is made neutral in the answers."""
    with tempfile.TemporaryDirectory(prefix="catgraph-report-") as name:
        folder = Path(name)
        source = folder / "target.source"
        (source / "sub").mkdir(parents=True)
        (source / "a").write_text("a\n")
        (source / "sub" / "b").write_text("b\n")
        done = subprocess.run(
            ["ruby", *options, str(HERE / "runs.rb"), str(folder / "state")],
            input="".join(json.dumps(run) + "\n" for run in runs(folder)),
            capture_output=True,
            text=True,
            check=True,
        )
        answers = done.stdout.replace(str(folder / "target"), DIR)
    return [json.loads(line) for line in answers.split("\n") if line]


def read_back(texts: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
    """Return reports as the installed Puppet reads them."""
    done = subprocess.run(
        ["ruby", str(HERE / "reads.rb")],
        input="".join(json.dumps(text) + "\n" for text in texts),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def record(version: str = "", options: Sequence[str] = ()) -> None:
    """Write the reports down; of another version than the installed one its second run only."""
    RECORDED.mkdir(exist_ok=True)
    found = dict(zip(RUNS, reports(options), strict=True))
    if version:
        (RECORDED / f"second-{version}.yaml").write_text(found["second"]["yaml"])
        return
    for name, answer in found.items():
        (RECORDED / f"{name}.yaml").write_text(answer["yaml"])
        (RECORDED / f"{name}.summary.yaml").write_text(answer["summary"])
    for form, name in (("json", "second"), ("wire", "second.wire"), ("catalog", "catalog")):
        text = json.dumps(found["second"][form], ensure_ascii=False, indent=1)
        (RECORDED / f"{name}.json").write_text(text + "\n")


def main(arguments: Sequence[str]) -> int:
    """Record with the installed Puppet, or one whose library is named."""
    if not arguments:
        record()
        return 0
    version, library, *required = arguments
    record(version, [*(word for name in required for word in ("-r", name)), "-I", library])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
