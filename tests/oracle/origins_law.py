"""The law of origins: a value changes only if a place of its set was changed.

A literal of the code, a fact or a value of Hiera's data is changed, and everything is compiled
again. A value that changed must have the place in its set; a value with the place in its set should
change, or a decision on the way. A literal is changed in several ways: its own text, and the texts
of others, above all of those in the sets that have it, which are what it may be compared with. A
decision is on the way if all that its test reads is in the set. Of a compile that ends in an error
the decisions count until there; a catalog that Puppet refuses because something lacks its target
has values to compare. Where nothing changes, the same is tried with other
facts: those of other systems, and values that something in the sets compares with.
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

from analyzer.compiles.plan import plan_of
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.reach import user_files

from .origins_changes import DataChange, LiteralChange, changes_of
from .origins_facts import FactChange
from .origins_sets import Arms, Compiled, Origins, Place, Values, compiled, explained, sets_of

# A reference in the text of a relationship parameter.
REF = re.compile(r"[A-Z][\w:]*\[[^\]]*\]")
KINDS: tuple[type, ...] = (LiteralChange, FactChange, DataChange)
# The texts that a change tries because something in the sets may compare with them.
MOST_AIMS = 30

# The set of each value, by a resource and the name of its parameter.
Sets = dict[tuple[str, str], Origins]


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
        good = sum(n for name, n in inside.items() if name.endswith(("changed", "flips", "world")))
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

    def ways(
        self, path: str, settings: Settings, aims: Sequence[str]
    ) -> Iterator[tuple[Settings, int]]:
        """Make the change in each way; yield the settings, and by how much what follows moves.

        `aims` are texts that it may be compared with.
        """

    def elsewhere(
        self, path: str, settings: Settings, facts: Sequence[str], aims: Sequence[str]
    ) -> Iterator[Settings]:
        """Yield in turn settings with other facts, and the same with the change.

        `facts` are those in the sets, `aims` the texts that they may be compared with.
        """

    def unmoved(self, taken: Arms, moved: int) -> Arms:
        """Return the arms by the places before the change."""


def check(path: str, settings: Settings, count: int, random: Random, figures: Figures) -> None:
    """Change some inputs of the compile of a class or node, one after the other."""
    with user_files():
        check_changes(path, settings, count, random, figures)


def check_changes(
    path: str, settings: Settings, count: int, random: Random, figures: Figures
) -> None:
    """Change inputs, and compare the values with those before."""
    before, node = compiled(path, settings), None
    if before.values is not None:
        node = explained(path, settings)
    if before.values is None or node is None:
        return
    sets = sets_of(node, before.values)
    files = {at[0] for at in before.taken}.union(*({f for f, _ in o.places} for o in sets.values()))
    changes = list(changes_of(path, settings, sorted(files), random))
    for kind in KINDS:
        own = [one for one in changes if type(one) is kind]
        inside = [one for one in own if any(one.is_in(origins) for origins in sets.values())]
        chosen = random.sample(inside, min(count // 2, len(inside)))
        for one in [*chosen, *random.sample(own, min(count - len(chosen), len(own)))]:
            try_change(path, settings, one, before, sets, figures)


def try_change(
    path: str, settings: Settings, change: Change, before: Compiled, sets: Sets, figures: Figures
) -> None:
    """Make a change in each way, and compare the values with those before."""
    tried = Tried(before)
    own = {at: one for at, one in sets.items() if change.is_in(one)}
    aims = list(dict.fromkeys(aim for one in own.values() for aim in one.aims))[:MOST_AIMS]
    for made, moved in change.ways(path, settings, aims):
        after = compiled(path, made)
        is_refused = after.values is None or not after.gaps <= before.gaps
        figures.counts["refused" if is_refused else "changes"] += 1
        tried.add(after, change.unmoved(after.taken, moved), is_refused=is_refused)
        if all(tried.outcome(at, one) for at, one in own.items()):
            break
    there: Compiled | None = None
    facts = sorted({name.removeprefix("facts.") for one in own.values() for name in one.facts})
    for number, made in enumerate(change.elsewhere(path, settings, facts, aims)):
        if not tried.after or all(tried.outcome(at, one) for at, one in own.items()):
            break
        if number % 2 == 0:
            there = compiled(path, made)
        elif there is not None:
            tried.pairs.append((there, compiled(path, made)))
    compare(tried, sets, change, figures)


class Tried:
    """The compiles after a change, which was made in some ways, and the one before.

    `pairs` are compiles with other facts, without and with the change.
    """

    def __init__(self, before: Compiled) -> None:
        self.before = before
        self.after: list[Values] = []
        # Those that Puppet does not refuse.
        self.accepted: list[Values] = []
        self.flipped: set[Place] = set()
        self.pairs: list[tuple[Compiled, Compiled]] = []
        self.is_refused = False

    def add(self, after: Compiled, taken: Arms, *, is_refused: bool) -> None:
        """Add a compile, with the arms by the places before the change."""
        self.is_refused |= is_refused
        if after.values is not None:
            self.after.append(after.values)
        if not is_refused and after.values is not None:
            self.accepted.append(after.values)
        for at, arms in self.before.taken.items():
            other = taken.get(at, set())
            # A compile that ended in an error took fewer, and that is no other decision.
            if other - arms or (after.values is not None and other != arms):
                self.flipped.add(at)

    def outcome(self, at: tuple[str, str], origins: Origins) -> str:
        """Return how a value with the place in its set has changed; empty: not at all."""
        values = self.before.values or {}
        if any(is_other(values, after, at) for after in self.after):
            return "changed"
        if self.flipped & origins.decisions:
            return "a decision flips"
        for there, here in self.pairs:
            if there.values is None or here.values is None:
                continue
            is_there = at[0] in there.values
            if is_there != (at[0] in here.values) or (
                is_there and is_other(there.values, here.values, at)
            ):
                return "changed in another world"
        return ""


def is_other(before: Values, after: Values, at: tuple[str, str]) -> bool:
    """Return whether a value is another one, or its resource is gone."""
    ref, name = at
    return ref not in after or (bool(name) and before[ref].get(name) != after[ref].get(name))


def compare(tried: Tried, sets: Sets, change: Change, figures: Figures) -> None:
    """Compare the values before and after a change with their sets."""
    values = tried.before.values or {}
    for (ref, name), origins in sets.items():
        row = f"{change.label} {ref} {name}"
        if not change.is_in(origins):
            gone = any(ref not in after for after in tried.accepted)
            figures.counts["outside"] += bool(tried.accepted)
            is_changed = any(has_changed(values, after, ref, name) for after in tried.accepted)
            if is_changed and not origins.anything and not (gone and name):
                figures.broken.append(row)
            continue
        outcome = tried.outcome((ref, name), origins)
        if not tried.after and not outcome:
            # There is nothing to compare.
            figures.counts["refused altogether"] += 1
        elif outcome:
            figures.counts[f"inside, {outcome}"] += 1
        else:
            reason = change.reason(origins) or ("refused in other ways" if tried.is_refused else "")
            if name and "Unknown(" in values[ref][name]:
                reason = "a value that is unknown"
            figures.counts[f"inside, {reason or 'the same'}"] += 1
            figures.same.append(f"{row}: {reason or 'no reason'}")


def has_changed(before: Values, after: Values, ref: str, name: str) -> bool:
    """Return whether a value is another one, or its resource is gone."""
    if ref not in after:
        return True
    return bool(name) and differ(name, before[ref][name], after[ref].get(name))


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
