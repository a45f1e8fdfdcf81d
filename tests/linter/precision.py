"""Measures how many findings of each rule a maintainer would agree with.

    python -m tests.linter.precision FOLDER... [-- OPTIONS OF LINT]

A FOLDER is linted as it is; a file is what `catgraph lint --format json` wrote before. Findings
without a verdict are listed with `--unjudged N`, each with the key of its place. `--judge FILE`
adds verdicts, one a line: a key and `true` (wrong, and worth telling) or `false`. A key is a hash:
nothing of the code that was read is stored.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

from analyzer.cli import main as catgraph

VERDICTS = Path(__file__).with_name("verdicts.json")

# Parts of a path that a key depends on: the module and what is below it.
PARTS = 4

# What has to be reached: of what fails a gate, and of notes.
WANTED = {"error": 90, "warning": 90, "note": 70}

Row = dict[str, Any]


def findings_in(path: Path, options: list[str]) -> list[Row]:
    """Return the findings about a folder, or those that a file lists."""
    if path.is_file() and path.suffix == ".json":
        text = path.read_text(encoding="utf-8")
    else:
        with redirect_stdout(StringIO()) as out:
            catgraph(["lint", str(path), "--format", "json", *options])
        text = out.getvalue()
    return [row for row in json.loads(text)["findings"] if row["file"]]


def line_of(row: Row) -> str:
    """Return the line that a finding is about, empty if it cannot be read."""
    try:
        lines = Path(row["file"]).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    number = row["line"] or 0
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def key_of(row: Row) -> str:
    """Return the key of a place: it survives moved lines and other folders above the module."""
    place = "/".join(Path(row["file"]).parts[-PARTS:])
    return sha256("\n".join([row["code"], place, line_of(row)]).encode()).hexdigest()[:16]


def table(rows: Iterable[Row], verdicts: dict[str, bool]) -> Iterator[str]:
    """Yield the precision of each rule and severity, and of each severity."""
    counts: dict[tuple[str, str], Counter[bool | None]] = defaultdict(Counter)
    for row in rows:
        verdict = verdicts.get(key_of(row))
        counts[row["severity"], row["code"]][verdict] += 1
        counts[row["severity"], ""][verdict] += 1
    for (severity, code), count in sorted(counts.items()):
        judged = count[True] + count[False]
        share = f"{100 * count[True] / judged:4.0f} %" if judged else "     -"
        wanted = f" (wanted: {WANTED[severity]} %)" if not code else ""
        unjudged = f", {count[None]} not judged" if count[None] else ""
        name = code or "all"
        yield f"{severity:8}{name:7}{share}  {count[True]} of {judged}{unjudged}{wanted}"


def unjudged(rows: list[Row], verdicts: dict[str, bool], most: int) -> Iterator[str]:
    """Yield findings that nobody judged, chosen at random, each with its place."""
    new = {key: row for row in rows if (key := key_of(row)) not in verdicts}
    chosen = random.Random(0).sample(sorted(new), min(most, len(new)))
    for key in sorted(chosen, key=lambda key: (new[key]["code"], new[key]["file"])):
        row = new[key]
        yield f"{key} {row['severity']} {row['code']} {row['file']}:{row['line']}: {row['message']}"
        yield from (f"    {step['text']} [{step['file']}:{step['line']}]" for step in row["steps"])


def read_verdicts() -> dict[str, bool]:
    """Return the verdicts by key."""
    if not VERDICTS.exists():
        return {}
    found: dict[str, bool] = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return found


def judge(lines: Iterable[str]) -> None:
    """Add verdicts to those that are stored."""
    known = read_verdicts()
    for line in filter(None, map(str.strip, lines)):
        key, word = line.split()[:2]
        if word not in ("true", "false"):
            raise SystemExit(f"{key}: {word} is no verdict; write `true` or `false`")
        known[key] = word == "true"
    VERDICTS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Print the table, or what is to be judged."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own, options = arguments[:end], arguments[end + 1 :]
    parser = argparse.ArgumentParser(prog="python -m tests.linter.precision")
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--unjudged", type=int, default=0, metavar="N")
    parser.add_argument("--judge", type=Path, metavar="FILE")
    asked = parser.parse_args(own)
    if asked.judge:
        judge(asked.judge.read_text(encoding="utf-8").split("\n"))
    rows = [row for path in asked.paths for row in findings_in(path, options)]
    verdicts = read_verdicts()
    most = asked.unjudged
    print("\n".join(unjudged(rows, verdicts, most) if most else table(rows, verdicts)))


if __name__ == "__main__":
    main(sys.argv[1:])
