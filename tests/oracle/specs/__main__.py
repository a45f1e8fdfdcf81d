"""`python -m tests.oracle.specs FOLDER --source SOURCE`: agreement by kind, causes largest first.

Exit code 0: the share of compiles and of all other kinds is reached, 1: it is not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.model.releases import Release
from analyzer.reach import user_files

from .comparing import Result, compare_compile
from .compiling import Inputs, TooSlow, watch
from .expressions import (
    compare_assignable,
    compare_call,
    compare_eval,
    compare_infer,
    compare_instance,
    compare_type,
)
from .records import Record, Recording
from .texts import compare_graph, compare_parse

COMPARE: dict[str, Callable[[Record, Inputs], Result | None]] = {
    "compile": compare_compile,
    "eval": compare_eval,
    "call": compare_call,
    "parse": compare_parse,
    "type": compare_type,
    "assignable": compare_assignable,
    "instance": compare_instance,
    "infer": compare_infer,
    "graph": compare_graph,
    "traversal": compare_graph,
}
# The shares to reach, in percent.
COMPILES, OTHERS = 99.5, 99.9


@dataclass(slots=True)
class Tally:
    """Numbers of records by kind, and the differences."""

    numbers: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], Record] = field(default_factory=dict)

    def leave_out(self, kind: str, reason: str) -> None:
        """Count a record that is not compared."""
        self.numbers[kind]["recorded"] += 1
        self.left_out[kind, reason] += 1

    def add(self, record: Record, result: Result) -> None:
        """Count a comparison."""
        kind = record["kind"]
        if not result.ok and result.unknown:
            self.leave_out(kind, f"catgraph says that it is unknown: {result.cause}")
            return
        row = self.numbers[kind]
        row.update(recorded=1, usable=1, agree=int(result.ok))
        # The parser of types has other words than the evaluator.
        if record.get("error") and kind != "type":
            row.update(refusals=1, alike=int(result.ok))
            row.update(same=int(result.ok and result.same_message is not False))
        if not result.ok:
            self.causes[kind, result.cause] += 1
            self.examples.setdefault((kind, result.cause), record)

    def share(self, kinds: set[str]) -> float:
        """Return the percentage of usable records of some kinds that agree."""
        rows = [row for kind, row in self.numbers.items() if kind in kinds]
        usable = sum(row["usable"] for row in rows)
        return 100 * sum(row["agree"] for row in rows) / usable if usable else 100.0

    def print(self, most: int) -> None:
        """Print what was left out, the causes and the table."""
        for (kind, reason), number in self.left_out.most_common(most):
            print(f"left out {number:5} {kind}: {reason}")
        for (kind, cause), number in self.causes.most_common(most):
            record = self.examples[kind, cause]
            print(f"differ   {number:5} {kind}: {cause} ({record['id'][:8]} {record.get('spec')})")
        for kind, row in self.numbers.items():
            print(
                f"{kind:10} {row['recorded']:6} recorded {row['usable']:6} usable "
                f"{row['agree']:6} agree ({self.share({kind}):.2f} %), {row['alike']} of "
                f"{row['refusals']} refusals alike, {row['same']} with the same message"
            )


def compared(record: Record, inputs: Inputs) -> Result | None:
    """Return the comparison of a record; an exception of catgraph's is a difference."""
    try:
        return COMPARE[record["kind"]](record, inputs)
    except TooSlow:
        return Result(False, "too slow")
    except Exception as error:
        return Result(False, f"internal error: {type(error).__name__}: {error}"[:120])


def main() -> int:
    """Compare all records of a folder."""
    options = _options()
    recording = Recording(options.folder, options.source)
    inputs = Inputs(options.source, Release.parse(options.version))
    tally = Tally()
    watch()
    kinds = options.kinds.split(",") if options.kinds else [*COMPARE]
    with user_files():
        for record in recording.records(kinds):
            if not record["id"].startswith(options.only):
                continue
            reason = recording.why_unusable(record)
            result = None if reason else compared(record, inputs)
            if result is None:
                tally.leave_out(record["kind"], reason or "cannot be replayed")
            else:
                tally.add(record, result)
            if result is not None and (options.only or (options.differences and not result.ok)):
                print(json.dumps(record, indent=1)[:6000] if options.only else record["id"][:8])
                print(f"{result.cause}\n  Puppet:   {result.theirs}\n  catgraph: {result.ours}")
    tally.print(options.most)
    others = tally.share(set(COMPARE) - {"compile"})
    return int(tally.share({"compile"}) < COMPILES or others < OTHERS)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.specs", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with raw/*.jsonl")
    parser.add_argument("--source", type=Path, required=True, help="the source of that Puppet")
    parser.add_argument("--version", default="8", help="the version for records of strict mode")
    parser.add_argument("--kinds", default="", help=f"some of {','.join(COMPARE)}")
    parser.add_argument("--only", default="", help="the start of an id: one record in full")
    parser.add_argument("--differences", action="store_true", help="print both answers")
    parser.add_argument("--most", type=int, default=40, help="the number of reasons to print")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
