"""Compares the places that have a key with those that Puppet's explainer names.

`python -m tests.frontends.puppet.hiera.live_explain --environments N`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.hiera.explain import LookupOutcome
from analyzer.frontends.puppet.hiera.hidden import every_step
from analyzer.reach import user_files
from tests.oracle.harness import HOW_TO_INSTALL, installed

from .cases import Ask, Case
from .generate import environments
from .generate_values import KEYS
from .harness import ask
from .ours import make

Rows = list[list[str]]


def asks_of(case: Case) -> Case:
    """Return a case that asks to explain each key, as it is and in every place."""
    keys = [key for key in KEYS if "." not in key]
    asks = [Ask("explain", (key, *more)) for key in keys for more in ((), ("every",))]
    return replace(case, asks=asks)


def own_rows(case: Case, root: Path, asked: Ask) -> Rows | None:
    """Return the places that have a key, None if the lookup fails."""
    from tests.frontends.puppet.hiera import api as hiera

    data = make(case, root)
    try:
        explanation = data.explain(str(asked.arguments[0]))
    except hiera.HieraError:
        return None
    found = [one for one in explanation.steps if one.depth == 0]
    found = every_step(data, str(asked.arguments[0])) if asked.arguments[1:] else found
    return [[one.entry, str(one.location)] for one in found if one.outcome is LookupOutcome.FOUND]


def main() -> int:
    """Exit code 0 agree or skipped, 1 differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environments", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    if installed() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 0
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        cases = [asks_of(one) for one in environments(options.seed, options.environments)]
        roots = [Path(folder, str(index)) for index in range(len(cases))]
        for case, root in zip(cases, roots, strict=True):
            case.lay_out(root)
        answers = ask(case.question(root) for case, root in zip(cases, roots, strict=True))
        for case, root, answer in zip(cases, roots, answers, strict=True):
            for one, result in zip(case.asks, answer.get("results", ()), strict=False):
                compare(case, root, one, result, count, options.show)
    print(dict(count))
    return int(count["differ"] > 0)


def compare(
    case: Case, root: Path, one: Ask, result: dict[str, Any], count: Counter[str], show: int
) -> None:
    """Compare the places of one key."""
    theirs = result.get("value", {})
    own = own_rows(case, root, one)
    if own is None or theirs.get("error") or "error" in result:
        count["errors"] += 1
        return
    same = [path for _, path in theirs["rows"]] == [path for _, path in own]
    count["with a place" if own else "without a place"] += 1
    count["several places"] += len(own) > 1
    count["agree" if same else "differ"] += 1
    if not one.arguments[1:] and theirs["merge"]:
        merge = make(case, root).merge_of(str(one.arguments[0]))
        name = merge.get("strategy") if isinstance(merge, dict) else merge
        count["merge agrees" if theirs["merge"] == [name or "first"] else "merge differs"] += 1
        if theirs["merge"] != [name or "first"] and count["merge differs"] <= show:
            print(case.name, one.line(), theirs["merge"], name)
    if not same and count["differ"] <= show:
        print(case.name, one.line(), "\n  Puppet", theirs["rows"], "\n  ours  ", own)


if __name__ == "__main__":
    with user_files():
        raise SystemExit(main())
