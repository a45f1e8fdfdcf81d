"""Runs catgraph on each repository of a folder and prints what came of it, a row each.

Nothing of the repositories is kept. The columns: nodes and classes tried, those that give a graph
(of what compiles in spite of errors, too), those that compile, those whose graph is complete,
internal errors, findings of the lint by severity, and seconds of
`lint` with an empty cache and again, and of `explore --worlds 4`.

`--gate DIR [PLANTS [SEED]]` measures the gate instead: see `tests.repos.gate`; `--store DIR
[CHANGES [SEED]]` compares outputs with and without stored results: see `tests.repos.store`;
`--attribute DIR [EDITS [SEED [AT_ONCE]]]` edits lines and checks that differences are attributed to
them: see `tests.repos.attribute`; `--attribute-fleet` does the same with `fleet diff`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from tests.repos import attribute, gate, store
from tests.repos.attribute_fleet import FleetSession

INTERNAL = "internal error"
# Nothing is imported from the repository, which is the working folder.
START = "import sys; sys.path.append({!r}); from analyzer.cli import main; sys.exit(main())"
HEAD = ("repository", "nodes", "graph", "compiles", "complete", "internal", "errors", "warnings",
        "notes", "first", "again", "explore")  # fmt: skip


def run(folder: Path, cache: str, *words: str) -> tuple[str, str, float, int]:
    """Run a command in a repository; return output, messages, seconds and exit code."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    start = perf_counter()
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from analyzer.cli import main; sys.exit(main())",
            *words,
        ],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout, done.stderr, perf_counter() - start, done.returncode


def document(text: str) -> Any:
    """Return JSON, an empty hash if a command printed none."""
    try:
        return json.loads(text)
    except ValueError:
        return {}


def row(folder: Path, options: list[str]) -> tuple[str, ...]:
    """Return the row of a repository."""
    with TemporaryDirectory() as cache:
        out, err, first, _ = run(folder, cache, "lint", ".", "--format", "json", *options)
        _, _, again, _ = run(folder, cache, "lint", ".", "--format", "json", *options)
        explored, more, explore, _ = run(
            folder, cache, "explore", ".", "--format", "json", "--worlds", "4", *options
        )
    listed = document(out)
    findings = listed.get("findings", []) if isinstance(listed, dict) else listed
    found = Counter(one.get("severity") for one in findings)
    nodes = document(explored).get("nodes", [])
    states = [{world["state"] for world in node["worlds"]} for node in nodes]
    graphs = sum(any(world["resources"] for world in node["worlds"]) for node in nodes)
    compiles = sum(bool(state - {"refused"}) for state in states)
    complete = sum(bool(state & {"ok", "cycle"}) for state in states)
    internal = sum(text.count(INTERNAL) for text in (out, err, explored, more))
    return (
        folder.name, str(len(nodes)), str(graphs), str(compiles), str(complete), str(internal),
        *(str(found[severity]) for severity in ("error", "warning", "note")),
        f"{first:.1f}", f"{again:.1f}", f"{explore:.1f}",
    )  # fmt: skip


def table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of the table."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        yield "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))


def main() -> None:
    """Print the table of all repositories below a folder; further words are options."""
    folder, *options = sys.argv[1:]
    measures: dict[str, Callable[..., object]] = {
        "--gate": gate.report, "--store": store.report, "--attribute": attribute.report,
        "--attribute-fleet": partial(attribute.report, ask=FleetSession),
    }  # fmt: skip
    if folder in measures:
        measure, (folder, *numbers) = measures[folder], options
        measure(folder, run, *map(int, numbers))
        return
    below = sorted(path for path in Path(folder).iterdir() if path.is_dir())
    print("\n".join(table([HEAD, *(row(path, options) for path in below)])))


if __name__ == "__main__":
    main()
