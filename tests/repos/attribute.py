"""Are differences attributed to the changed lines behind them, and to no others?

Copies of each repository are edited by chance, several lines at once: literals, values of data,
parameters, arrows, conditions, resources that are added, removed or moved, text of templates, and
comments. `catgraph diff` compares the repository with its edited copy and names the lines behind
each difference. Then each edit is undone alone: a difference must be gone, or be another one, if
an edit that was named for it is undone.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import redirect_stderr
from io import StringIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from analyzer.cli import main
from analyzer.reach import user_files
from tests.repos.edits import Edit, edit_of, render

# Runs a command in a folder with a cache; returns output, messages, seconds and exit code.
Answer = tuple[str, str, float, int]
Run = Callable[..., Answer]
FACTS = ("--facts", "@debian-12")
# A difference: its kind, what it is about, and a parameter; and the state of it.
Key = tuple[str, tuple[str, ...], str]


def states_in(text: str) -> dict[str, dict[Key, str]] | None:
    """Return the differences of each node of a report in JSON, None if there is no report."""
    try:
        rows = json.loads(text)
    except ValueError:
        return None
    return {row["node"]: dict(states_of(row)) for row in rows if "gained" in row}


def states_of(row: dict[str, Any]) -> Iterator[tuple[Key, str]]:
    """Yield the differences of a node."""
    for side, kind in (("gained", "added"), ("lost", "removed")):
        for one in row[side]["resources"]:
            yield (kind, (one["ref"],), ""), ""
        for one in row[side]["relationships"]:
            for pair in product(one["sources"], one["targets"]):
                yield ("relationship", pair, side), one["kind"]
        for one in row[side]["cycles"]:
            yield ("cycle", tuple(one["members"]), side), ""
        for one in row[side]["missing"]:
            yield ("missing", (one["declared_by"], one["target"]), side), ""
    for change in row["changed"]:
        yield from changes_in(change)


def changes_in(one: dict[str, Any]) -> Iterator[tuple[Key, str]]:
    """Yield the changes of a resource."""
    for parameter in one["parameters"]:
        yield ("parameter", (one["ref"],), parameter["name"]), json.dumps(parameter["new"])
    for name in ("tags", "containers"):
        if one[name]["gained"] or one[name]["lost"]:
            yield ("other", (one["ref"],), name[:9]), json.dumps(one[name])


def key_of(change: dict[str, Any]) -> Key:
    """Return the difference that an attribution is about."""
    kind, refs = change["kind"], tuple(change["refs"])
    if kind in ("parameter", "other"):
        return kind, refs, change["parameter"][:9] if kind == "other" else change["parameter"]
    side = "gained" if change["gained"] else "lost"
    return kind, refs, side if kind in ("relationship", "cycle", "missing") else ""


def call(folder: Path, cache: str, *words: str) -> Answer:
    """Run a command in a folder, in this process: there are thousands of them."""
    here, start, out = Path.cwd(), perf_counter(), folder / "answer"
    os.environ["XDG_CACHE_HOME"] = cache
    os.chdir(folder)
    try:
        with redirect_stderr(StringIO()) as errors:
            code = main([*words, "-o", str(out)])
        text = out.read_text() if out.exists() else ""
    finally:
        os.chdir(here)
        out.unlink(missing_ok=True)
    return text, errors.getvalue(), perf_counter() - start, code


class Session:
    """One repository with some edits, which can be undone."""

    def __init__(self, place: Path, run: Run, edits: list[Edit], which: list[str]) -> None:
        self.place = place
        self.run = run
        self.edits = edits
        self.which = which
        self.places: dict[Edit, tuple[int, int]] = {}

    def write(self, edits: Collection[Edit]) -> None:
        """Write the edited copy with some of the edits."""
        for file in {one.file for one in self.edits}:
            text = (self.place / "old" / file).read_bytes().decode()
            new, places = render(text, [one for one in edits if one.file == file])
            (self.place / "new" / file).write_bytes(new.encode())
            if len(edits) == len(self.edits):
                self.places |= places

    def diff(self, edits: Collection[Edit], *more: str) -> tuple[str, float]:
        """Return the report about the copy with some of the edits, and its seconds."""
        self.write(edits)
        words = ("diff", "old", "new", "--format", "json", *FACTS, *self.which, *more)
        out, err, seconds, _ = self.run(self.place, str(self.place / "cache"), *words)
        if "internal error" in err:
            print("  internal error:", err.strip()[-300:])
        return out, seconds

    def edits_at(self, line: dict[str, Any]) -> list[Edit]:
        """Return the edits that changed lines are of."""
        return [one for one in self.edits if self.is_at(one, line)]

    def is_at(self, one: Edit, line: dict[str, Any]) -> bool:
        """Return whether changed lines are of an edit."""
        old, new = line["old"], line["new"]
        at_old = old and old["file"] == f"old/{one.file}"
        if at_old and old["line"] <= one.last and one.first + 1 <= old["last"]:
            return True
        first, last = self.places[one]
        at_new = new and new["file"] == f"new/{one.file}"
        return bool(at_new and new["line"] <= last and first <= new["last"])

    def check(self, seen: Counter[str]) -> None:
        """Count the differences that are attributed, and those that are not, or wrongly."""
        out, slow = self.diff(self.edits)
        states = states_in(out)
        if not states or not any(states.values()):
            seen["sessions without a difference"] += 1
            return
        _, fast = self.diff(self.edits, "--no-causes")
        seen["seconds with causes"] += round(slow * 10)
        seen["seconds without"] += round(fast * 10)
        without = {one: self.without([one]) for one in self.edits}
        for one in self.edits:
            seen[f"edits: {one.kind}"] += 1
            if without[one] is not None and without[one] != states:
                seen["edits with an effect"] += 1
        for row in json.loads(out):
            for cause in row.get("causes", ()):
                named = {e for line in cause["lines"] for e in self.edits_at(line)}
                for change in cause["changes"]:
                    key = key_of(change)
                    if key in states.get(row["node"], {}):
                        self.judge(row["node"], key, named, states, without, seen)
                    else:
                        seen["orders, not judged" if named else "orders without a line"] += 1

    def without(self, edits: Collection[Edit]) -> dict[str, dict[Key, str]] | None:
        """Return the differences with some edits undone; None if something does not compile."""
        rest = [one for one in self.edits if one not in edits]
        return states_in(self.diff(rest, "--no-causes")[0])

    def judge(
        self,
        node: str,
        key: Key,
        named: set[Edit],
        states: dict[str, dict[Key, str]],
        without: dict[Edit, dict[str, dict[Key, str]] | None],
        seen: Counter[str],
    ) -> None:
        """Count one difference."""
        state = states[node][key]

        def is_moved(found: dict[str, dict[Key, str]] | None) -> bool:
            return found is not None and found.get(node, {}).get(key) != state

        seen["differences"] += 1
        seen[f"differences: {key[0]}"] += 1
        true = [one for one, found in without.items() if is_moved(found)]
        if not named:
            seen["not attributed"] += 1
            what = "undoing " + ", ".join(map(words, true)) if true else "no edit alone"
            print("  not attributed:", key, what, "would do;", ", ".join(map(words, self.edits)))
        elif any(is_moved(without[one]) for one in named) or is_moved(self.without(named)):
            seen["right"] += 1
            seen["right, with others"] += any(not is_moved(without[one]) for one in named)
        else:
            seen["wrong"] += 1
            print("  wrong:", key, "named", ", ".join(map(words, named)),
                  "not", ", ".join(map(words, true)), "of", self.edits)  # fmt: skip


def words(one: Edit) -> str:
    """Return an edit in words."""
    return f"{one.kind} {one.file}:{one.first + 1}"


def compiling(root: Path, run: Run, chance: random.Random, most: int = 2) -> list[str]:
    """Return options that choose some nodes or classes that compile, none if there are none."""
    out, *_ = run(root, str(root.parent / "cache"), "compile", "--plan", ".", "--format", "json")
    try:
        rows = json.loads(out)["compiles"]
    except ValueError:
        return []
    found: list[str] = []
    for row in chance.sample(rows, min(len(rows), 3 * most)):
        name = ["--class", row["class"]] if row["class"] else ["--node", row["node"]]
        if states_in(Session(root.parent, run, [], name).diff([])[0]) is not None:
            found += name
        if len(found) == 2 * most:
            break
    return found


def used_files(folder: Path, run: Run, cache: str, which: list[str]) -> list[Path]:
    """Return the files that may have an effect: manifests of resources, data, templates."""
    named: set[str] = set()
    for pair in zip(which[::2], which[1::2], strict=True):
        out, *_ = run(folder, cache, "compile", ".", *FACTS, *pair)
        named.update(re.findall(r'"file": ?"([^"]+\.pp)"', out))
    found = {folder / name for name in named if (folder / name).is_file()}
    for suffix in ("*.yaml", "*.eyaml", "*.epp", "*.pp"):
        for path in folder.rglob(suffix):
            parts = set(path.relative_to(folder).parts)
            wanted = {"data", "hieradata", "hiera"} if suffix[-4:] == "yaml" else {"templates"}
            wanted = {"site.pp", "nodes.pp", "nodes"} if suffix == "*.pp" else wanted
            if parts & wanted and "spec" not in parts:
                found.add(path)
    return sorted(found)


def report(
    folder: str,
    run: Run,
    count: int = 100,
    seed: int = 1,
    most: int = 4,
    ask: type[Session] = Session,
) -> Counter[str]:
    """Edit the repositories below a folder until there are enough edits; print the figures."""
    run = call
    chance = random.Random(seed)
    repositories = sorted(one for one in Path(folder).iterdir() if one.is_dir())
    seen: Counter[str] = Counter()
    while seen["edits with an effect"] < count and repositories:
        path = chance.choice(repositories)
        with TemporaryDirectory() as place, user_files():
            for name in ("old", "new"):
                shutil.copytree(path, Path(place, name), symlinks=True,
                                ignore=shutil.ignore_patterns(".git"))  # fmt: skip
            root = Path(place, "old")
            which = compiling(root, run, chance)
            files = used_files(root, run, str(Path(place, "cache")), which) if which else []
            edits: list[Edit] = []
            for _ in range(20 * most):
                one = edit_of(root, chance.choice(files), chance) if files else None
                if one and all(
                    one.file != e.file or one.last + 1 < e.first or e.last + 1 < one.first
                    for e in edits
                ):
                    edits.append(one)
                if len(edits) == most:
                    break
            session = ask(Path(place), run, edits, which)
            if not edits:
                # Nothing in it compiles.
                repositories.remove(path)
                continue
            before = seen["differences"]
            session.check(seen)
            fresh = seen["differences"] - before
            print(f"{path.name}: {len(edits)} edits, {fresh} differences", flush=True)
    for name, number in sorted(seen.items()):
        print(f"{name}: {number}")
    total = seen["differences"] or 1
    print(f"attributed: {100 * (total - seen['not attributed']) / total:.1f} %, "
          f"wrong: {seen['wrong']}")  # fmt: skip
    return seen
