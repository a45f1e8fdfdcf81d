"""Policies of several files (`trees/`), and what a real CFEngine loaded and printed (`trees.json`).

`python -m tests.frontends.cfengine.trees` records it anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from analyzer.frontends.cfengine.agent.loading import load_policy
from analyzer.frontends.cfengine.agent.run import simulate

HERE = Path(__file__).parent
TREES = HERE / "trees"
PROMISES = "promises.cf"


def trees() -> list[Path]:
    return sorted(path.parent for path in TREES.glob(f"*/{PROMISES}"))


def tool(name: str, tree: Path, *options: str) -> str:
    """What a program of CFEngine prints of a copy of a tree."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        for part in ("bin", "state", "ppkeys", "outputs", "modules"):
            (work / part).mkdir(mode=0o700, parents=True)
        shutil.copytree(tree, work / "inputs")
        for program in ("cf-promises", "cf-agent"):
            os.symlink(str(shutil.which(program)), work / "bin" / program)
        for path in (work / "inputs").rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
        run = subprocess.run(
            [name, "-w", str(work), "-f", str(work / "inputs" / PROMISES), *options],
            capture_output=True,
            check=False,
            timeout=60,
            env=dict(os.environ, CFENGINE_TEST_OVERRIDE_WORKDIR=str(work), LC_ALL="C"),
        )
        return run.stdout.decode("utf-8", "replace")


def theirs(tree: Path) -> dict[str, Any]:
    text = tool("cf-promises", tree, "-p", "json-full")
    bundles = json.loads(text[text.index("{") :])["bundles"]
    lines = tool("cf-agent", tree, "-K").splitlines()
    reports = [line.removeprefix("R: ") for line in lines if line.startswith("R: ")]
    return {"bundles": [bundle["name"] for bundle in bundles], "reports": reports}


def ours(tree: Path) -> dict[str, Any]:
    policy = load_policy(str(tree / PROMISES))
    events = simulate(policy).events
    return {
        "bundles": [bundle.name for file in policy.files for bundle in file.bundles],
        "reports": [e.promiser for e in events if e.type == "reports" and e.outcome == "kept"],
    }


def record() -> None:
    rows = {tree.name: theirs(tree) for tree in trees()}
    (HERE / "trees.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
