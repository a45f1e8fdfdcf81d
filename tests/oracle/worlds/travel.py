"""Plants findings whose value travels, and measures what the commands find.

`python -m tests.oracle.worlds.travel --cases N [--ways 2] [--puppet]`; with `--record` it writes
the numbers of the cases that real Puppet confirms.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from .ways import INPUTS, OF_BOOLEANS, WAYS, Code, Input

# The cases whose planted finding real Puppet has, with the values that it was planted for only.
RECORDED = Path(__file__).with_name("travel.json")
KINDS = ("cycle", "duplicate declaration", "missing target")
FIRST, SECOND = "planted one", "planted two"
HIERA = (
    "version: 5\ndefaults: { datadir: data, data_hash: yaml_data }\n"
    "hierarchy:\n  - { name: common, path: common.yaml }\n"
)
BODIES = {
    "cycle": f"Notify['{FIRST}'] -> Notify['{SECOND}'] Notify['{SECOND}'] -> Notify['{FIRST}']",
    "duplicate declaration": f"notify {{ '{FIRST}': }}",
    "missing target": f"Notify['{FIRST}'] -> Notify['{SECOND}']",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A module in which a value of an input makes a finding."""

    number: int
    kind: str
    input: Input
    ways: tuple[str, ...]
    text: str


def case_of(number: int, most: int) -> Case:
    """Return a case: an input, a kind of finding, and one or more ways in a chain."""
    random = Random(number)
    kind = KINDS[number % 3]
    given = INPUTS[number // 3 % len(INPUTS)]
    names = [*WAYS]
    if given.loops or given.kind in ("Any", "Optional[String]", "Integer", "String"):
        names = [name for name in names if name not in OF_BOOLEANS]
    # Each way in turn: the number of ways is no multiple of that of the inputs.
    first = names[number % len(names)]
    ways = (first, *(random.choice(names) for _ in range(random.randint(0, most - 1))))
    code = Code(given.kind)

    def end(value: str) -> str:
        test = given.test.replace("$1", value)
        head = f"  {test} " if given.loops else f"  if {test} {{ "
        return f"{head}{BODIES[kind]} }}\n"

    def passing(left: Sequence[str]) -> Callable[[str], str]:
        if not left:
            return end
        return lambda value: WAYS[left[0]](code, value, passing(left[1:]))

    body = passing(ways)(given.expression)
    base = f"  notify {{ '{FIRST}': }}\n"
    base += f"  notify {{ '{SECOND}': }}\n" if kind == "cycle" else ""
    text = f"class app ({given.declaration}) {{\n{base}{body}}}\n" + "".join(code.definitions)
    return Case(number, kind, given, ways, text)


def write(case: Case, folder: Path) -> None:
    """Write the module of a case."""
    (folder / "app" / "manifests").mkdir(parents=True)
    (folder / "app" / "manifests" / "init.pp").write_text(case.text)
    if case.input.data:
        (folder / "app" / "data").mkdir()
        (folder / "app" / "hiera.yaml").write_text(HIERA)
        (folder / "app" / "data" / "common.yaml").write_text(case.input.data)


def run(*arguments: str) -> tuple[int, str, str]:
    """Run a command of catgraph; return its exit code and output."""
    from analyzer.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([*arguments])
        except SystemExit as error:
            code = int(error.code or 0)
    return code, out.getvalue(), err.getvalue()


def is_planted(row: dict[str, Any], kind: str) -> bool:
    """Return whether a finding of an exploration is the planted one."""
    text = row["message"] + " ".join(row.get("path", ()))
    return row["kind"] == kind and (FIRST in text or SECOND in text)


def is_right(case: Case, row: dict[str, Any]) -> bool:
    """Return whether a condition holds for the values for which the finding was planted."""
    from analyzer.frontends.puppet.worlds.conditions import Conjunct
    from analyzer.frontends.puppet.worlds.tests import ABSENT

    parts = [Conjunct(one["input"], one["op"], as_value(one["value"])) for one in row["condition"]]
    if len(parts) != 1 or parts[0].input != case.input.name:
        return False

    def value(one: Any) -> Any:
        return ABSENT if one is None else one

    return all(
        parts[0].fits(value(one)) == (one in case.input.holding) for one in case.input.values
    )


def as_value(value: Any) -> Any:
    """Return the value of a part of a condition, from its JSON."""
    from analyzer.frontends.puppet.worlds.tests import ABSENT

    return tuple(value) if isinstance(value, list) else ABSENT if value is None else value


@dataclass(slots=True)
class Outcome:
    """The outcome of a case: found by `explore` and by `lint`, the condition, and silence."""

    case: Case
    found: bool = False
    right: bool = False
    by_lint: bool = False
    silent: bool = False
    problem: str = ""
    witness: dict[str, Any] | None = None


def measure(case: Case, folder: Path) -> Outcome:
    """Run the commands on a case."""
    write(case, folder)
    path = str(folder / "app")
    outcome = Outcome(case)
    options = ("--no-cache", "--jobs", "1", "--class", "app")
    code, out, err = run("explore", path, "--format", "json", *options)
    rows = []
    with contextlib.suppress(ValueError):
        rows = [one for node in json.loads(out)["nodes"] for one in node["findings"]]
    planted = [row for row in rows if is_planted(row, case.kind)]
    outcome.found = bool(planted)
    outcome.right = any(is_right(case, row) for row in planted)
    if planted:
        outcome.witness = planted[0]["witness"]
        outcome.problem = "" if outcome.right else f"condition {planted[0]['if']}"
    elif rows:
        outcome.problem = f"another finding: {rows[0]['kind']} {rows[0]['message']}"
    code, out, err = run("lint", path, *options)
    outcome.by_lint = FIRST in out or SECOND in out
    outcome.silent = code == 0 and "not explored" not in out + err
    if not outcome.found and not outcome.problem:
        outcome.problem = "not found"
    return outcome


def record(numbers: Iterable[int], most: int, root: Path) -> None:
    """Write the numbers of the cases that Puppet confirms."""
    from .confirming import confirming

    ask, confirmed = confirming(), []
    for number in numbers:
        # One folder for all, so that one process of Puppet answers for it.
        shutil.rmtree(root / "case", ignore_errors=True)
        if ask(case_of(number, most), root / "case", None):
            confirmed.append(number)
    RECORDED.write_text(json.dumps(confirmed) + "\n")


@dataclass(slots=True)
class Figures:
    """The shares of cases that are found, by way and by input."""

    total: Counter[str] = field(default_factory=Counter)
    by_way: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, outcome: Outcome) -> None:
        """Add the outcome of a case."""
        for name in ("found", "right", "by_lint", "silent"):
            self.total[name] += getattr(outcome, name)
        self.total["cases"] += 1
        case = outcome.case
        given = re.sub("=.*", "", case.input.declaration) or case.input.name
        for name in (*case.ways, f"input {given}"):
            self.by_way[name]["cases"] += 1
            self.by_way[name]["right"] += outcome.right
            self.by_way[name]["found"] += outcome.found

    def print(self) -> None:
        """Print the figures."""
        for name, one in sorted(self.by_way.items()):
            print(f"{name:40} {one['cases']:4} {one['found']:4} found {one['right']:4} right")
        print(dict(self.total))


def measured(numbers: Iterable[int], options: argparse.Namespace, folder: Path) -> Figures:
    """Run the commands on cases, and ask Puppet about each if wanted."""
    from .confirming import confirming

    ask = confirming() if options.puppet else None
    figures = Figures()
    for number in numbers:
        case = case_of(number, options.ways)
        shutil.rmtree(folder, ignore_errors=True)
        if ask is not None and not ask(case, folder, None):
            figures.total["impossible"] += 1
            continue
        shutil.rmtree(folder, ignore_errors=True)
        outcome = measure(case, folder)
        shutil.rmtree(folder, ignore_errors=True)
        if ask is not None and outcome.witness is not None:
            agrees = ask(case, folder, outcome.witness)
            figures.total["confirmed" if agrees else "not confirmed"] += 1
        figures.add(outcome)
        if options.show and (outcome.problem or outcome.silent):
            print(number, case.kind, case.ways, outcome.problem, "SILENT" * outcome.silent)
            print(case.text, flush=True)
    return figures


def main() -> int:
    """Measure cases, and print the shares by way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--ways", type=int, default=2)
    parser.add_argument("--puppet", action="store_true", help="ask Puppet about every case")
    parser.add_argument("--show", action="store_true", help="print the cases that fail")
    parser.add_argument("--record", action="store_true", help="only record Puppet's answers")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.cases)
    with tempfile.TemporaryDirectory() as root:
        os.environ["CATGRAPH_CACHE"] = os.path.join(root, "cache")
        if options.record:
            record(numbers, options.ways, Path(root))
        else:
            measured(numbers, options, Path(root, "case")).print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
