"""The law of origins: a value changes only if a place of its set was changed.

A literal of the code, a fact or a value of Hiera's data is changed, and everything is compiled
again. A value that changed must have the place in its set; a value with the place in its set should
change, or a decision on the way. A literal is changed in several ways: its own text, and the texts
of others, which may be what it is compared with.
`python -m tests.oracle.origins_law FOLDER... --count N` prints the figures.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Protocol

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.explaining import explain_path
from analyzer.compiles.plan import plan_of
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.origins.contributors import ANYTHING, Contributor, reach
from analyzer.frontends.puppet.origins.data import DataPlace
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.reach import user_files

from .origins_changes import DataChange, FactChange, LiteralChange, Place, changes_of

# The values of a catalog: for each resource its parameters as text.
Values = dict[str, dict[str, str]]
# The arms that constructs took.
Arms = dict[Place, set[int]]
# The key of the gaps of a catalog.
MISSING = "missing"
# A reference in the text of a relationship parameter.
REF = re.compile(r"[A-Z][\w:]*\[[^\]]*\]")
# Contributors that decide, and are no part of the value itself.
TESTING = frozenset({"condition", "collector", "loop"})
KINDS: tuple[type, ...] = (LiteralChange, FactChange, DataChange)


@dataclass(slots=True)
class Figures:
    """The outcomes of all changes; `broken` are values that changed outside of their set."""

    counts: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)

    @property
    def inside(self) -> str:
        """Return how many values inside of their sets changed, or a decision did."""
        inside = {name: n for name, n in self.counts.items() if name.startswith("inside")}
        good = sum(n for name, n in inside.items() if name.endswith(("changed", "flips")))
        total = sum(inside.values())
        return f"{good} of {total} inside ({good / max(total, 1):.1%})"


class Change(Protocol):
    """A change of an input of a compile; its `ways` are made one after the other."""

    @property
    def label(self) -> str:
        """Return its place in words."""

    def is_in(self, origins: Origins) -> bool:
        """Return whether a set has the place."""

    def reason(self, origins: Origins) -> str:
        """Return why a value may stay the same."""

    def ways(self, path: str, settings: Settings) -> Iterator[tuple[Settings, int]]:
        """Make the change in each way; yield the settings, and by how much what follows moves."""

    def unmoved(self, taken: Arms, moved: int) -> Arms:
        """Return the arms by the places before the change."""


@dataclass(frozen=True, slots=True)
class Origins:
    """A set: the places of literals, the facts, and the keys of data by file.

    `anything`: others may be part of it. `tested` and `tested_facts` are those that only tests
    compare with, `of_paths` the facts that only paths of Hiera have.
    """

    places: frozenset[Place]
    tested: frozenset[Place]
    facts: frozenset[str]
    tested_facts: frozenset[str]
    of_paths: frozenset[str]
    data: frozenset[DataPlace]
    anything: bool


def compiled(path: str, settings: Settings) -> tuple[Values | None, Arms]:
    """Return the values of the catalog and the arms taken; no values if it does not compile."""
    watcher = Watcher()
    try:
        run = CompileRun(plan_of(path, settings, watcher))
        (result,) = run.results()
    except (CompileError, InputError):
        return None, {}
    if result.catalog is None or result.error is not None:
        return None, {}
    values = {
        str(one.ref): {name: repr(value) for name, value in one.parameters.items()}
        for one in result.catalog.resources
    }
    # What lacks its target: Puppet refuses it.
    record = result.catalog.record
    missing = [str(one.ref) for one in record.missing] if record is not None else []
    values[MISSING] = dict.fromkeys([*map(str, result.catalog.gaps), *missing], "")
    return values, watcher.taken


def origins_of(several: list[Contributor]) -> Origins:
    """Return the places of a set."""
    every = list(reach(several))
    computed = list(reach(several, TESTING))
    direct = list(reach(several, TESTING | {"data", "lookup"}))
    places, facts = frozenset(literals_among(every)), facts_among(every)
    data = frozenset(
        one.value
        for one in every
        if isinstance(one.value, DataPlace) and one.value.file is not None
    )
    return Origins(
        places,
        places - frozenset(literals_among(computed)),
        facts,
        facts - facts_among(computed),
        facts_among(computed) - facts_among(direct),
        data,
        ANYTHING in every,
    )


def literals_among(several: list[Contributor]) -> Iterator[Place]:
    """Yield the places of the literals among contributors."""
    for one in several:
        if one.unit is not None and one.kind in ("literal", "node name"):
            yield one.unit.file, one.offset


def facts_among(several: list[Contributor]) -> frozenset[str]:
    """Return the facts among contributors."""
    return frozenset(one.name for one in several if one.kind == "fact")


def check(path: str, settings: Settings, count: int, random: Random, figures: Figures) -> None:
    """Change some inputs of the compile of a class or node, one after the other."""
    with user_files():
        check_changes(path, settings, count, random, figures)


def check_changes(
    path: str, settings: Settings, count: int, random: Random, figures: Figures
) -> None:
    """Change inputs, and compare the values with those before."""
    before, taken = compiled(path, settings)
    if before is None:
        return
    (node,) = explain_path(path, settings)
    if node.explanation is None or node.error is not None:
        return
    sets = sets_of(node.explanation, before)
    files = {file for file, _ in taken}.union(*({f for f, _ in o.places} for o in sets.values()))
    changes = list(changes_of(path, settings, sorted(files), random))
    for kind in KINDS:
        own = [one for one in changes if type(one) is kind]
        inside = [one for one in own if any(one.is_in(origins) for origins in sets.values())]
        chosen = random.sample(inside, min(count // 2, len(inside)))
        for one in [*chosen, *random.sample(own, min(count - len(chosen), len(own)))]:
            try_change(path, settings, one, (before, taken), sets, figures)


def try_change(
    path: str,
    settings: Settings,
    change: Change,
    before: tuple[Values, Arms],
    sets: dict[tuple[str, str], Origins],
    figures: Figures,
) -> None:
    """Make a change in each way, and compare the values with those before."""
    tried: list[tuple[Values, bool]] = []
    refused = False
    for own, moved in change.ways(path, settings):
        after, arms = compiled(path, own)
        if after is None or not after[MISSING].keys() <= before[0][MISSING].keys():
            figures.counts["refused"] += 1
            refused = True
            continue
        figures.counts["changes"] += 1
        tried.append((after, before[1] == change.unmoved(arms, moved)))
        if all(is_other(before[0], tried, at) for at, one in sets.items() if change.is_in(one)):
            break
    if tried:
        compare(before[0], tried, sets, change, figures, refused=refused)


def sets_of(explanation: Explanation, values: Values) -> dict[tuple[str, str], Origins]:
    """Return the set of each value; a resource itself has an empty name."""
    found = {}
    for ref in values:
        entry = explanation.find(ref)
        if entry is None:
            continue
        presence = explanation.presence_of(entry)
        others = explanation.others.get(id(entry), [])
        found[ref, ""] = origins_of([presence, *others])
        for name in values[ref]:
            trail = explanation.values.get((id(entry), name))
            own = list(trail.everything()) if trail is not None else []
            found[ref, name] = origins_of([presence, *own])
    return found


def compare(
    before: Values,
    tried: Sequence[tuple[Values, bool]],
    sets: dict[tuple[str, str], Origins],
    change: Change,
    figures: Figures,
    *,
    refused: bool,
) -> None:
    """Compare the values before and after a change, which was made in some ways, with their sets.

    Of each way: the values, and whether all decisions are the same. Others may be `refused`.
    """
    for (ref, name), origins in sets.items():
        gone = any(ref not in after for after, _ in tried)
        is_changed = has_changed(before, tried, ref, name)
        row = f"{change.label} {ref} {name}"
        if not change.is_in(origins):
            figures.counts["outside"] += 1
            if is_changed and not origins.anything and not (gone and name):
                figures.broken.append(row)
        elif is_changed:
            figures.counts["inside, changed"] += 1
        elif not all(same for _, same in tried):
            figures.counts["inside, a decision flips"] += 1
        else:
            reason = change.reason(origins) or ("refused in other ways" if refused else "")
            if name and "Unknown(" in before[ref][name]:
                reason = "a value that is unknown"
            figures.counts[f"inside, {reason or 'the same'}"] += 1
            figures.same.append(f"{row}: {reason or 'no reason'}")


def has_changed(before: Values, tried: Sequence[tuple[Values, bool]], ref: str, name: str) -> bool:
    """Return whether a value is another one in some way, or its resource is gone."""
    return any(
        ref not in after or (name and differ(name, before[ref][name], after[ref].get(name)))
        for after, _ in tried
    )


def is_other(before: Values, tried: Sequence[tuple[Values, bool]], at: tuple[str, str]) -> bool:
    """Return whether a value is another one in some way, or a decision is."""
    return has_changed(before, tried, *at) or not all(same for _, same in tried)


def differ(name: str, before: str, after: str | None) -> bool:
    """Return whether a value is another one.

    Arrows and collectors that were not evaluated before add to relationships; those that were
    there are compared.
    """
    if name in RELATIONSHIPS and after is not None:
        return not set(REF.findall(before)) <= set(REF.findall(after))
    return before != after


def checked_folder(folder: str, options: argparse.Namespace, figures: Figures) -> None:
    """Check the main class of a module, or the nodes of a control repo, in a copy."""
    name, random = Path(folder).name, Random(options.seed)
    is_module = (Path(folder) / "manifests" / "init.pp").is_file()
    with tempfile.TemporaryDirectory() as root:
        # Only files of the copy are changed.
        copy = str(shutil.copytree(Path(folder).resolve(), Path(root, name), symlinks=True))
        settings = Settings(facts=("@debian-12",), lenient=not is_module)
        if is_module:
            path = (root, str(Path(folder).parent))
            check(
                copy, replace(settings, classes=(name,), modulepath=path),
                options.count, random, figures,
            )  # fmt: skip
            return
        with user_files():
            subjects = plan_of(copy, settings).subjects[: options.nodes]
        for one in subjects:
            given = {"classes": (one.alone,)} if one.alone else {"node": one.node}
            check(copy, replace(settings, **given), options.count, random, figures)


def main() -> int:
    """Check folders, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--count", type=int, default=20, help="changes of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=4, help="nodes of a control repo")
    parser.add_argument("--show", type=int, default=0, help="values that stayed the same")
    options = parser.parse_args()
    figures = Figures()
    for folder in options.folders:
        try:
            checked_folder(folder, options, figures)
        except (CompileError, InputError) as error:
            print(folder, error)
        counts = dict(sorted(figures.counts.items()))
        print(Path(folder).name, counts, figures.inside, len(figures.broken), flush=True)
    for line in figures.broken[:40]:
        print("outside, but changed:", line)
    figures.same.sort(key=lambda line: not line.endswith("no reason"))
    for line in figures.same[: options.show]:
        print("inside, but the same:", line)
    return int(bool(figures.broken))


if __name__ == "__main__":
    raise SystemExit(main())
