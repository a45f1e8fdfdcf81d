"""What real Puppet does in three runs of small manifests: `python -m tests.linter.two_runs`.

`record` applies each manifest to an empty folder, files and harmless commands only, and writes
which resources fail in each run; `live` compares the record with the installed Puppet.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
CASES = HERE / "two_runs.txt"
RECORDED = HERE / "two_runs.json"
RUNS = 3

# A resource in a message of a run: the innermost part of its path, before the property.
FAILED = re.compile(r"Error: /Stage\[main\]/\S*?/?((?:File|Exec)\[[^\]]+\])[/:]")

Runs = list[list[str]]


def cases() -> dict[str, str]:
    """Return the manifests by what they show."""
    blocks = CASES.read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text for name, _, text in (block.partition("\n") for block in blocks)}


def applied(text: str) -> Runs:
    """Apply a manifest three times to an empty folder; return what failed each time."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        root, state = Path(folder, "root"), Path(folder, "state")
        root.mkdir()
        manifest = Path(folder, "site.pp")
        manifest.write_text(text.replace("ROOT", str(root)), encoding="utf-8")
        command = ["puppet", "apply", "--confdir", str(state), "--vardir", str(state / "var")]
        for _ in range(RUNS):
            run = subprocess.run(
                [*command, "--color", "false", str(manifest)],
                check=False,
                capture_output=True,
                text=True,
            )
            names = FAILED.findall(run.stderr + run.stdout)
            found.append(sorted({name.replace(str(root), "ROOT") for name in names}))
    return found


def recorded() -> dict[str, Runs]:
    """Return the outcomes in Puppet, by case."""
    found: dict[str, Runs] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def main(arguments: list[str]) -> int:
    """Record, or compare."""
    now = {name: applied(text) for name, text in cases().items()}
    if arguments == ["live"]:
        differ = [name for name in now if recorded().get(name) != now[name]]
        print(f"two runs: {len(now) - len(differ)} of {len(now)} agree", *differ, sep="\n  ")
        return int(bool(differ))
    RECORDED.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
