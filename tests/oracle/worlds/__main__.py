"""Plants findings, explores, and prints the figures: `python -m tests.oracle.worlds -h`."""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from analyzer.compiles.outcomes import compile_path
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.explorer import Budget
from analyzer.reach import user_files

from ..harness import MODULES, conversation, installed
from .check import Result, check
from .plant import plant
from .same import compare

# Classes that are planted in: their file defines nothing else, and ends with them.
ONLY = re.compile(r"\A(?:#.*\n|\s*\n)*class\s+([a-z]\w*(?:::\w+)*)\s*(?:\(|\{|inherits)")
MOST_LINES = 400


def packaged() -> list[tuple[str, Path]]:
    """Return the main classes of packaged modules."""
    found = []
    for file in sorted(MODULES.glob("*/manifests/init.pp")):
        text = file.read_text(errors="replace")
        match = ONLY.match(text)
        alone = text.count("\nclass ") + text.startswith("class ") == 1
        ends = text.rstrip().endswith("}") and text.count("\n") < MOST_LINES
        if match and alone and ends and compiles(match[1]):
            found.append((match[1], file))
    return found


def compiles(name: str) -> bool:
    """Return whether a class compiles by itself on a typical system."""
    settings = Settings(facts=("@debian-12",), legacy_facts=True, classes=(name,))
    try:
        return bool(compile_path(str(MODULES / name), settings).catalogs)
    except InputError:
        return False


def main() -> int:
    """Check the cases, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--same", type=int, help="compare catalogs in so many worlds instead")
    parser.add_argument("--seconds", type=float, default=600.0, help="of such a comparison")
    arguments = parser.parse_args()
    if installed() is None:
        print("no Ruby with Puppet on this machine")
        return 0
    if arguments.same:
        return int(compare(arguments.same, arguments.first, arguments.seconds) > 0)
    ask = conversation()
    modules = packaged()
    results: list[Result] = []
    total: Counter[str] = Counter()
    # One folder for all, so that one process of Puppet answers for it.
    folder = Path(tempfile.mkdtemp())
    for number in arguments.only or range(arguments.first, arguments.first + arguments.cases):
        shutil.rmtree(folder)
        folder.mkdir()
        result = check(plant(number, folder, modules), ask, Budget())
        results.append(result)
        if result.problems:
            print(f"{number} {result.planted.shape} {result.planted.kind} {result.planted.name}:")
            print("   planted", " and ".join(atom.code for atom in result.planted.atoms))
            for problem in result.problems:
                print("  ", problem, flush=True)
    shutil.rmtree(folder)
    for result in results:
        total["found"] += result.found
        total["impossible"] += result.impossible
        total["right condition"] += result.right
        for name in ("confirmed", "not_confirmed", "refused_later", "gone", "not_gone"):
            total[name] += getattr(result, name)
    slowest = max(result.seconds for result in results)
    print(f"{len(results)} cases, {dict(total)}, slowest {slowest:.1f} s")
    return int(total["found"] + total["impossible"] < len(results) or total["not_confirmed"] > 0)


if __name__ == "__main__":
    with user_files():
        raise SystemExit(main())
