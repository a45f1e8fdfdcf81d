"""The law of origins: a value changes only if a place of its set was changed.

A literal of the code is changed, and everything is compiled again. A value that changed must have
the place in its set; a value with the place in its set should change, or a decision on the way.
`python -m tests.oracle.origins_law MODULE... --count N` prints the figures.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.explaining import explain_path
from analyzer.compiles.plan import plan_of
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.origins.contributors import ANYTHING, Contributor, reach
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.worlds.expressions import children
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.reach import user_files

Place = tuple[str, int]
# The values of a catalog: for each resource its parameters as text.
Values = dict[str, dict[str, str]]
# The key of the gaps of a catalog.
MISSING = "missing"
# A reference in the text of a relationship parameter.
REF = re.compile(r"[A-Z][\w:]*\[[^\]]*\]")
CHANGED = (a.LiteralString, a.LiteralInteger, a.LiteralBoolean)
# Contributors that decide, and are no part of the value itself.
TESTING = frozenset({"condition", "collector", "loop"})
TEXTS = (a.ConcatenatedString, a.HeredocExpression)


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: its file, where it is, and the place that counts: that of the text around it.

    `is_key`: it is the key of an entry of a hash.
    """

    file: str
    offset: int
    length: int
    place: Place
    is_key: bool = False


@dataclass(slots=True)
class Figures:
    """The outcomes of all changes; `broken` are values that changed outside of their set."""

    counts: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)


def literals_in(file: str, text: str) -> Iterator[Literal]:
    """Yield the literals of a manifest, without those of types."""
    pending: list[tuple[Any, Place | None]] = [(parse(text, file).body, None)]
    keys: set[Place] = set()
    while pending:
        node, around = pending.pop()
        if type(node) is a.KeyedEntry:
            keys.add((file, node.key.offset))
        if type(node) in CHANGED and node.length > 0:
            place = around or (file, node.offset)
            yield Literal(file, node.offset, node.length, place, place in keys)
        if type(node) in TEXTS:
            around = around or (file, node.offset)
        inner = [one for one in children(node) if one is not getattr(node, "type_expr", None)]
        # What stands in `${}` is no text.
        inside = around if type(node) in (*TEXTS, *CHANGED) else None
        pending += [(one, inside) for one in inner]


def changed(text: str, one: Literal, random: Random) -> str | None:
    """Return a text with another literal, None if there is none of the same kind."""
    written = text[one.offset : one.offset + one.length]
    if written in ("true", "false"):
        made = "false" if written == "true" else "true"
    elif written.isdigit():
        made = str((int(written) + 1) % 10 ** len(written)).rjust(len(written), "1")
    elif len(written) > 2 and written[0] in "'\"" and written[-2].isalnum():
        made = written[:-2] + random.choice("qxz") + written[-1]
    elif written[:1] not in "'\"" and written[-1:].isalnum():
        made = written[:-1] + random.choice("qxz")
    else:
        return None
    return None if made == written else text[: one.offset] + made + text[one.offset + one.length :]


def compiled(path: str, settings: Settings) -> tuple[Values | None, dict[Place, set[int]]]:
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


@dataclass(frozen=True, slots=True)
class Origins:
    """The places of literals in a set; `anything`: others may be part of it.

    `tested` are those that only tests compare with.
    """

    places: set[Place]
    tested: set[Place]
    anything: bool


def origins_of(several: list[Contributor]) -> Origins:
    """Return the places of a set."""
    every = list(reach(several))
    computed = list(reach(several, TESTING))
    places, others = set(literals_among(every)), set(literals_among(computed))
    return Origins(places, places - others, ANYTHING in every)


def literals_among(several: list[Contributor]) -> Iterator[Place]:
    """Yield the places of the literals among contributors."""
    for one in several:
        if one.unit is not None and one.kind == "literal":
            yield one.unit.file, one.offset


def check(path: str, settings: Settings, count: int, random: Random, figures: Figures) -> None:
    """Change some literals of the code that a class is compiled from, one after the other."""
    with user_files():
        check_changes(path, settings, count, random, figures)


def check_changes(
    path: str, settings: Settings, count: int, random: Random, figures: Figures
) -> None:
    """Change literals, and compare the values with those before."""
    before, taken = compiled(path, settings)
    if before is None:
        return
    (node,) = explain_path(path, settings)
    if node.explanation is None or node.error is not None:
        return
    sets = sets_of(node.explanation, before)
    within = {place for one in sets.values() for place in one.places}
    files = sorted({file for file, _ in {*taken, *within} if file.startswith(path)})
    texts = {file: Path(file).read_text() for file in files if file.endswith(".pp")}
    literals = [one for file, text in texts.items() for one in literals_in(file, text)]
    inside = [one for one in literals if one.place in within]
    chosen = random.sample(inside, min(count // 2, len(inside)))
    for one in [*chosen, *random.sample(literals, min(count - len(chosen), len(literals)))]:
        text = changed(texts[one.file], one, random)
        if text is None:
            continue
        try:
            Path(one.file).write_text(text)
            after, arms = compiled(path, settings)
        finally:
            Path(one.file).write_text(texts[one.file])
        if after is None or not after[MISSING].keys() <= before[MISSING].keys():
            figures.counts["refused"] += 1
            continue
        moved = len(text) - len(texts[one.file])
        same_arms = taken == unmoved(arms, one, moved)
        compare(before, after, sets, one, figures, same_arms=same_arms)


def unmoved(taken: dict[Place, set[int]], one: Literal, moved: int) -> dict[Place, set[int]]:
    """Return the arms by the places before a change."""
    return {
        (file, offset - moved if file == one.file and offset > one.offset else offset): arms
        for (file, offset), arms in taken.items()
    }


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
    after: Values,
    sets: dict[tuple[str, str], Origins],
    one: Literal,
    figures: Figures,
    *,
    same_arms: bool,
) -> None:
    """Compare the values before and after a change with their sets."""
    for (ref, name), origins in sets.items():
        gone = ref not in after
        is_changed = gone or bool(name and differ(name, before[ref][name], after[ref].get(name)))
        if one.place not in origins.places:
            figures.counts["outside"] += 1
            if is_changed and not origins.anything and not (gone and name):
                figures.broken.append(f"{one.file}:{one.place[1]} {ref} {name}")
        elif is_changed:
            figures.counts["inside, changed"] += 1
        elif not same_arms:
            figures.counts["inside, a decision flips"] += 1
        elif one.place in origins.tested:
            figures.counts["inside, compared in a test that ends alike"] += 1
        elif one.is_key:
            # It would decide if it became the key that is asked for.
            figures.counts["inside, the key of another element"] += 1
        else:
            figures.counts["inside, the same"] += 1
            figures.same.append(f"{one.file}:{one.place[1]} {ref} {name}")


def differ(name: str, before: str, after: str | None) -> bool:
    """Return whether a value is another one.

    Arrows and collectors that were not evaluated before add to relationships; those that were
    there are compared.
    """
    if name in RELATIONSHIPS and after is not None:
        return not set(REF.findall(before)) <= set(REF.findall(after))
    return before != after


def main() -> int:
    """Check classes of modules, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="values that stayed the same")
    options = parser.parse_args()
    figures = Figures()
    for folder in options.modules:
        name = Path(folder).name
        if not (Path(folder) / "manifests" / "init.pp").is_file():
            continue
        with tempfile.TemporaryDirectory() as root:
            # Only files of the copy are changed.
            copy = shutil.copytree(Path(folder).resolve(), Path(root, name))
            others = str(Path(folder).parent)
            settings = Settings(classes=(name,), facts=("@debian-12",), modulepath=(root, others))
            check(str(copy), settings, options.count, Random(options.seed), figures)
        print(name, dict(figures.counts), len(figures.broken), flush=True)
    for line in figures.broken[:40]:
        print("outside, but changed:", line)
    for line in figures.same[: options.show]:
        print("inside, but the same:", line)
    return int(bool(figures.broken))


if __name__ == "__main__":
    raise SystemExit(main())
