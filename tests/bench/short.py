"""The short form of the table: seconds, needs no Puppet, and fails at twice a recorded ratio.

Each row compares with work in the same process, so that a slow or busy machine changes little.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.inputs import graph_of, load_catalogs
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import lint_inputs
from tests.linter.shapes import SHAPES, written

from .compiler import MIXED, compiled, program
from .measure import Row, cpu, take_turns
from .rows import junctions

RECORDED = Path(__file__).with_name("recorded.toml")

# Times its recorded ratio that a row may take.
MOST = 2


def mixed_in_python() -> object:
    """The loop of the mixed program as Python, ten times."""
    found = []
    for i in [*range(1, 1001)] * 10:
        one = {"a": i, "b": [i, i + 1], "c": {"x": f"v{i}"}}
        even = "odd" if i % 2 else "even"
        whole = one | {"d": i * 2}
        mode = "0644" if i * 2 > 10 and even == "even" else "0600"
        total = sum(x * 3 for x in (i, i + 1))
        found.append(
            (f"/srv/item-{i}/{even}", mode, f"M {whole['c']} {total}", ["t1", f"t-{even}"])
        )
    return found


def compiling() -> Iterator[Row]:
    """A thousand resources of the mixed program, parsed and compiled."""
    code = MIXED.replace("20000", "1000")
    mine, theirs = take_turns(5, cpu(lambda: compiled(program(code))), cpu(mixed_in_python))
    yield Row("compile 1,000 of a mixed program", mine, "ten times in Python", theirs, 0)


def linting() -> Iterator[Row]:
    """Classes of 1,000 resources in one manifest, all rules, against `cycles`."""
    with tempfile.TemporaryDirectory() as place:
        path = str(written(SHAPES["classes"](1_000), Path(place)))

        def cycles() -> object:
            return graph_of(load_catalogs(path, Settings())[0]).has_cycle

        cycles()
        mine, theirs = take_turns(
            3, cpu(lambda: lint_inputs(Request((path,))).results), cpu(cycles)
        )
    yield Row("lint 1,000 resources", mine, "cycles", theirs, 0)


def rows() -> Iterator[tuple[Row, float]]:
    """Yield each row with its recorded ratio."""
    recorded = tomllib.loads(RECORDED.read_text(encoding="utf-8"))
    for compare in (compiling, linting, junctions):
        for row in compare():
            yield row, recorded[row.name]


def main() -> int:
    """Print the rows; return 1 if one takes more than it may."""
    slow = 0
    for row, recorded in rows():
        above = row.ratio > MOST * recorded
        slow += above
        verdict = f"more than {MOST} times" if above else "ok"
        print(
            f"{row.name:<36} {row.ratio:>8.3g} of {row.yardstick:<20} was {recorded:<8g} {verdict}"
        )
    return int(slow > 0)


if __name__ == "__main__":
    raise SystemExit(main())
