"""Is the gate green on a repository as it is, and red for a cycle planted anywhere in it?

In a copy of each repository: `check --write-baseline`, then `check`, as docs/check.md says. Then a
cycle of two resources is planted in a class, a defined type, a node block or a branch of the
repository's own code, chosen by chance, and `check` must fail and name the file; several times.
"""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from analyzer.frontends.puppet.node.modules import manifests_below
from analyzer.frontends.puppet.node.unloaded import is_in_no_catalog
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.syntax.recovery import recovered
from analyzer.linter.vendored import Vendored
from analyzer.reach import RealPaths, user_files

# The names show where a cycle was planted.
CYCLE = """
notify { 'planted one': require => Notify['planted two'] }
notify { 'planted two': require => Notify['planted one'] }
"""
KINDS: dict[type, str] = {
    a.HostClassDefinition: "class",
    a.ResourceTypeDefinition: "define",
    a.NodeDefinition: "node",
}

# Runs a command in a folder with a cache; returns output, messages, seconds and exit code.
Run = Callable[..., tuple[str, str, float, int]]
# The kind of a place, and whether the gate was red for a cycle there.
Seen = tuple[str, bool]


class Place(NamedTuple):
    """Where statements may be planted: `kind` is that of the code around it."""

    file: str
    offset: int
    kind: str


def places_in(folder: str) -> list[Place]:
    """Return the places in a repository's own manifests: in broken ones, those that are right."""
    vendored = Vendored([folder], RealPaths())
    found: list[Place] = []
    for file in manifests_below(folder):
        if vendored.module_of(file) or is_in_no_catalog(file, [folder]):
            continue
        try:
            text = Path(file).read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue
        try:
            tree: Any = parse(text, file)
        except ParseError:
            tree = recovered(text, file)
        found += (Place(file, offset, kind) for offset, kind in offsets_in(tree or (), ""))
    return found


def offsets_in(node: Any, around: str) -> Iterator[tuple[int, str]]:
    """Yield the offsets at which statements begin, with the kinds of code; `around` is one's."""
    kind = KINDS.get(type(node), "")
    if kind:
        # Of an empty definition, before its closing brace.
        yield node.offset + node.length - 1 if node.body is None else begin_of(node.body), kind
    for arm in arms_of(node) if around or kind else ():
        yield begin_of(arm), "branch"
    for child in node if isinstance(node, tuple) else ():
        if isinstance(child, tuple):
            yield from offsets_in(child, kind or around)


def begin_of(node: Any) -> int:
    """Return where code begins: the place of an expression may be that of its operator."""
    statements = node.statements if isinstance(node, a.BlockExpression) else None
    if statements:
        return begin_of(statements[0])
    inner = (child for child in node if isinstance(child, tuple))
    offsets = [begin_of(child) for child in inner if hasattr(child, "offset")]
    return min([int(node.offset), *offsets])


def arms_of(node: Any) -> Iterator[Any]:
    """Yield the statements that a condition decides on."""
    if isinstance(node, a.IfExpression | a.UnlessExpression):
        arms = [node.then_expr, node.else_expr]
    elif isinstance(node, a.CaseOption):
        arms = [node.then_expr]
    else:
        return
    # An `elsif` is no place for statements, and after `fail` nothing is applied.
    for one in arms:
        if one is not None and not isinstance(one, a.IfExpression) and not refuses(one):
            yield one


def refuses(arm: Any) -> bool:
    """Return whether one of the statements of an arm calls `fail`."""
    statements = arm.statements if isinstance(arm, a.BlockExpression) else (arm,)
    names = (getattr(getattr(one, "functor_expr", None), "value", "") for one in statements)
    return "fail" in names


def gate(
    folder: Path, run: Run, per: int, chance: random.Random
) -> tuple[dict[str, Any], Counter[Seen]]:
    """Return the results of a repository, and the numbers of plants that were and were not seen."""
    with TemporaryDirectory() as place:
        tree = Path(place, "tree")
        shutil.copytree(folder, tree, symlinks=True)
        cache = str(Path(place, "cache"))
        run(tree, cache, "check", "--write-baseline")
        out, _, seconds, code = run(tree, cache, "check", "--format", "json")
        places = places_in(str(tree))
        seen: Counter[Seen] = Counter()
        for one in chance.sample(places, min(per, len(places))):
            file = Path(one.file)
            text = file.read_bytes()
            start = len(text.decode()[: one.offset].encode())
            file.write_bytes(text[:start] + CYCLE.encode() + text[start:])
            planted, *_, planted_code = run(tree, cache, "check")
            file.write_bytes(text)
            name = str(file.relative_to(tree))
            is_red = planted_code == 1 and "planted one" in planted and name in planted
            seen[one.kind, is_red] += 1
            if not is_red:
                print(f"  not seen: {folder.name}/{name}, {one.kind} (exit code {planted_code})")
    try:
        definitions = json.loads(out)["coverage"]["definitions"].values()
    except (ValueError, KeyError):
        definitions = ()
    total = sum(one["total"] for one in definitions)
    compiled = total - sum(len(one["not_compiled"]) for one in definitions)
    row = {"code": code, "seconds": seconds, "total": total, "compiled": compiled}
    return row, seen


def report(folder: str, run: Run, per: int = 2, seed: int = 1) -> None:
    """Print a row for each repository below a folder, and the shares of all."""
    chance = random.Random(seed)
    rows: list[dict[str, Any]] = []
    every: Counter[Seen] = Counter()
    with user_files():
        for path in sorted(one for one in Path(folder).iterdir() if one.is_dir()):
            row, seen = gate(path, run, per, chance)
            rows.append(row)
            every += seen
            red = sum(count for (_, is_red), count in seen.items() if is_red)
            print(
                f"{path.name}: exit code {row['code']} as it is, {row['seconds']:.1f} s; "
                f"red for {red} of {seen.total()} planted cycles; "
                f"{row['compiled']} of {row['total']} definitions compiled",
                flush=True,
            )
    green = sum(row["code"] == 0 for row in rows)
    print(share("green as it is", green, len(rows)))
    for kind in (*KINDS.values(), "branch"):
        print(share(f"red for a {kind}", every[kind, True], every[kind, True] + every[kind, False]))
    red = sum(count for (_, is_red), count in every.items() if is_red)
    print(share("red in all", red, every.total()))
    compiled, total = (sum(row[key] for row in rows) for key in ("compiled", "total"))
    print(share("own definitions compiled", compiled, total))


def share(what: str, count: int, total: int) -> str:
    """Return a line with a share."""
    return f"{what}: {count} of {total}" + (f" ({100 * count / total:.0f} %)" if total else "")
